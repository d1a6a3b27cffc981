/**
 * Who deploys, and to which account: the token and the account that wrangler would use. The token stays in memory and
 * goes to Cloudflare alone.
 */
import { z } from "zod";

import { UserError } from "../errors.ts";
import { parseJson } from "../json.ts";
import { callWrangler, type CallWrangler } from "../wrangler.ts";

export interface Account {
  readonly id: string;
  readonly token: string;
  /** Where Cloudflare's API is; the environment may name another place, as for wrangler. */
  readonly baseUrl: string;
}

const Token = z.object({ token: z.string() });
const WhoAmI = z.object({ accounts: z.array(z.object({ id: z.string(), name: z.string() })) });

const LOG_IN = "log in with `npx wrangler login`, or set CLOUDFLARE_API_TOKEN and CLOUDFLARE_ACCOUNT_ID";

/**
 * Finds both, in the environment or through wrangler's login.
 *
 * @throws UserError if there is no login, or several accounts and no choice among them.
 */
export async function findAccount(environment: NodeJS.ProcessEnv, wrangler: CallWrangler): Promise<Account> {
  const baseUrl = environment["CLOUDFLARE_API_BASE_URL"] ?? "https://api.cloudflare.com/client/v4";
  const ask = async (args: readonly string[]): Promise<unknown> => {
    const { code, stdout } = await wrangler([...args, "--json"]);
    const parsed = parseJson(stdout);
    if (code !== 0 || !parsed.ok) throw new UserError(`Cloudflare does not know who deploys: ${LOG_IN}`);
    return parsed.value;
  };
  const token = environment["CLOUDFLARE_API_TOKEN"] || Token.safeParse(await ask(["auth", "token"])).data?.token;
  if (token === undefined) throw new UserError(`wrangler's login has no token that can be used here: ${LOG_IN}`);
  const id = environment["CLOUDFLARE_ACCOUNT_ID"] || chooseAccount(await ask(["whoami"]));
  return { id, token, baseUrl };
}

function chooseAccount(answer: unknown): string {
  const accounts = WhoAmI.safeParse(answer).data?.accounts ?? [];
  const [only, ...others] = accounts;
  if (only === undefined) throw new UserError("this login reaches no account; set CLOUDFLARE_ACCOUNT_ID");
  if (others.length === 0) return only.id;
  const list = accounts.map(({ id, name }) => `  CLOUDFLARE_ACCOUNT_ID=${id}   ${name}`).join("\n");
  throw new UserError(`this login reaches several accounts; choose one in the environment:\n${list}`);
}

/** wrangler, held to the account that was found. */
export function forAccount({ id }: Account): CallWrangler {
  return (args, options) => callWrangler(args, { ...options, env: { CLOUDFLARE_ACCOUNT_ID: id } });
}

/** `codeforge audit`: who did what, as a table or as JSON lines. */
import { InvalidArgumentError, type Command } from "commander";

import { AuditList, type AuditRow } from "../../contract/admin.ts";
import { askAdmin } from "../remote/admin.ts";
import { findLogin } from "../remote/logins.ts";
import { toTable } from "../table.ts";

/** Rows of one request. */
const PAGE = 1_000;

interface AuditOptions {
  readonly server?: string;
  readonly limit: number;
  readonly json?: boolean;
}

/** Adds the command's options and action. */
export function define(command: Command): void {
  command
    .option("--limit <rows>", "how many of the latest rows the table has, at most 1000", toLimit, 50)
    .option("--json", "every row there is, as JSON lines, the oldest first")
    .option("--server <url>", "the server (default: the last login)")
    .action(() => audit(command.optsWithGlobals<AuditOptions>()));
}

async function audit({ server, limit, json }: AuditOptions): Promise<void> {
  const login = findLogin(server);
  if (json !== true) {
    const { rows } = await askAdmin(login, `audit?limit=${limit}`, AuditList);
    console.log(
      toTable(["when", "who", "token", "from", "what", "of", "run", "credentials", "detail"], rows.map(toRow)),
    );
    return;
  }
  for (let after = 0; ;) {
    const { rows } = await askAdmin(login, `audit?limit=${PAGE}&after=${after}`, AuditList);
    for (const row of rows) console.log(JSON.stringify(row));
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}

function toRow(row: AuditRow): string[] {
  const { atMs, principal, token, address, action, subject, run, credentials, detail } = row;
  const when = new Date(atMs).toISOString();
  return [when, principal, token ?? "", address ?? "", action, subject, run ?? "", credentials.join(" "), detail ?? ""];
}

function toLimit(text: string): number {
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= PAGE) return limit;
  throw new InvalidArgumentError("use a number from 1 to 1000");
}

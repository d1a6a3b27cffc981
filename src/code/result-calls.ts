/** What a block may ask of results that are kept: `import { results } from "codeforge"`. */
import { z } from "zod";

import { narrowApis, type Auth } from "../auth/auth.ts";
import { HostCallError, type CallingRun, type HostCalls } from "./host-calls.ts";
import type { KeptResult, ResultReader } from "./kept-result.ts";

const ReadArgument = z.strictObject({ id: z.string().max(100), page: z.number() });

/** The handlers that the harness's `results` calls. */
export function resultCalls(results: ResultReader): HostCalls {
  return {
    "results.read": async (argument, run) => {
      const parsed = ReadArgument.safeParse(argument);
      if (!parsed.success) throw new HostCallError("results.read takes the id of a result, a string");
      const { id, page } = parsed.data;
      const found = await read(results.read(readerOf(run), id, page));
      if (found === null) {
        throw new HostCallError(
          `there is no result ${JSON.stringify(id)}, or it has expired; results.list() has them all`,
        );
      }
      return { text: found.text, pages: found.pages, isJson: found.isJson };
    },
    "results.list": async (_, run) => results.list(readerOf(run)).map(toEntry),
  };
}

/** A run reads what came of the APIs that it may reach: a skill, written by somebody else, no more of its caller's. */
function readerOf({ auth, apis }: CallingRun): Auth {
  const reachable = narrowApis(auth.apis, apis);
  return { ...auth, apis: reachable === null ? null : [...reachable] };
}

async function read<T>(page: Promise<T>): Promise<T> {
  try {
    return await page;
  } catch {
    throw new HostCallError("the server's storage did not answer; try again");
  }
}

function toEntry({ id, characters, expiresMs }: KeptResult): object {
  return { id, characters, expires: new Date(expiresMs).toISOString() };
}

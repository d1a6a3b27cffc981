/**
 * The history as resources, `codeforge://runs` and `codeforge://runs/{id}`, and the results that were too large to be
 * shown, `codeforge://results/{id}`, in pages. Each is its principal's own: another's is not found.
 */
import { ResourceNotFoundError, ResourceTemplate, type McpServer, type Variables } from "@modelcontextprotocol/server";

import { describeRun, describeRuns } from "../code/history-text.ts";
import { toResultUri, toRunUri } from "../code/result-words.ts";
import { callerOf } from "./caller.ts";
import type { ServerDeps } from "./server.ts";

/** Runs that `codeforge://runs` names. */
const MAX_LISTED = 100;

const TEXT = "text/plain";

export function registerRunResources(server: McpServer, { history, results }: ServerDeps): void {
  const list = { title: "Runs", description: "The last runs: what ran, what came of it", mimeType: TEXT };
  server.registerResource("runs", "codeforge://runs", list, ({ href }, ctx) => ({
    contents: [{ uri: href, mimeType: TEXT, text: describeRuns(history.list(callerOf(ctx), MAX_LISTED)) }],
  }));

  const run = { title: "Run", description: "One run: its code, its outcome, every request it sent", mimeType: TEXT };
  const runs = new ResourceTemplate(toRunUri("{id}"), { list: undefined });
  server.registerResource("run", runs, run, ({ href }, { id }: Variables, ctx) => {
    const record = history.read(callerOf(ctx), String(id));
    if (record === null) throw notFound(href, "run");
    return { contents: [{ uri: href, mimeType: TEXT, text: describeRun(record) }] };
  });

  const result = { title: "Result", description: "A result that was too large to be shown whole" };
  const whole = new ResourceTemplate(toResultUri("{id}"), {
    list: (ctx) => ({
      resources: results.list(callerOf(ctx)).map(({ id, isJson, bytes, expiresMs }) => ({
        uri: toResultUri(id),
        name: `result ${id}`,
        description: `Kept until ${new Date(expiresMs).toISOString()}`,
        mimeType: isJson ? "application/json" : TEXT,
        size: bytes,
      })),
    }),
  });
  server.registerResource("result", whole, result, ({ href }, { id }: Variables, ctx) =>
    readPage(href, { id: String(id), page: "1" }, ctx),
  );
  const paged = new ResourceTemplate(toResultUri("{id}/{page}"), { list: undefined });
  const page = { title: "Page of a result", description: "Pages are numbered from 1" };
  server.registerResource("result-page", paged, page, ({ href }, variables: Variables, ctx) =>
    readPage(href, variables, ctx),
  );

  async function readPage(href: string, { id, page: number }: Variables, ctx: Parameters<typeof callerOf>[0]) {
    const found = await results.read(callerOf(ctx), String(id), Number(number));
    if (found === null) throw notFound(href, "result");
    const { text, isJson, pages, page: shown } = found;
    // A page of JSON is no JSON.
    const mimeType = isJson && pages === 1 ? "application/json" : TEXT;
    const more = shown < pages ? [{ uri: href, mimeType: TEXT, text: describePage(found.id, shown, pages) }] : [];
    return { contents: [{ uri: href, mimeType, text }, ...more] };
  }
}

function describePage(id: string, page: number, pages: number): string {
  return `Page ${page} of ${pages}; the next one is ${toResultUri(`${id}/${page + 1}`)}`;
}

function notFound(href: string, what: string): ResourceNotFoundError {
  return new ResourceNotFoundError(href, `There is no ${what} at ${href}, or it has expired`);
}

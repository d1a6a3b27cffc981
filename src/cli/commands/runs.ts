/** `codeforge runs`: the runs of a principal, or one run with its code and its requests. */
import type { Command } from "commander";
import { z } from "zod";

import { LedgerEntry } from "../../contract/ledger.ts";
import { toPrintable } from "../printable.ts";
import { askAdmin } from "../remote/admin.ts";
import { findLogin } from "../remote/logins.ts";
import { toTable } from "../table.ts";

const Summary = z.object({
  id: z.string(),
  startedMs: z.number(),
  ms: z.number().nullable(),
  outcome: z.string(),
  tool: z.string(),
  clientName: z.string(),
  requests: z.number(),
  writes: z.number(),
});
const RunList = z.object({ principal: z.string(), runs: z.array(Summary) });
const OneRun = z.object({
  principal: z.string(),
  run: Summary.extend({ code: z.string().nullable(), ledger: z.array(LedgerEntry).nullable() }),
});

interface RunsOptions {
  readonly server?: string;
  readonly principal?: string;
}

/** Adds the command's argument, options and action. */
export function define(command: Command): void {
  command
    .argument("[id]", "one run")
    .option("--principal <name>", "whose runs (default: your own)")
    .option("--server <url>", "the server (default: the last login)")
    .action((id: string | undefined) => runs(id, command.optsWithGlobals<RunsOptions>()));
}

async function runs(id: string | undefined, { server, principal }: RunsOptions): Promise<void> {
  const login = findLogin(server);
  if (id === undefined) {
    const query = principal === undefined ? "" : `?principal=${encodeURIComponent(principal)}`;
    const list = await askAdmin(login, `runs${query}`, RunList);
    const head = ["run", "when", "tool", "outcome", "ms", "requests", "writes", "client"];
    console.log(toTable(head, list.runs.map(toRow)));
    return;
  }
  const { principal: owner, run } = await askAdmin(login, `runs/${encodeURIComponent(id)}`, OneRun);
  console.log(`${run.id} of ${owner}: ${run.tool}, ${run.outcome}, ${new Date(run.startedMs).toISOString()}`);
  if (run.code !== null) console.log(`\n${toPrintable(run.code)}`);
  if (run.ledger === null) return console.log(`\nWhat it sent is not known${run.outcome === "running" ? " yet" : ""}.`);
  const rows = run.ledger.map(({ method, host, path, state, status, error, credentials }) => [
    method,
    toPrintable(`${host}${path}`),
    state,
    String(status ?? error ?? ""),
    credentials.join(" "),
  ]);
  console.log(`\n${toTable(["method", "where", "state", "status", "credentials"], rows)}`);
}

function toRow({ id, startedMs, ms, outcome, tool, clientName, requests, writes }: z.infer<typeof Summary>): string[] {
  const when = new Date(startedMs).toISOString();
  return [id, when, tool, outcome, String(ms ?? ""), String(requests), String(writes), clientName];
}

/**
 * What deployed Workers log, as it comes: one `wrangler tail` for each, joined. Their own lines are shown as they are;
 * what else the runtime reports, an exception or a line of a library, becomes a line that says whose it is.
 */
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";

import { z } from "zod";

import { failure } from "../deploy/apply.ts";
import { parseJson } from "../json.ts";

/** One event of a tail, in the parts that are shown; see "Tail Workers" in Cloudflare's documentation. */
const TailEvent = z.object({
  logs: z.array(z.object({ message: z.array(z.unknown()), timestamp: z.number() })).default([]),
  exceptions: z.array(z.object({ name: z.string(), message: z.unknown(), timestamp: z.number() })).default([]),
});

const OWN_LINE = /^\[\d{4}-\d\d-\d\dT[\d:.]+Z\] \[\w+\] /;

/** The lines of one event of a Worker; none for what is no event. */
export function toLines(worker: string, event: unknown): string[] {
  const parsed = TailEvent.safeParse(event);
  if (!parsed.success) return [];
  const { logs, exceptions } = parsed.data;
  return [
    ...logs.map(({ message, timestamp }) => toLine(worker, timestamp, message.map(toText).join(" "))),
    ...exceptions.map(({ name, message, timestamp }) =>
      toLine(worker, timestamp, `exception ${name}: ${toText(message)}`),
    ),
  ];
}

function toLine(worker: string, timestampMs: number, text: string): string {
  const line = text.replaceAll(/\p{C}/gu, " ");
  return OWN_LINE.test(line) ? line : `[${new Date(timestampMs).toISOString()}] [${worker}] ${line}`;
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

export interface TailParts {
  /** Names of Workers on the account. */
  readonly workers: readonly string[];
  readonly accountId: string;
  readonly onLine: (line: string) => void;
  /** Aborted when it is to end. */
  readonly signal: AbortSignal;
}

/** Shows lines until it is told to end, or one of the tails does. Null, or what is wrong and with which Worker. */
export async function tailWorkers({ workers, accountId, onLine, signal }: TailParts): Promise<string | null> {
  const over = new AbortController();
  const end = (): void => over.abort();
  signal.addEventListener("abort", end, { once: true });
  const ended = await Promise.all(
    workers.map(async (worker) => {
      const said = await tail(worker, accountId, onLine, over.signal);
      // Half of a log misleads.
      end();
      return said === null ? [] : [`${worker}: ${said}`];
    }),
  );
  return ended.flat().join("\n") || null;
}

async function tail(
  worker: string,
  accountId: string,
  onLine: (line: string) => void,
  signal: AbortSignal,
): Promise<string | null> {
  // Not the program that npx would run: that one starts another, and does not pass a signal on.
  const program = join(
    dirname(createRequire(import.meta.url).resolve("wrangler/package.json")),
    "wrangler-dist/cli.js",
  );
  const child = spawn(process.execPath, ["--no-warnings", program, "tail", worker, "--format", "json"], {
    stdio: ["ignore", "pipe", "pipe"],
    // Without a configuration of its own, whose names would come first.
    cwd: tmpdir(),
    env: {
      ...process.env,
      CLOUDFLARE_ACCOUNT_ID: accountId,
      CI: "true",
      NO_COLOR: "1",
      WRANGLER_LOG_SANITIZE: "true",
      WRANGLER_SEND_METRICS: "false",
    },
  });
  const stop = (): void => void child.kill("SIGTERM");
  signal.addEventListener("abort", stop, { once: true });
  let output = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (output = `${output}${text}`.slice(-10_000)));
  let json = "";
  createInterface({ input: child.stdout }).on("line", (line) => {
    // Each event is an indented object: its last line is the first that is a closing brace and no more.
    if (json === "" && line !== "{") return void (output += `${line}\n`);
    json += `${line}\n`;
    if (line !== "}") return;
    const event = parseJson(json);
    json = "";
    if (event.ok) for (const text of toLines(worker, event.value)) onLine(text);
  });
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  child.once("error", reject).once("close", (code) => resolve(code ?? 1));
  const code = await promise;
  return signal.aborted ? null : (failure({ code, stdout: "", output, entries: [] }) ?? "the tail has ended");
}

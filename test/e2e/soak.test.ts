/**
 * Hostile blocks and honest ones, mixed, for hundreds of runs through real clients: nothing that code does takes the
 * server down, costs a run in the calm its answer, leaves a process, or grows for ever. `npm run soak` goes on for
 * longer.
 */
import { join } from "node:path";

import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { afterAll, beforeAll, expect, it } from "vitest";

import { assertNoCanary, plainCanary } from "../helpers/canary.ts";
import { isAlive, listensOn, residentMiB, runtimesOf } from "../helpers/process.ts";
import { createRandom } from "../helpers/random.ts";
import { answerOf, type SoakBlock } from "../helpers/soak/blocks.ts";
import { HONEST_BLOCKS } from "../helpers/soak/honest.ts";
import { KILLERS } from "../helpers/soak/killers.ts";
import { PEST_BLOCKS } from "../helpers/soak/pests.ts";
import { connect, startTestStack, type TestStack } from "../helpers/stack.ts";
import { startUpstream, type Upstream } from "../helpers/upstream.ts";

/** In `vitest --mode soak` it goes on for so long, in minutes; otherwise each killer has one round. */
const MINUTES = process.env["MODE"] === "soak" ? Number(process.env["SOAK_MINUTES"] ?? 15) : 0;

/** How long after its timeout a run has an answer at the latest, in milliseconds. */
const GRACE_MS = 2_000;

/** How often the sandbox's process is killed at least, by code and from outside. */
const KILLS = 100;

const SECRETS = { ECHO_TOKEN: plainCanary() };

let upstream: Upstream;
let codeforge: TestStack;
let clients: Client[];
const received: string[] = [];
const random = createRandom(7);
let runs = 0;
/** The process of server and proxy. */
let server: number | undefined;

interface Answered {
  readonly block: SoakBlock;
  readonly n: number;
  readonly text: string;
  readonly isError: boolean;
}

beforeAll(async () => {
  upstream = await startUpstream();
  codeforge = await startTestStack({
    connect: false,
    apis: { echo: { description: "Echo", domains: [upstream.origin], credentials: ["ECHO_TOKEN"] } },
    vars: SECRETS,
    settings: { CPU_LIMIT_MS: "2000" },
  });
  clients = await Promise.all(Array.from({ length: 4 }, () => connect(codeforge.url, received)));
});

afterAll(async () => {
  await upstream.stop();
});

/** The processes of the stack, as the file names them from which they would be ended. */
function runtimes(): number[] {
  return runtimesOf(join(codeforge.dir, "data"));
}

/** Runs blocks at once, by turns of the clients. Each must be answered in its time. */
function runAll(blocks: readonly SoakBlock[]): Promise<Answered[]> {
  return Promise.all(blocks.map((block, index) => run(block, clients[index % clients.length]!)));
}

async function run(block: SoakBlock, client: Client): Promise<Answered> {
  const n = ++runs;
  const startedMs = performance.now();
  const args = { code: block.code(n, upstream.origin), timeout: block.timeoutMs };
  const result = await client.callTool({ name: "execute_code", arguments: args });
  const lateMs = performance.now() - startedMs - block.timeoutMs;
  const [{ text = "" } = {}] = result.content as { text?: string }[];
  expect(lateMs, `${block.name} was answered so late: ${text.slice(0, 200)}`).toBeLessThan(GRACE_MS);
  return { block, n, text, isError: result.isError === true };
}

function expectRight({ block, n, text, isError }: Answered): void {
  expect(text, block.name).toMatch(answerOf(block, n));
  expect(isError, `${block.name}: ${text}`).toBe(block.isError);
}

/** A run beside a killer has its own answer, or is told what became of it. */
function expectTold(answered: Answered): void {
  const { text, isError } = answered;
  if (isError && /^The sandbox was restarted|^The code was not run: another block/.test(text)) return;
  expectRight(answered);
}

const pick = (blocks: readonly SoakBlock[], count: number): SoakBlock[] =>
  Array.from({ length: count }, () => random.pick(blocks));

it("kills of the sandbox's process in a row, each with the next calls served", async () => {
  server = runtimes().find((pid) => listensOn(pid, Number(codeforge.url.port)));
  // Every block once, so that what is allocated at first is.
  for (const block of [...PEST_BLOCKS, ...HONEST_BLOCKS]) (await runAll([block])).forEach(expectRight);

  while (replacements() < KILLS - KILLERS.length) {
    const [sandbox, ...others] = runtimes().filter((pid) => pid !== server);
    expect(others).toEqual([]);
    process.kill(sandbox!, "SIGKILL");
    (await runAll([...pick(PEST_BLOCKS, 1), ...pick(HONEST_BLOCKS, 3)])).forEach(expectRight);
  }
});

it("hostile blocks among honest ones", { timeout: (MINUTES + 5) * 60_000 }, async () => {
  // As much at once as in each round, so that the memory for it is there before it is measured.
  for (let wave = 0; wave < 6; wave++) await runCalm();
  const memory: number[] = [];
  const endMs = Date.now() + MINUTES * 60_000;
  for (let round = 0; round < KILLERS.length || Date.now() < endMs; round++) {
    const killer = KILLERS[round % KILLERS.length]!;
    const [killed, ...beside] = await runAll([killer, ...pick(HONEST_BLOCKS, 2), ...pick(PEST_BLOCKS, 1)]);
    expectRight(killed!);
    beside.forEach(expectTold);
    // The kill is over: whoever comes now is nobody's neighbour.
    await runCalm();
    memory.push(residentMiB(server!));
  }
  expect(runs).toBeGreaterThanOrEqual(300);
  expect(replacements()).toBeGreaterThanOrEqual(KILLS);
  // The very process that was there at first has served everything, and has not grown.
  expect(runtimes()).toContain(server);
  const tenth = Math.ceil(memory.length / 10);
  const growth = mean(memory.slice(-tenth)) / mean(memory.slice(0, tenth));
  expect(growth, `MiB after each round: ${memory.map(Math.round)}`).toBeLessThanOrEqual(1.15);
  if (MINUTES > 0) console.log(`${runs} runs, ${replacements()} kills, memory × ${growth.toFixed(2)}`);
});

/** Runs that are nobody's neighbours: each must be right. */
async function runCalm(): Promise<void> {
  (await runAll([...pick(PEST_BLOCKS, 3), ...pick(HONEST_BLOCKS, 6)])).forEach(expectRight);
}

/** How often the sandbox's process was replaced. */
function replacements(): number {
  return codeforge.logs.filter((line) => line.includes("[sandbox] replaced")).length;
}

it("no value is in an answer, a log, the history or a stored file, and no process is left", async () => {
  const read = async (uri: string): Promise<string> => JSON.stringify(await clients[0]!.readResource({ uri }));
  const list = await read("codeforge://runs");
  const uris = list.match(/codeforge:\/\/runs\/[0-9a-f-]{36}/g) ?? [];
  expect(uris).toHaveLength(100);
  const texts = await Promise.all(uris.map(read));
  expect(texts.join()).toContain("with ECHO_TOKEN");
  assertNoCanary(SECRETS, { texts, received, logs: codeforge.logs }, codeforge.dir);
  expect(upstream.seen.some(({ headers }) => headers.authorization === `Bearer ${SECRETS.ECHO_TOKEN}`)).toBe(true);
  expect(upstream.seen.some(({ url }) => url === "/late")).toBe(false);

  const left = runtimes();
  await Promise.all(clients.map((client) => client.close()));
  await codeforge.stop();
  expect(left.filter(isAlive)).toEqual([]);
});

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

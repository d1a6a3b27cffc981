/**
 * `npm run bench:proxy:memory`: how much the process of server and proxy grows while 1 GiB streams through one fetch of
 * a run with 50 secrets in scope. It reads `/proc`, so it runs on Linux only. The bar: 64 MiB above a server that is idle
 * after some work. One that has just started grows by more, at whatever it does first: V8 collects nothing before its
 * heap has reached a certain size. `-- --fresh` measures that.
 */
import { createServer } from "node:http";
import { platform } from "node:os";

import { connectMcp, createSecrets } from "../helpers/setup.ts";
import { fixed, printLoad, printTable } from "../helpers/figures.ts";
import { descendants, listensOn, residentMiB } from "../../test/helpers/process.ts";
import { startTestStack } from "../../test/helpers/stack.ts";

const TOTAL_BYTES = 1024 ** 3;
const CHUNK = Buffer.from(JSON.stringify({ text: "The quick brown fox jumps over the dog. ".repeat(1_638) }));
const SMALL_BYTES = 2_048;
/** Requests of some work: blocks, and small requests of each. */
const WORK = process.argv.includes("--fresh") ? { blocks: 0, requests: 0 } : { blocks: 4, requests: 900 };
const SAMPLE_MS = 50;
const MAX_GROWTH_MIB = 64;

if (platform() !== "linux") throw new Error("this measurement reads /proc: it runs on Linux only");

const LENGTHS: Readonly<Record<string, number>> = { "/small": SMALL_BYTES, "/chunk": CHUNK.length };
const upstream = createServer(({ url }, response) => {
  let left = LENGTHS[url ?? ""] ?? TOTAL_BYTES;
  const send = (): void => {
    while (left > 0) {
      const chunk = CHUNK.subarray(0, left);
      left -= chunk.length;
      if (!response.write(chunk)) return;
    }
    response.end();
  };
  response.writeHead(200, { "content-type": "application/json" });
  response.on("drain", send);
  send();
});
await new Promise<void>((done) => {
  upstream.listen(0, "127.0.0.1", done);
});
const address = upstream.address();
if (address === null || typeof address === "string") throw new Error("no port was assigned");
const origin = `http://127.0.0.1:${address.port}`;

const secrets = createSecrets("FIFTY", 50);
const api = { description: "1 GiB", domains: [origin], credentials: Object.keys(secrets) };
const stack = await startTestStack({ connect: false, apis: { big: api }, vars: secrets });
const mcp = await connectMcp(stack.url);
try {
  await measure();
} finally {
  await mcp.close();
  await stack.stop();
  upstream.closeAllConnections();
  upstream.close();
}

async function measure(): Promise<void> {
  const pid = findServer(stack.url.port);
  // What the first request builds stays: the tables of the 50 secrets, compiled code.
  await mcp.run(`return (await (await fetch("${origin}/chunk")).text()).length`);
  await wait(2_000);
  const started = residentMiB(pid);
  for (let block = 0; block < WORK.blocks; block++) {
    await mcp.run(`for (let i = 0; i < ${WORK.requests}; i++) await (await fetch("${origin}/small")).text();`);
  }
  await wait(2_000);
  const idle = residentMiB(pid);
  let peak = idle;
  const timer = setInterval(() => {
    peak = Math.max(peak, residentMiB(pid));
  }, SAMPLE_MS);
  const begun = performance.now();
  const answer = await mcp.run(`const response = await fetch("${origin}/");
let bytes = 0;
for await (const chunk of response.body) bytes += chunk.byteLength;
return bytes;`);
  const seconds = (performance.now() - begun) / 1_000;
  clearInterval(timer);
  if (!answer.includes(String(TOTAL_BYTES))) throw new Error(`not everything came through: ${answer}`);
  await wait(2_000);
  const grown = peak - idle;
  printTable(
    ["server and proxy, resident", "MiB"],
    [
      ["started, after one request", fixed(started, 1)],
      [`idle, after ${WORK.blocks * WORK.requests} small ones`, fixed(idle, 1)],
      ["peak while 1 GiB streams", fixed(peak, 1)],
      ["2 s after", fixed(residentMiB(pid), 1)],
      ["growth", fixed(grown, 1)],
    ],
  );
  console.log(
    `${fixed(1_024 / seconds, 0)} MiB/s; the bar is ${MAX_GROWTH_MIB} MiB: ${grown <= MAX_GROWTH_MIB ? "kept" : "MISSED"}`,
  );
  printLoad();
}

/** The workerd that listens on the server's port. */
function findServer(port: string): number {
  const pid = descendants(process.pid).find((each) => listensOn(each, Number(port)));
  if (pid === undefined) throw new Error("the process of the server was not found");
  return pid;
}

function wait(ms: number): Promise<void> {
  return new Promise((done) => {
    setTimeout(done, ms);
  });
}

/** Blocks that cost the sandbox its process: they never yield, or take memory for ever. */
import type { SoakBlock } from "./blocks.ts";

const ENDED = /timeout of \d+ ms|CPU limit|sandbox was restarted|more memory than/;

/** Blocks that never give the processor back, and how long they get. */
const LOOPS: Readonly<Record<string, string>> = {
  "an endless loop": "while (true) {}",
  "an endless loop that catches": "for (;;) { try { while (true) {} } catch {} }",
  "loops within a label": "outer: do { for (;;) continue outer; } while (true)",
  "a chain of microtasks": "const f = () => Promise.resolve().then(f); f(); await new Promise(() => {})",
  "awaits of nothing": "for (;;) await null",
  "a generator": "function* all() { for (;;) yield 1 } for (const _ of all()) {}",
  "an asynchronous generator": "async function* all() { for (;;) yield 1 } for await (const _ of all()) {}",
  "recursion that catches": "const a = () => b(), b = () => { try { a() } catch {} try { a() } catch {} }; a()",
  "a regular expression": `/^(a+)+$/.test("a".repeat(40) + "b")`,
  "a comparison": "[1, 2].sort(() => { for (;;) {} })",
  "the conversion of a result": "return { toJSON() { for (;;) {} } }",
  "a getter in a result": "return { get x() { for (;;) {} } }",
  "a getter in a log": "console.log({ get x() { for (;;) {} } })",
  "a thenable": "return { then() { for (;;) {} } }",
  "a proxy of everything": "return new Proxy({}, { ownKeys() { for (;;) {} } })",
  "a timer": "setTimeout(() => { for (;;) {} }); await new Promise(() => {})",
  "the making of a class": "class A { static { for (;;) {} } }",
  "a stream without end":
    "await new Response(new ReadableStream({ pull: (to) => to.enqueue(new Uint8Array(1)) })).bytes()",
  "large numbers": "for (let x = 3n; ; ) x = (x * x) % 10n ** 100_000n",
  "logs without end": `for (;;) console.log("x".repeat(100))`,
  "requests without a pause": "for (;;) fetch(ORIGIN).catch(() => {})",
};

/** Blocks that take memory for ever. */
const BOMBS: Readonly<Record<string, string>> = {
  "a list": "for (const all = []; ; ) all.push(new Array(1_000).fill(all.length))",
  "a map": "const all = new Map(); for (let n = 0; ; n++) all.set(n, { n })",
  bytes: "for (const all = []; ; ) all.push(new Uint8Array(10_000_000).fill(1))",
  "recursion that waits": "const a = async () => { await null; await a() }; await a()",
  "a generator, spread": "function* all() { for (let n = 0; ; n++) yield n } return [...all()].length",
};

/** Every one of them. Each logs its number, and sends it, before it begins. */
export const KILLERS: readonly SoakBlock[] = [
  ...Object.entries(LOOPS).map(([name, code]) => toKiller(name, code, 800)),
  // Longer than the CPU limit: here it is the watch over the process that ends it.
  toKiller("an endless loop with much time", "while (true) {}", 20_000),
  ...Object.entries(BOMBS).map(([name, code]) => toKiller(`memory: ${name}`, code, 1_500)),
];

function toKiller(name: string, code: string, timeoutMs: number): SoakBlock {
  return {
    name,
    code: (n, origin) => `const ORIGIN = "${origin}";
console.log("killer ${n}");
await fetch(ORIGIN + "/killer/${n}", { method: "POST" });
// What was logged needs a moment to leave, in which the process is not frozen.
await scheduler.wait(50);
${code}`,
    timeoutMs,
    // What had been logged and sent is told, whatever became of the process.
    answer: new RegExp(
      `^(?=[^]*(?:${ENDED.source}))(?=[^]*^killer <n>$)(?=[^]*^POST .*/killer/<n> → (?:200|no answer))`,
      "m",
    ),
    isError: true,
  };
}

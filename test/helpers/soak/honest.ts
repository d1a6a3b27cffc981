/** Honest blocks: each does what agents do, and has one right answer, in which its number stands. */
import type { SoakBlock } from "./blocks.ts";

const HEADERS = `headers: { Authorization: "Bearer ECHO_TOKEN" }`;

type Honest = readonly [name: string, code: (n: number, origin: string) => string, answer: RegExp, isError?: "error"];

const HONEST: readonly Honest[] = [
  [
    "computing",
    (n) => `let sum = 0; for (let i = 0; i < 100_000; i++) sum += i; return [${n}, sum]`,
    /^\[<n>,4999950000\]$/,
  ],
  [
    "reading with a credential",
    (n, origin) => `const echoed = await (await fetch("${origin}/read/${n}", { ${HEADERS} })).json();
return [echoed.url, echoed.headers.authorization]`,
    /^\["\/read\/<n>","Bearer ECHO_TOKEN"\]\n\n1 request, \d+ ms$/,
  ],
  [
    "writing",
    (n, origin) => `const response = await fetch("${origin}/write/${n}", { method: "POST", body: "${n}", ${HEADERS} });
return (await response.json()).body`,
    /^<n>\n\n1 request, 1 write, \d+ ms\nPOST [^ ]+\/write\/<n> → 200$/,
  ],
  [
    "many requests at once",
    (n, origin) => `const paths = Array.from({ length: 20 }, (_, i) => "/many/${n}/" + i);
const all = await Promise.all(paths.map(async (path) => (await (await fetch("${origin}" + path)).json()).url));
return all.every((url, i) => url === paths[i]) ? ${n} : all`,
    /^<n>\n\n20 requests, \d+ ms$/,
  ],
  [
    "logging",
    (n) => `console.log("before", { n: ${n} }); console.error("after"); return ${n}`,
    /^<n>\n\nbefore \{.*<n>.*\}\n\[error\] after$/,
  ],
  ["failing", (n) => `const rows = [];\nreturn rows[${n}].name`, /^TypeError: [^]*at line 2:\d+/, "error"],
  ["waiting", (n) => `await new Promise((done) => setTimeout(done, 100)); return ${n}`, /^<n>$/],
  [
    "returning much",
    (n) => `return Array.from({ length: 5_000 }, (_, id) => ({ id, name: "row ${n}" }))`,
    /^\[\{"id":0,"name":"row <n>"\}[^]*The whole is kept until/,
  ],
];

export const HONEST_BLOCKS: readonly SoakBlock[] = HONEST.map(([name, code, answer, isError]) => ({
  name,
  code,
  timeoutMs: 20_000,
  answer,
  isError: isError === "error",
}));

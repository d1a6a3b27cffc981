import { describe, expect, test } from "vitest";

import { compile, type Runnable } from "../../sandbox-worker/compile/compile.ts";

const CREDENTIALS = ["STRIPE_AUTH_TOKEN", "GITHUB_TOKEN"];

function compiled(code: string): Runnable {
  const result = compile(code, { credentials: CREDENTIALS });
  if (!result.ok) throw new Error(`${result.message}\n${result.position?.frame ?? ""}`);
  return result;
}

/** Runs a block; `check` is what its loops and functions ask. */
async function run(code: string, check = "() => 3"): Promise<unknown> {
  const module = (await import(/* @vite-ignore */ toUrl(compiled(code), check))) as { default(): Promise<unknown> };
  return module.default();
}

function toUrl({ code }: Runnable, check: string): string {
  const codeforge = "data:text/javascript,export const progress = () => undefined;";
  const clock = `data:text/javascript,let looks = 0; export const check = ${check};`;
  const linked = code.replaceAll('"codeforge"', `"${codeforge}"`).replaceAll('"./clock.js"', `"${clock}"`);
  return `data:text/javascript,${encodeURIComponent(linked)}`;
}

const FENCE = "```";

/** What a model may send, and what the block answers. */
const FORMS: Record<string, [code: string, answer: unknown][]> = {
  "a script": [
    ["return 6 * 7", 42],
    ["return await Promise.resolve(1)", 1],
    ["const a = await Promise.resolve(2);\nreturn a + 1;", 3],
    ["for (const n of [1, 2, 3]) {\n  if (n === 2) return n;\n}", 2],
    ["if (true) return 'early';\n'late'", "early"],
    ["let total = 0;\nfor await (const n of [1, 2]) total += n;\nreturn total;", 3],
    ["console.assert(true)", undefined],
    ["// nothing but a comment", undefined],
    ["var x = 1; var x = 2; return x", 2],
    ["outer: for (;;) { for (;;) break outer; }\nreturn 'out'", "out"],
    ["return\n", undefined],
    ["let n = 0;\nwhile (n < 5_000) n++;\nreturn n", 5_000],
    ["let n = 0;\ndo n += 2; while (n < 9)\nreturn n", 10],
    ["const turn = [];\nfor (const key in { a: 1, b: 2 }) turn.push(key);\nreturn turn", ["a", "b"]],
    ["for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) if (i * j === 2) return [i, j]", [1, 2]],
    ["return `a ${1 + 1} b`", "a 2 b"],
  ],
  "a last expression": [
    ["6 * 7", 42],
    ["const a = 1;\na + 1", 2],
    ["const a = 1;\na + 1;", 2],
    ["const a = 1;\na + 1; // the answer", 2],
    ["const a = 1;\na + 1\n/* done */\n", 2],
    ["'hello'", "hello"],
    ["`template`", "template"],
    ["[1, 2].map((n) => n * 2)", [2, 4]],
    ["await Promise.resolve('awaited')", "awaited"],
    ["Promise.resolve('not awaited')", "not awaited"],
    ["(1, 2)", 2],
    ["true ? 'yes' : 'no'", "yes"],
    ["const total = 5;\ntotal;;", 5],
    ["let n = 1;\nn = n + 4", 5],
    ["new Map([[1, 2]]).get(1)", 2],
    ["const s = 'x'\ns.length\nfunction unused() {}", 1],
    ["if (1 < 2) { 'less' } else { 'more' }", "less"],
    ["try { JSON.parse('{}') ; 'parsed' } catch (error) { error.message }", "parsed"],
    ["try { JSON.parse('{') ; 'parsed' } catch (error) { error.name }", "SyntaxError"],
    ["/a(b)/.exec('ab')[1]", "b"],
  ],
  "an object at the end": [
    ["({ a: 1 })", { a: 1 }],
    ["{ a: 1, b: 2 }", { a: 1, b: 2 }],
    ["{ a: 1 }", { a: 1 }],
    ["const a = 1, b = 2;\n{ a, b }", { a: 1, b: 2 }],
    ["const a = 1;\n{ a }", { a: 1 }],
    ["const list = [1];\n{ list, count: list.length };", { list: [1], count: 1 }],
    ["{\n  url: 'http://example.test',\n  n: 1,\n}", { url: "http://example.test", n: 1 }],
    ["{ a: 1, b: 2 } // the answer", { a: 1, b: 2 }],
    ["{ 'quoted-key': 1 }", { "quoted-key": 1 }],
    ["const o = { a: 1 };\n{ ...o, b: 2 }", { a: 1, b: 2 }],
  ],
  "a last declaration": [
    ["const y = 5", 5],
    ["const x: number = 1;", 1],
    ["let z = await Promise.resolve('z');", "z"],
    ["const { a, b } = { a: 1, b: 2 };", { a: 1, b: 2 }],
    ["const { a } = { a: 1 };", 1],
    ["const [first, ...rest] = [1, 2, 3];", { first: 1, rest: [2, 3] }],
    ["const a = 1, b = 2;", 2],
    ["export const answer = 42;", 42],
    ["const { a: { b: deep = 3 } } = { a: {} };", 3],
    ["var v = [1]", [1]],
  ],
  "one function that is the program": [
    ["async () => { return 5 };", 5],
    ["async () => 5", 5],
    ["() => ({ a: 1 })", { a: 1 }],
    ["async function () { return 5 }", 5],
    ["function () { return 5 };", 5],
    ["async function () {\n  return 5\n} // done", 5],
    ["(async () => { return 4 })();", 4],
    ["(async () => { return 4 })()\n// done\n", 4],
    ["(async function main() { return 3 }())", 3],
    ["(() => 7)", 7],
    ["async function main() { return 9 }", 9],
    ["function run() { return 8 }", 8],
    ["const main = async () => 6;", 6],
    ["export async function handler() { return 2 }", 2],
    ["const BASE = 'b';\nasync function fetchAll() { return BASE }", "b"],
    ["function helper() { return 1 }\nasync function work() { return helper() + 1 }", 2],
    ["const helper = () => 1;\nconst work = async () => helper() + 2;", 3],
    ["class Client { get() { return 'got' } }\nasync function main() { return new Client().get() }", "got"],
  ],
  "helpers and a call": [
    ["function one() { return 1 }\nfunction two() { return one() + 1 }\ntwo()", 2],
    ["const main = async () => 8;\nmain();", 8],
    ["async function main() { return 1 }\nawait main();", 1],
    ["main();\nasync function main() { return 3 }", 3],
    ["async function main() { return 3 }\nvoid main();", 3],
    ["async function main() { throw new Error('x') }\nmain().catch((error) => error.message);", "x"],
    ["const f = async () => 2;\nf().then((n) => n + 1)", 3],
    ["async function main() { return 5 }\nif (import.meta.main) {\n  return await main();\n}", 5],
    ["function* count() { yield 1; yield 2 }\n[...count()]", [1, 2]],
  ],
  "a default export": [
    ["export default async function () { return 1 }", 1],
    ["export default async function main() { return helper() }\nfunction helper() { return 2 }", 2],
    ["export default () => 7", 7],
    ["export default async () => {\n  return 7\n};", 7],
    ["export default (async () => 6)", 6],
    ["export default { a: 1 }", { a: 1 }],
    ["export default await Promise.resolve(3)", 3],
    ["const main = async () => 4;\nexport default main;", 4],
    ["const main = () => 4;\nexport { main as default };", 4],
    ["export default function () { return 1 }\n['x'].length", 1],
    ["let calls = 0;\nasync function main() { return ++calls }\nexport default main;\nmain();", 1],
    [
      "let calls = 0;\nasync function main() { return ++calls }\nexport default main;\n(async () => await main())();",
      1,
    ],
  ],
  TypeScript: [
    ["enum Color { Red = 3, Blue }\nColor.Blue", 4],
    ["const enum Level { Low = 'low' }\nLevel.Low", "low"],
    ["export enum E { A }\nE.A", 0],
    ["const o = { a: 1 } satisfies Record<string, number>;\no.a", 1],
    ["const t = ['a', 1] as const;\nt[0]", "a"],
    ["const id = <T,>(x: T): T => x;\nid<number>(5)", 5],
    [
      "function first<T extends { id: number }>(list: T[]): T | undefined { return list[0] }\nfirst([{ id: 1 }])?.id",
      1,
    ],
    ["interface A { b: number }\ntype C = A | null;\nconst c: C = { b: 2 };\nc!.b", 2],
    ["class P { constructor(private readonly x: number = 4) {} get() { return this.x } }\nnew P().get()", 4],
    [
      "abstract class S { abstract area(): number; twice() { return this.area() * 2 } }\nclass Q extends S { override area(): number { return 2 } }\nnew Q().twice()",
      4,
    ],
    ["function f(x: string): string;\nfunction f(x: number): number;\nfunction f(x: any) { return x }\nf(3)", 3],
    ["declare const process: any;\ndeclare namespace N { const x: number }\ntypeof N", "undefined"],
    [
      "import type { Foo } from './types';\nimport { type Bar } from 'bar';\nlet x!: Foo;\nx = 1 as unknown as Foo;\nx",
      1,
    ],
    ["export type { X } from './x';\nexport interface Y { a: 1 }\n2", 2],
    ["const f = function (this: void, ...rest: number[]): asserts rest is [1] { };\n1", 1],
    ["type M<T> = { [K in keyof T]?: T[K] extends infer U ? U : never };\nconst m: M<{ a: 1 }> = {};\nm", {}],
    ["let value = <any>5;\nvalue", 5],
    [
      "class G<T> { #v: T; static n = 1; constructor(v: T) { this.#v = v } get v(): T { return this.#v } }\nnew G<string>('g').v",
      "g",
    ],
    ["const n: number | undefined = [1].at(0);\n(n as number) + 1", 2],
  ],
  imports: [
    ['import { progress } from "codeforge";\ntypeof progress', "function"],
    ['import * as forge from "codeforge";\ntypeof forge.progress', "function"],
    ['import { join } from "node:path";\njoin("a", "b")', "a/b"],
    ['import fs from "fs";\ntypeof fs.readFileSync', "function"],
    ['import path, { join as j } from "path";\nj("a", path.basename("x/y"))', "a/y"],
    [
      'import {\n  createHash,\n  // the other one\n  randomUUID,\n} from "node:crypto";\n[typeof createHash, typeof randomUUID]',
      ["function", "function"],
    ],
    ['const { join } = await import("node:path");\njoin("a", "b")', "a/b"],
    ['(await import("path")).basename("a/b")', "b"],
    ['const a = 1;\nimport { basename } from "node:path";\nbasename("x/y") + a', "y1"],
    ['import "node:buffer";\n1', 1],
  ],
  "text round the code": [
    [`Here is the code:\n\n${FENCE}ts\nconst x: number = 5;\nx * 2\n${FENCE}\n\nThat's it!`, 10],
    [`${FENCE}typescript\nreturn 1\n${FENCE}`, 1],
    [`${FENCE}\nreturn 2\n${FENCE}`, 2],
    [`${FENCE}js\nreturn 3`, 3],
    [`Sure, let's go.\r\n${FENCE}javascript\r\nconst a = 1;\r\na + 1\r\n${FENCE}\r\n`, 2],
    [`First:\n${FENCE}ts\nconst a = 1;\n${FENCE}\nthen:\n${FENCE}ts\na + 1\n${FENCE}`, 2],
    [`Install:\n${FENCE}bash\nnpm install\n${FENCE}\nand run:\n${FENCE}ts\n4\n${FENCE}`, 4],
    [`  ${FENCE}ts title="a.ts"\n  return 5\n  ${FENCE}`, 5],
    [`It answers JSON:\n${FENCE}json\n{ "a": 1 }\n${FENCE}\n${FENCE}ts\n6\n${FENCE}`, 6],
    [`Four backticks:\n${FENCE}\`ts\nreturn 7\n${FENCE}\``, 7],
    ["\uFEFFreturn 8", 8],
    ["#!/usr/bin/env -S deno run\nreturn 9", 9],
    ["\uFEFF#!/usr/bin/env node\n10", 10],
    ["const a = 1;\r\nconst b = 2;\r\na + b\r\n", 3],
    ["const md = '```ts';\nmd.length", 5],
    ["\n\n\n   return 11   \n\n", 11],
  ],
};

describe.each(Object.entries(FORMS))("%s", (_, rows) => {
  test.each(rows)("runs %j", async (code, answer) => {
    expect(await run(code)).toEqual(answer);
  });
});

/** What cannot run: the words that matter, and where they point. */
const REFUSED: Record<string, [code: string, message: RegExp, line: number, column: number][]> = {
  syntax: [
    ["const x: number = 1;\n\nconst = 5", /Unexpected token/, 3, 7],
    ["return foo(", /Unexpected token/, 1, 12],
    ["let a = 1;\nlet a = 2;", /already been declared/, 2, 5],
    ["type A = { x: number };\nconst y = (x as A).;", /Unexpected token/, 2, 20],
    ["const s = `never closed", /Unterminated template/, 1, 12],
    ["break;", /break/, 1, 1],
    ["const t: string = 'ü';  let é = ;", /Unexpected token/, 1, 33],
    ["\tconst = 5", /Unexpected token/, 1, 8],
    ["this is prose, not code", /Unexpected|expected/, 1, 6],
    [`Look:\n${FENCE}ts\nconst ok = 1;\nconst = 5\n${FENCE}`, /Unexpected token/, 4, 7],
    ["const a: number = 1;\r\nconst b: string = ;\r\n", /Unexpected token/, 2, 19],
    ["enum E { A = 1, }\nconst x: Array<number> = [1, 2;\n", /Unexpected token/, 2, 31],
    ["})(); } } class X {", /Unexpected token/, 1, 1],
    ["export default async function () { }\nexport default 5", /Duplicate export/, 2, 8],
  ],
  "what TypeScript has and JavaScript has not": [
    ["namespace A { export const x = 1 }\nA.x", /"namespace" cannot run here/, 1, 1],
    ["const a = 1;\nexport namespace B.C { }", /"namespace" cannot run here/, 2, 8],
    ["module M { }", /"module" cannot run here/, 1, 1],
    ["const a = <div>hi</div>", /JSX cannot run here/, 1, 11],
    ["const App = () => {\n  return <App x={1} />;\n};", /JSX cannot run here/, 2, 10],
    ["const f = (<><b>x</b></>);", /JSX cannot run here/, 1, 12],
    ["@sealed class A {}", /Decorators cannot run here/, 1, 1],
    ["class A {\n  @log method() {}\n}", /Decorators cannot run here/, 2, 3],
  ],
  imports: [
    ['import x from "lodash"', /"lodash" cannot be imported: no packages.*codeforge.*node:crypto/, 1, 15],
    ['const a = 1;\nimport { z } from "npm:zod"', /no code is loaded from outside/, 2, 19],
    ['import _ from "jsr:@std/path"', /no code is loaded from outside/, 1, 15],
    ['import x from "https://esm.sh/lodash"', /no code is loaded from outside/, 1, 15],
    ['await import("https://x.test/y.js")', /no code is loaded from outside/, 1, 14],
    ['import x from "./other.ts"', /the block is the only file/, 1, 15],
    ['import net from "node:net"', /"node:net" does not exist here/, 1, 17],
    ['import { env } from "cloudflare:workers"', /does not exist here/, 1, 21],
    ['import "./harness.js"', /the block is the only file/, 1, 8],
    ["const m = './main.js';\nawait import(m)", /takes a literal/, 2, 7],
    ['export * from "lodash"', /cannot be imported/, 1, 15],
    ['export { a } from "./a"', /cannot be imported/, 1, 19],
    ['import { skill } from "codeforge"', /has no skill: write import \{ progress/, 1, 10],
    ['import codeforge from "codeforge"', /no default export/, 1, 8],
    ["const fs = require('fs')", /write import \* as fs from "node:fs"/, 1, 12],
    ["const { readFile } = require('node:fs/promises')", /import \* as fsPromises from "node:fs\/promises"/, 1, 22],
    ["require(name)", /require\(\) does not exist here/, 1, 1],
    ["new WebSocket('wss://a.example')", /WebSocket does not leave this sandbox: ask again with fetch/, 1, 1],
    ["const _ = require('lodash')", /no packages are installed/, 1, 11],
  ],
  "names of credentials": [
    ["fetch(u, { headers: { a: STRIPE_AUTH_TOKEN } })", /as a string, "STRIPE_AUTH_TOKEN"/, 1, 26],
    ["const h = `Bearer ${GITHUB_TOKEN}`", /as a string, "GITHUB_TOKEN"/, 1, 21],
    ["const o = { GITHUB_TOKEN }", /as a string/, 1, 13],
    ["console.log(GITHUB_TOKEN)", /as a string/, 1, 13],
    ["const token: string = env.GITHUB_TOKEN;", /as a string/, 1, 23],
    ["import.meta.env.GITHUB_TOKEN", /as a string/, 1, 1],
    ["const auth = btoa(STRIPE_AUTH_TOKEN + ':')", /as a string/, 1, 19],
  ],
  "other runtimes": [
    ["const t = await Deno.readTextFile('x')", /Deno\.readTextFile does not exist here: use node:fs/, 1, 17],
    ["Deno.serve(() => new Response())", /nothing can listen here/, 1, 1],
    ["Deno['exit'](1)", /use return/, 1, 1],
    ["Deno.cron('x', '* * * * *', () => {})", /Deno\.cron does not exist here/, 1, 1],
    ["await Bun.sleep(5)", /setTimeout/, 1, 7],
    ["Bun.file('x')", /node:fs/, 1, 1],
    ["module.exports = async () => 1", /not a CommonJS module/, 1, 1],
    ["exports.run = 1", /not a CommonJS module/, 1, 1],
    ["export default { async fetch(request) { return new Response() } }", /not a Worker/, 1, 16],
  ],
};

describe.each(Object.entries(REFUSED))("%s", (_, rows) => {
  test.each(rows)("refuses %j", (code, message, line, column) => {
    const result = compile(code, { credentials: CREDENTIALS });
    expect(result).toMatchObject({ ok: false, position: { line, column } });
    expect(result.ok ? "" : result.message).toMatch(message);
  });
});

test.each(["", " \n\t", "\uFEFF", "#!/bin/deno"])("says that %j is empty", (code) => {
  expect(compile(code)).toEqual({ ok: false, message: "the code is empty", position: null });
});

test("shows the line with a caret, tabs kept", () => {
  const result = compile("const ok = 1;\n\tconst = 5");
  expect(result).toMatchObject({ position: { frame: "2 | \tconst = 5\n  | \t      ^" } });
});

test("shows only the part of a long line that matters", () => {
  const result = compile(`const a = "${"x".repeat(500)}"; const = 5`);
  const frame = result.ok ? "" : (result.position?.frame ?? "");
  const [line = "", caret = ""] = frame.split("\n");
  expect(line.length).toBeLessThan(140);
  expect(line[caret.indexOf("^")]).toBe("=");
});

/** Names that look like habits and are the block's own, or exist here. */
test.each([
  "const GITHUB_TOKEN = 'GITHUB_TOKEN'; GITHUB_TOKEN",
  "function f(GITHUB_TOKEN) { return GITHUB_TOKEN }\nf(1)",
  "const o = { GITHUB_TOKEN: 'GITHUB_TOKEN' }; o.GITHUB_TOKEN",
  "process.env.GITHUB_TOKEN",
  "Deno.env.get('GITHUB_TOKEN')",
  "Bun.env.GITHUB_TOKEN",
  "const Deno = { readFile: () => 1 }; Deno.readFile()",
  "const env = { GITHUB_TOKEN: 1 }; env.GITHUB_TOKEN",
  "const require = (x) => x; require('lodash')",
  "class WebSocket {}; new WebSocket()",
  "const module = { exports: 1 }; module.exports",
  "const a = { require: 1, Deno: 2 }; a.require + a.Deno",
  "// namespace A { }\n'module X { }'",
  "const namespace = 1; namespace\n{ }",
  "const html = '<div>hi</div>'; html",
  "typeof Deno === 'undefined'",
])("accepts %j", (code) => {
  expect(compile(code, { credentials: CREDENTIALS })).toMatchObject({ ok: true });
});

/** Where a failing run points to in the text as it arrived. */
test.each<[code: string, line: number, column: number]>([
  ["const x = 1;\nconst y = 2;\n\ninterface A { b: number }\nconst z = (undefined as any).foo;", 5, 30],
  ["null.x", 1, 6],
  ["type T = {\n  a: 1;\n};\nconst t: T | null = null;\nt!.a", 5, 4],
  ["async () => {\n  const a: number = 1;\n  null.boom;\n};", 3, 8],
  ["export default async function (): Promise<void> {\n\n  null.boom;\n}", 3, 8],
  [`Prose first.\n\n${FENCE}ts\nconst a: string = 'x';\nnull.boom\n${FENCE}`, 5, 6],
  ["import { join } from 'node:path';\nimport type { X } from 'y';\nconst s: string = join('a');\n  null.boom", 4, 8],
  ["async function () {\n  return null.boom\n}", 2, 15],
  ["enum E {\n  A,\n  B,\n}\nconst e: E = E.A; null.boom", 5, 24],
  ["const a = <T,>(x: T) => x; const b: number = 5; null.boom", 1, 54],
  ["class P {\n  constructor(private x: number) {\n    null.boom;\n  }\n}\nnew P(1)", 3, 10],
  ["const f = (): number => {\r\n  return (null as any).boom\r\n};\r\nf()", 2, 24],
  ["{ a: 1, b: null.boom }", 1, 17],
])("finds where %j fails", async (code, line, column) => {
  const block = compiled(code);
  const error = await run(code).catch((error: unknown) => error as Error);
  const frame = /^\s+at .*data:text\/javascript.*?:(\d+):(\d+)\)?$/m.exec(String((error as Error).stack));
  expect(block.locate(Number(frame?.[1]), Number(frame?.[2]))).toMatchObject({ line, column });
});

test("keeps every line of the code where it was", () => {
  const code =
    "import {\n  join,\n} from 'node:path';\n\nexport const a: number = 1;\nenum E {\n  A,\n}\nreturn join('x')";
  const lines = compiled(code).code.split("\n");
  expect(lines[8]).toContain("return join('x')");
});

test("points at the import for what the runtime says of it", () => {
  const block = compiled("const a = 1;\nimport { nope } from 'node:fs';\nreturn nope");
  const line = block.code.split("\n").findIndex((text) => text.startsWith("import")) + 1;
  expect(block.locate(line, 10)).toMatchObject({ line: 2, column: 22 });
});

describe("hostile text takes no time to refuse", () => {
  const n = 100_000;
  test.each([
    ["slashes before a mistake", `${"/".repeat(n)}\nconst = 5`],
    ["lines of slashes before a mistake", `${`${"/".repeat(60)}\n`.repeat(1000)}const = 5`],
    ["a fence of spaces", `${FENCE}${" ".repeat(n)}\`\nconst = 5`],
    ["a function of spaces", `function${" ".repeat(n)}x`],
    ["spaces at the end", `const = 5${" ".repeat(n)}x`],
    ["namespaces in a comment", `/*${"namespace x { }\n".repeat(5000)}*/ const = 5`],
    ["open parentheses", "(".repeat(n)],
    ["a long sum", `const = ${"a+".repeat(n)}a`],
    ["deep arrays", "[".repeat(n) + "]".repeat(n)],
    ["many braces", "{\n".repeat(n)],
  ])("%s", (_, code) => {
    expect(compile(code)).toMatchObject({ ok: false });
  });

  test("and what can run is compiled however long it is", () => {
    expect(compile(`return ${"a+".repeat(500)}a`)).toMatchObject({ ok: true });
    expect(compile(`const a = ${JSON.stringify("x".repeat(500_000))};\nreturn a.length`)).toMatchObject({ ok: true });
    expect(compile(`/*${"namespace x { }\n".repeat(5000)}*/ return 5`)).toMatchObject({ ok: true });
  });
});

describe("the guard", () => {
  const UP = "() => { if (++looks > 50) throw new Error('time is up'); return 3 }";

  test.each([
    ["while (true) {}"],
    ["while (true);"],
    ["for (;;) {}"],
    ["for (;;);"],
    ["do {} while (true)"],
    ["do ; while (true)"],
    ["for (;;) { try { while (true) {} } catch {} }"],
    ["for (;;) { try { while (true) {} } finally { continue } }"],
    [
      "const all = { [Symbol.iterator]: () => ({ next: () => ({ value: 1, done: false }) }) }; for (const one of all) {}",
    ],
    ["return [...{ [Symbol.iterator]: () => ({ next: () => ({ value: 1, done: false }) }) }]"],
    ["function* all() { while (true) yield 1 }\nreturn [...all()].length"],
    ["function* all() { yield 1; yield* all() }\nfor (const one of all()) {}"],
    ["const both = (n) => n === 0 ? 1 : both(n - 1) + both(n - 1); return both(60)"],
    ["function a(n) { if (n > 0) { b(n - 1); b(n - 1) } } function b(n) { if (n > 0) { a(n - 1); a(n - 1) } } a(60)"],
    [
      "const o = { n: 60, get down() { if (this.n === 0) return 0; this.n--; this.down; this.down; this.n++ } }; o.down",
    ],
    ["class C { m(n) { return n === 0 ? 0 : this.m(n - 1) + this.m(n - 1) } } return new C().m(60)"],
    ["class C { constructor(n) { if (n > 0) { new C(n - 1); new C(n - 1) } } } new C(60)"],
    ["const f = () => { try { f() } catch {} try { f() } catch {} }; f()"],
    ["const f = () => Promise.resolve().then(f); await f()"],
    ["const f = async () => { await null; return f() }; await f()"],
    ["let n = 0; await (async () => { while (true) await n++ })()"],
    ["const grow = []; while (grow.push(0));"],
    ["return Array.from({ length: 4e9 }, (_, index) => index)"],
  ])("ends %s", async (code) => {
    await expect(run(code, UP)).rejects.toThrow("time is up");
  });

  test("leaves what a function means, and where everything is", async () => {
    const code = `
      const object = (a) => ({ a }), comma = (a) => (a++, a), curried = (a) => (b) => async (c) => await (a + b + c);
      class C { static #n = 1; static get n() { return C.#n } *[Symbol.iterator]() { yield 5 } }
      label: for (const k in { x: 1 }) for (const v of new C()) { if (v) break label; }
      return [object(1), comma(1), await curried(1)(2)(3), C.n, [...new C()], ((...all) => all.length)(1, 2)];`;
    expect(await run(code)).toEqual([{ a: 1 }, 2, 6, 1, [5], 2]);
    const failing = "const f = (a) => a.b.c;\nfor (const x of [1]) f(x), nowhere();";
    const error = (await run(failing).catch((thrown: unknown) => thrown)) as Error;
    const [, line, column] = /:(\d+):(\d+)\)?\n/.exec(error.stack ?? "") ?? [];
    expect(compiled(failing).locate(Number(line), Number(column))).toMatchObject({ line: 1, column: 22 });
  });

  test("is not there where it is not wanted", () => {
    const code = "for (;;) {}\nconst f = () => 1;";
    const result = compile(code, { isGuarded: false });
    expect(result.ok && result.code).not.toContain("clock.js");
    expect(compiled(code).code).toContain("clock.js");
  });
});

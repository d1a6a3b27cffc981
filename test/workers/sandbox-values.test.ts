import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { startSandboxWithUpstream, toText, type SandboxHost } from "./sandbox-host.ts";

let host: Awaited<ReturnType<typeof startSandboxWithUpstream>>;

beforeAll(async () => {
  host = await startSandboxWithUpstream();
});

afterAll(() => host.dispose());

const run: SandboxHost["run"] = (code, options) => host.run(code, options);

const PNG = "new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0])";

describe("a returned value with a JSON form is its JSON", () => {
  test.each([
    ["42", "42"],
    ["-0", "0"],
    ["true", "true"],
    ["null", "null"],
    ["[1, 'two', [3]]", '[1,"two",[3]]'],
    ["({ a: 1, b: { c: null } })", '{"a":1,"b":{"c":null}}'],
    ["({ a: undefined, b: 1 })", '{"b":1}'],
    ["({ at: new Date(0) })", '{"at":"1970-01-01T00:00:00.000Z"}'],
    ["({ url: new URL('https://example.com/a?b=1') })", '{"url":"https://example.com/a?b=1"}'],
    ["Object.assign(Object.create(null), { a: 1 })", '{"a":1}'],
    ["({ toJSON: () => ({ shown: true }) })", '{"shown":true}'],
    ["const same = { a: 1 };\n[same, same]", '[{"a":1},{"a":1}]'],
    ["['\\u2028', '\"', '\\n', '\\ud800']", '["\u2028","\\"","\\n","\\ud800"]'],
    ["[1, 2].map(async (n) => n * 2)", "[2,4]"],
    ["({ a: Promise.resolve(1), b: 2 })", '{"a":1,"b":2}'],
    ["[]", "[]"],
    ["({})", "{}"],
    ["Array.from({ length: 5000 }, (_, id) => ({ id })).length", "5000"],
  ])("%s", async (code, json) => {
    expect((await run(code)).outcome).toMatchObject({ kind: "completed", value: { json, media: [] } });
  });
});

describe("a returned value without one is readable", () => {
  test.each([
    ["'plain text'", "plain text"],
    ["''", ""],
    ["10n ** 20n", "100000000000000000000n"],
    ["NaN", "NaN"],
    ["[1 / 0, NaN, undefined]", "[Infinity,NaN,undefined]"],
    ["Symbol('mark')", "Symbol(mark)"],
    ["return () => 1", "[Function]"],
    ["return function named() {}", "[Function: named]"],
    ["return class Client {}", "[class: Client]"],
    ["new Date(0)", "1970-01-01T00:00:00.000Z"],
    ["new Date(NaN)", "Invalid Date"],
    ["/a+/gi", "/a+/gi"],
    ["new Map([['a', { b: 1 }], [2, new Set(['x'])]])", 'Map(2) {"a" => {"b":1}, 2 => Set(1) {"x"}}'],
    ["new Set()", "Set(0) {}"],
    ["const a = { x: 1 };\na.self = a;\na", '{"x":1,"self":[Circular]}'],
    ["const list = [];\nlist.push([list]);\nlist", "[[[Circular]]]"],
    ["class Invoice { constructor() { this.id = 1 } }\nnew Invoice()", 'Invoice {"id":1}'],
    ["({ total: 10n })", '{"total":10n}'],
    ["new Uint8Array([1, 2, 255])", "Uint8Array(3) [1,2,255]"],
    ["new TextEncoder().encode('héllo')", 'Uint8Array(6) "héllo"'],
    ["new Uint8Array(100).fill(200)", `Uint8Array(100) [${Array(64).fill(200).join(",")}, … 36 more]`],
    ["new ArrayBuffer(2)", "ArrayBuffer(2) [0,0]"],
    ["Buffer.from('abc')", 'Buffer(3) "abc"'],
    ["new Error('plain')", "Error: plain (line 1:1)"],
    ["new TypeError('t', { cause: new Error('root') })", "TypeError: t (line 1:1)\nCaused by: Error: root (line 1:29)"],
    ["Object.assign(new Error('e'), { status: 404 })", 'Error: e (line 1:15) {"status":404}'],
    ["new Headers({ a: 'b' })", 'Headers {"a":"b"}'],
    ["new URLSearchParams('a=b&c=d')", 'URLSearchParams "a=b&c=d"'],
    ["const f = new FormData();\nf.append('a', 'b');\nf", 'FormData {"a":"b"}'],
    ["new Blob(['x'], { type: 'text/plain' })", 'Blob {"type":"text/plain","size":1}'],
    [
      "new Request('https://example.com/', { method: 'POST' })",
      'Request {"method":"POST","url":"https://example.com/","headers":Headers {}}',
    ],
    [
      "({ r: new Response('x', { status: 201 }) })",
      '{"r":Response {"status":201,"headers":Headers {"content-type":"text/plain;charset=UTF-8"},"bodyUsed":false}}',
    ],
    ["({ a: [Promise.resolve(1)] })", '{"a":[[Promise: not awaited]]}'],
    ["new Map([[1, 2]]).values()", "[Iterator: not read]"],
    ["({ get boom() { throw new Error('getter') } })", '{"boom":Error: getter (line 1:23)}'],
    ["new Proxy({}, { ownKeys() { throw new Error('trap') } })", "[unreadable: Error: trap (line 1:35)]"],
  ])("%s", async (code, text) => {
    expect(toText((await run(code)).outcome)).toBe(text);
  });

  test.each(["return", "return undefined", "const a = 1; console.log(a)", "void 0", "if (false) 1"])(
    "%s is no value",
    async (code) => {
      expect((await run(code)).outcome).toMatchObject({ kind: "completed", value: null });
    },
  );

  test("a chain too deep to show is cut and no crash", async () => {
    const { outcome } = await run("let deep = {};\nfor (let n = 0; n < 100_000; n++) deep = { deep };\nreturn deep");
    expect(outcome).toMatchObject({ value: { text: expect.stringContaining("[too deep]") } });
  });

  test("large values survive whole", async () => {
    const { outcome } = await run(
      "({ rows: Array.from({ length: 5000 }, (_, id) => ({ id, name: '😀'.repeat(20) })) })",
    );
    const value = outcome.kind === "completed" ? outcome.value : null;
    const json = value !== null && "json" in value ? value.json : "";
    expect((JSON.parse(json) as { rows: unknown[] }).rows).toHaveLength(5_000);
  });
});

describe("a response that is returned comes with its body", () => {
  test.each([
    ["await fetch('UPSTREAM/json')", '"contentType":"application/json","body":{"id":1}}'],
    ["fetch('UPSTREAM/html')", '"status":404'],
    ["await fetch('UPSTREAM/html')", '"body":"<html>not here</html>"'],
    ["new Response('x')", '"body":"x"'],
    ["await fetch('UPSTREAM/204')", '"status":204'],
  ])("%s", async (code, part) => {
    expect((await run(code)).outcome).toMatchObject({ value: { json: expect.stringContaining(part) } });
  });
});

describe("images and sounds come as blocks of their own", () => {
  const png = { type: "image", mimeType: "image/png" };
  test.each([
    [PNG, "[image/png, 9 bytes]", [{ ...png, data: "iVBORw0KGgoA" }]],
    [`({ chart: ${PNG}, n: 1 })`, '{"chart":"[image/png, 9 bytes]","n":1}', [png]],
    [`[${PNG}, ${PNG}]`, '["[image/png, 9 bytes]","[image/png, 9 bytes]"]', [png, png]],
    [`${PNG}.buffer`, "[image/png, 9 bytes]", [png]],
    [
      "new Blob([new Uint8Array([1])], { type: 'image/jpeg' })",
      "[image/jpeg, 1 bytes]",
      [{ type: "image", mimeType: "image/jpeg", data: "AQ==" }],
    ],
    ["new Blob(['x'], { type: 'audio/wav' })", "[audio/wav, 1 bytes]", [{ type: "audio", mimeType: "audio/wav" }]],
    ["await fetch('UPSTREAM/png')", "[image/png, 9 bytes]", [png]],
    ["(await fetch('UPSTREAM/png')).arrayBuffer()", "[image/png, 9 bytes]", [png]],
    ["(await fetch('UPSTREAM/png')).blob()", "[image/png, 9 bytes]", [png]],
    ["new TextEncoder().encode('GIF89a....')", "[image/gif, 10 bytes]", [{ type: "image", mimeType: "image/gif" }]],
    ["new TextEncoder().encode('RIFFxxxxWAVE')", "[audio/wav, 12 bytes]", [{ type: "audio", mimeType: "audio/wav" }]],
    ["new TextEncoder().encode('ID3....')", "[audio/mpeg, 7 bytes]", [{ type: "audio", mimeType: "audio/mpeg" }]],
  ])("%s", async (code, text, media) => {
    const { outcome } = await run(code);
    expect(toText(outcome)).toBe(text);
    expect(outcome).toMatchObject({ value: { media } });
  });

  test.each([
    "new Blob(['<svg/>'], { type: 'image/svg+xml' })",
    "new TextEncoder().encode('PNG')",
    "({ type: 'image/png', data: 'AA' })",
  ])("%s is none", async (code) => {
    expect((await run(code)).outcome).toMatchObject({ value: { media: [] } });
  });
});

describe("the console", () => {
  test.each<[code: string, level: string, text: string]>([
    ["console.log({ a: 1 }, [1, { b: 2 }])", "log", '{"a":1} [1,{"b":2}]'],
    ["console.info('info', 1)", "info", "info 1"],
    ["console.debug(undefined, null, NaN)", "debug", "undefined null NaN"],
    ["console.warn(1n, Symbol('s'))", "warn", "1n Symbol(s)"],
    ["console.error(new TypeError('bad'))", "error", "TypeError: bad (line 1:15)"],
    ["console.trace('here')", "trace", "here"],
    ["console.dir({ a: { b: 1 } })", "log", '{"a":{"b":1}}'],
    [
      "console.table([{ id: 1, name: 'a' }, { id: 22 }])",
      "table",
      "(index) | id | name\n0       | 1  | a\n1       | 22 |",
    ],
    ["console.table({ x: 1, y: 'two' })", "table", "(index) | Values\nx       | 1\ny       | two"],
    ["console.table('no rows')", "table", "no rows"],
    ["console.assert(false, 'must hold', { a: 1 })", "error", 'Assertion failed: must hold {"a":1}'],
    ["console.log('%s is %d, %i, %j', 'x', 5.5, 5.5, { a: 1 }, 'rest')", "log", 'x is 5.5, 5, {"a":1} rest'],
    ["console.log('100%', 'of %s')", "log", "100% of %s"],
    ["console.log('%cstyled', 'color: red')", "log", "styled"],
    ["console.log()", "log", ""],
    ["console.count('n')", "log", "n: 1"],
    ["console.log(new Map([[1, 2]]))", "log", "Map(1) {1 => 2}"],
    ["console.log({ a: undefined })", "log", '{"a":undefined}'],
    ["const { log } = console; log('detached')", "log", "detached"],
    ["[1].forEach(console.log)", "log", "1 0 [1]"],
    [
      "try { null.x } catch (error) { console.error('failed:', error) }",
      "error",
      "failed: TypeError: Cannot read properties of null (reading 'x') (line 1:12)",
    ],
  ])("%s", async (code, level, text) => {
    const { outcome } = await run(`${code}; return 1`);
    expect(outcome.logs).toEqual([{ level, text }]);
  });

  test("keeps every level in order, indents groups, counts and times", async () => {
    const { outcome } = await run(`
      console.log("a"); console.group("g"); console.warn("in\\nside"); console.groupEnd(); console.groupEnd();
      console.count(); console.count(); console.countReset(); console.count();
      console.time("t"); console.timeLog("t", "x"); console.timeEnd("t"); console.timeEnd("t");`);
    expect(outcome.logs.map(({ level, text }) => `${level} ${text.replace(/\d+ ms/, "N ms")}`)).toEqual([
      "log a",
      "log g",
      "warn   in\n  side",
      "log default: 1",
      "log default: 2",
      "log default: 1",
      "log t: N ms x",
      "log t: N ms",
      "log t: no such timer",
    ]);
  });

  test("cuts a line that is too long", async () => {
    const { outcome } = await run("console.log('x'.repeat(200_000))");
    expect(outcome.logs[0]?.text).toMatch(/^x{65536}… \(cut\)$/);
  });
});

describe("what is thrown is shown, with its place", () => {
  test.each<[code: string, message: string, place: [line: number, column: number] | null]>([
    ["throw 'payment failed'", 'the code threw "payment failed"', null],
    ["throw null", "the code threw null", null],
    ["throw undefined", "the code threw undefined", null],
    ["throw 42", "the code threw 42", null],
    ["throw { code: 42 }", 'the code threw {"code":42}', null],
    ["await Promise.reject()", "the code threw undefined", null],
    ["await Promise.reject(['a'])", 'the code threw ["a"]', null],
    ["throw Symbol('s')", "the code threw Symbol(s)", null],
    ["throw new Error('plain')", "Error: plain", [1, 7]],
    ["throw new Error('')", "Error", [1, 7]],
    [
      "class PaymentError extends Error { name = 'PaymentError' }\n\nthrow new PaymentError('declined')",
      "PaymentError: declined",
      [3, 7],
    ],
    ["throw Object.assign(new Error('e'), { status: 402 })", 'Error: e {"status":402}', [1, 21]],
    [
      "throw new Error('outer', { cause: new TypeError('inner') })",
      "Error: outer\nCaused by: TypeError: inner (line 1:35)",
      [1, 7],
    ],
    ["throw new Error('outer', { cause: 'text' })", 'Error: outer\nCaused by: "text"', [1, 7]],
    [
      "throw new AggregateError([new Error('a'), 'b'], 'all')",
      'AggregateError: all\n- Error: a (line 1:27)\n- "b"',
      [1, 7],
    ],
    [
      "await Promise.any([Promise.reject(new Error('a'))])",
      "AggregateError: All promises were rejected\n- Error: a (line 1:35)",
      null,
    ],
    [
      "const a = 1;\nconst b = 2;\nconst c = 3;\nconst d: any = null;\nconst e = d.field;",
      "TypeError: Cannot read properties of null (reading 'field')",
      [5, 13],
    ],
    ["interface A {}\nconst x: number = 1; undefinedName", "ReferenceError: undefinedName is not defined", [2, 22]],
    [
      "async function f() { await scheduler.wait(1); throw new RangeError('late') }\nawait f()",
      "RangeError: late",
      [1, 53],
    ],
    ["setTimeout(() => { throw new Error('timer') }, 1);\nawait scheduler.wait(1000)", "Error: timer", [1, 26]],
    ["Promise.reject(new Error('floating'));\nreturn 5", "Error: floating", [1, 16]],
    ["JSON.parse('{')", "SyntaxError: Expected property name or '}' in JSON at position 1 (line 1 column 2)", [1, 6]],
    ["const e = new Error('frozen'); Object.freeze(e); throw e", "Error: frozen", [1, 11]],
    ["throw { get message() { throw 1 } }", 'the code threw {"message":1}', null],
    [
      "const e = new Error('x'); Object.defineProperty(e, 'message', { get() { throw 1 } }); throw e",
      "an error that cannot be read",
      [1, 11],
    ],
    ["throw new Proxy(new Error('p'), { getPrototypeOf() { throw 1 } })", "the code threw [unreadable: 1]", null],
  ])("%s", async (code, message, place) => {
    const { outcome } = await run(code);
    const position = place === null ? null : { line: place[0], column: place[1] };
    expect(outcome).toMatchObject({ kind: "threw", message, position });
  });

  test("shows the line and a caret", async () => {
    const { outcome } = await run("const a: string = 'x';\nnull.boom");
    expect(outcome).toMatchObject({ position: { line: 2, column: 6, frame: "2 | null.boom\n  |      ^" } });
  });

  test("finds the place inside a fenced block, prose counted", async () => {
    const { outcome } = await run("Here you go:\n\n```ts\nconst a: number = 1;\nnull.boom\n```\n");
    expect(outcome).toMatchObject({ position: { line: 5, column: 6 } });
  });
});

describe("an upstream that misbehaves", () => {
  test.each([
    ["const r = await fetch('UPSTREAM/500'); return [r.status, await r.text()]", '[500,"broken"]'],
    [
      "const r = await fetch('UPSTREAM/html'); return [r.ok, r.status, await r.text()]",
      '[false,404,"<html>not here</html>"]',
    ],
    ["const r = await fetch('UPSTREAM/204'); return [r.status, await r.text()]", '[204,""]'],
    ["try { await (await fetch('UPSTREAM/bad-json')).json() } catch (e) { return e.name }", "SyntaxError"],
    ["try { await fetch('UPSTREAM/loop') } catch (e) { return e.name }", "TypeError"],
    ["try { await (await fetch('UPSTREAM/drop')).text() } catch (e) { return e instanceof Error }", "true"],
    [
      "const r = await fetch('UPSTREAM/never', { signal: AbortSignal.timeout(50) }).catch((e) => e.name); return r",
      "TimeoutError",
    ],
    [
      "const r = await fetch('UPSTREAM/loop', { redirect: 'manual' }); return [r.status, r.headers.get('location')]",
      '[302,"/loop"]',
    ],
    [
      "const r = await fetch('UPSTREAM/json'); const copy = r.clone(); return [await r.json(), await copy.json()]",
      '[{"id":1},{"id":1}]',
    ],
  ])("is the code's to handle: %s", async (code, text) => {
    expect(toText((await run(code)).outcome)).toBe(text);
  });

  test.each([
    ["await (await fetch('UPSTREAM/html?q=1')).json()", /not valid JSON \(GET HOST\/html answered 404\)$/],
    [
      "const r = await fetch('UPSTREAM/bad-json', { method: 'POST' }); await r.json()",
      /\(POST HOST\/bad-json answered 200\)$/,
    ],
    ["await (await fetch('UPSTREAM/drop')).text()", /\(GET HOST\/drop answered 200\)$/],
    ["await fetch('UPSTREAM/loop')", /Too many redirects.*\(GET HOST\/loop\)$/],
    [
      "await fetch(new Request('UPSTREAM/html'), { method: 'PUT' }).then((r) => r.json())",
      /\(PUT HOST\/html answered 404\)$/,
    ],
    ["await fetch('http://127.0.0.1:1/gone')", /\(GET 127\.0\.0\.1:1\/gone\)$/],
    ["await fetch('not a url')", /Invalid URL.*\(fetch\)$/],
  ])("is named when nobody handles it: %s", async (code, message) => {
    const { outcome } = await run(code);
    const text =
      outcome.kind === "threw" ? outcome.message.replaceAll(new URL(host.upstream.url).host, "HOST") : outcome.kind;
    expect(text).toMatch(message);
    expect(outcome).toMatchObject({ position: { line: 1 } });
  });
});

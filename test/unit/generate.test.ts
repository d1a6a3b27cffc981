/** Generating a server: what is written for a document, whatever is in it, and what happens to what is there already. */
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

import { parse as parseToml } from "smol-toml";
import { describe, expect, onTestFinished, test } from "vitest";

import { generate as generateCommand } from "../../src/cli/commands/generate.ts";
import { compileApi, type CompileApiOptions } from "../../src/cli/generate/compile-api.ts";
import { parseFilter } from "../../src/cli/generate/filters.ts";
import { VERSIONS } from "../../src/cli/generate/manifests.ts";
import { toCode, toMarkdown } from "../../src/cli/generate/markdown.ts";
import { toProject, type Generated } from "../../src/cli/generate/project.ts";
import { fixedSources } from "../../src/cli/generate/sources.ts";
import type { Surface } from "../../src/cli/generate/template/settings.ts";
import { createScrubber } from "../../src/cli/generate/template/scrub.ts";
import { writeProject } from "../../src/cli/generate/write-project.ts";
import type { Operation } from "../../src/openapi/ir.ts";
import { omit } from "../../src/openapi/json.ts";
import { readDocument, type SourceDocument } from "../../src/openapi/parse.ts";
import { toSearchIndex } from "../../src/openapi/search/search-index.ts";
import { createCliFolder } from "../helpers/cli.ts";
import type { Loose } from "./openapi-helpers.ts";

const ROOT = resolve(import.meta.dirname, "../..");

function source(document: Loose): SourceDocument {
  const base = { openapi: "3.1.0", info: { title: "T", version: "1" }, servers: [{ url: "https://t.test/v1" }] };
  const parsed = readDocument({ ...base, ...document });
  if (!parsed.ok) throw new Error(parsed.error.message);
  return parsed.document;
}

const OPTIONS: CompileApiOptions = { serverName: "t-mcp", allowedHosts: [] };

function generate(document: Loose, name = "t-mcp", surface: Surface = "tools"): Generated {
  const api = compileApi(source(document), OPTIONS);
  return toProject({ api, selected: api.ir.operations, surface, name, version: "1.0.0" });
}

function temporaryFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), "codeforge-generated-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** Runs Node in the generated project, to which this project's packages are linked. */
function nodeInside({ files }: Generated, args: readonly string[], env: Record<string, string> = {}): string {
  const dir = temporaryFolder();
  for (const [path, text] of files) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
  symlinkSync(join(ROOT, "node_modules"), join(dir, "node_modules"));
  const { stdout, stderr, status } = spawnSync(process.execPath, args, {
    cwd: dir,
    env: { ...process.env, ...env },
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stdout + stderr);
  return stdout;
}

/** Runs a script in the generated project and reads what it prints as JSON. */
function runInside(generated: Generated, script: string, env: Record<string, string> = {}): unknown {
  return JSON.parse(nodeInside(generated, ["--input-type=module", "--eval", script], env));
}

const OK = { responses: { "200": { description: "ok" } } };
const ONE = { "/x": { get: { operationId: "readX", summary: "Read x", ...OK } } };

/** Text that means something in every language it is written into. */
const HOSTILE =
  "*/ `${process.exit(9)}` \"'\\ </script> <img src=x> [a](javascript:b) | # x\n# y\n\u2028\u2029\u202E\u0000{{b}} %s --";

const HOSTILE_DOCUMENT: Loose = {
  info: { title: HOSTILE, description: HOSTILE, version: HOSTILE },
  servers: [{ url: "https://t.test/`a|b\"'" }],
  tags: [{ name: HOSTILE }],
  paths: {
    [`/x/{${HOSTILE}}/\`|"`]: {
      post: {
        operationId: HOSTILE,
        summary: HOSTILE,
        description: HOSTILE,
        tags: [HOSTILE],
        parameters: [
          {
            name: HOSTILE,
            in: "query",
            description: HOSTILE,
            schema: { type: "string", enum: [HOSTILE], default: HOSTILE },
          },
          { name: "__proto__", in: "query", schema: { type: "string" } },
        ],
        requestBody: {
          content: {
            "application/json": {
              schema: JSON.parse(
                `{"type":"object","properties":{"a":{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"string"}},"required":["__proto__"]}}}`,
              ),
            },
          },
        },
        ...OK,
      },
    },
    "/y": { get: { operationId: "__proto__", ...OK }, put: { operationId: "constructor", ...OK } },
  },
  components: { securitySchemes: { [HOSTILE]: { type: "apiKey", in: "query", name: HOSTILE } } },
  security: [{ [HOSTILE]: [] }],
};

describe("a document with text that means something elsewhere", () => {
  const generated = generate(HOSTILE_DOCUMENT);
  const file = (path: string): string => generated.files.get(path) ?? "";

  test("is data in src/tools.ts, to the last character", () => {
    const loaded = runInside(
      generated,
      'import { TOOLS } from "./src/tools.ts"; console.log(JSON.stringify(TOOLS));',
    ) as Operation[];
    const { ir } = compileApi(source(HOSTILE_DOCUMENT), OPTIONS);
    const plain = (operation: object): object => ({ ...omit({ ...operation }, "operationId", "output", "security") });
    expect(loaded.map(plain)).toEqual(JSON.parse(JSON.stringify(ir.operations.map(plain))));
    // A property of that name, and no prototype.
    expect(JSON.stringify(loaded)).toContain('{"__proto__":{"type":"string"},"constructor":{"type":"string"}}');
  });

  test("is data to the compiler too, the words of a search included", () => {
    const searched = generate(HOSTILE_DOCUMENT, "t-mcp", "search");
    expect(nodeInside(searched, [join(ROOT, "node_modules/typescript/bin/tsc"), "-p", "tsconfig.json"])).toBe("");
    const { ir } = compileApi(source(HOSTILE_DOCUMENT), OPTIONS);
    const script = 'import { SEARCH_INDEX } from "./src/tools.ts"; console.log(JSON.stringify(SEARCH_INDEX));';
    expect(runInside(searched, script)).toEqual(toSearchIndex(ir.operations));
  });

  test("adds no statement and no invisible character to src/tools.ts", () => {
    expect(
      file("src/tools.ts")
        .match(/^\S.*$/gm)
        ?.filter((line) => !/^(?:import |export const |const tool = |\/\*\*|\];|\};)/.test(line)),
    ).toEqual([]);
    expect(file("src/tools.ts")).not.toMatch(/[^\n\P{Cc}]|[\u2028\u2029\u202E]/u);
  });

  test("makes no heading, image, link or cell in README.md", () => {
    const lines = file("README.md").split("\n");
    expect(lines.filter((line) => line.startsWith("#")).map((line) => line.slice(0, 24))).toEqual([
      "# \\*\\/ \\`\\$\\{process\\.ex",
      "## Run it over stdio",
      "## Run it on Cloudflare ",
      "## Configuration",
      "## What it does with a c",
      "## Tools",
      "## What it is made of",
    ]);
    const prose = file("README.md")
      .replace(/```[^]*?```/g, "")
      .replace(/(?<!\\)(`+)(?!`)[^]*?(?<!`)\1(?!`)/g, "");
    expect(prose).not.toMatch(/(?<!\\)(?:<|\]\()/);
    const cells = file("README.md")
      .match(/^\|.*$/gm)
      ?.map((row) => row.split(/(?<!\\)\|/).length);
    expect(new Set(cells)).toEqual(new Set([4, 5]));
  });

  test("leaves package.json and wrangler.toml what they are", () => {
    const manifest = JSON.parse(file("package.json")) as Loose;
    expect(manifest["scripts"]).toEqual(
      (JSON.parse(generate({ paths: ONE }).files.get("package.json") ?? "") as Loose)["scripts"],
    );
    expect(parseToml(file("wrangler.toml"))).toMatchObject({ name: "t-mcp", main: "src/worker.ts" });
  });

  test("names variables in words, on one line", () => {
    const [variable] = runInside(
      generated,
      'import { VARIABLES } from "./src/tools.ts"; console.log(JSON.stringify(VARIABLES));',
    ) as { name: string; holds: string }[];
    expect(variable?.name).toMatch(/^[A-Z][A-Z0-9_]{2,63}$/);
    expect(variable?.holds).not.toMatch(/[\n\u2028\u202E]/);
  });
});

describe("text in Markdown", () => {
  test.each([
    ["a\n# b", "a \\# b"],
    ["<b>|`c`|[d](e)", "\\<b\\>\\|\\`c\\`\\|\\[d\\]\\(e\\)"],
  ])("%j is written %j", (text, written) => expect(toMarkdown(text)).toBe(written));

  test.each([
    ["a", "`a`"],
    ["a`b", "`` a`b ``"],
    ["``", "``` `` ```"],
    ["a|b\nc", "`a\\|b c`"],
  ])("%j as code is written %j", (text, written) => expect(toCode(text)).toBe(written));
});

describe("the files of a generated server", () => {
  const two = [generate({ paths: ONE }), generate(HOSTILE_DOCUMENT, "@s/other")] as const;

  test("are the same for every document, but for four", () => {
    const [a, b] = two;
    const different = [...a.files].filter(([path, text]) => b.files.get(path) !== text).map(([path]) => path);
    expect([...a.files.keys()]).toEqual([...b.files.keys()]);
    expect(different).toEqual(["README.md", "package.json", "src/tools.ts", "wrangler.toml"]);
  });

  test("are the same bytes for the same document", () => {
    expect(generate({ paths: ONE })).toEqual(two[0]);
  });

  test("import each other, Node, and the packages that package.json names", () => {
    const specifiers = [...fixedSources().values()].flatMap((text) =>
      [...text.matchAll(/^(?:import\b[^;"]*|\} from |export\b[^;"=]*\bfrom )"([^"]+)";$/gm)].map(
        ([, name = ""]) => name,
      ),
    );
    const outside = new Set(specifiers.filter((name) => !name.startsWith(".")));
    expect(outside).toEqual(
      new Set([
        "@cfworker/json-schema",
        "@modelcontextprotocol/server",
        "@modelcontextprotocol/server/stdio",
        "stemmer",
      ]),
    );
    const { dependencies } = JSON.parse(two[0].files.get("package.json") ?? "") as { dependencies: object };
    expect(Object.keys(dependencies)).toEqual(["@cfworker/json-schema", "@modelcontextprotocol/server", "stemmer"]);
  });

  test("ask for the versions that this project is tested with", () => {
    const { packages } = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")) as {
      packages: Record<string, { version: string }>;
    };
    const installed = Object.keys(VERSIONS).map((name) => [name, packages[`node_modules/${name}`]?.version]);
    expect(Object.fromEntries(installed)).toEqual(VERSIONS);
  });

  test("are packed and named for npm", () => {
    expect(JSON.parse(two[1].files.get("package.json") ?? "")).toMatchObject({
      name: "@s/other",
      bin: { other: "dist/main.js" },
      type: "module",
    });
    expect(two[1].files.get("src/main.ts")?.startsWith("#!/usr/bin/env node\n")).toBe(true);
  });
});

describe("the variables of credentials", () => {
  const schemes = {
    bearer: { type: "http", scheme: "bearer" },
    oauth: { type: "oauth2", flows: {} },
    token: { type: "apiKey", in: "header", name: "X-Token" },
    "base url": { type: "apiKey", in: "query", name: "k" },
    session: { type: "apiKey", in: "cookie", name: "sid" },
    staff: { type: "http", scheme: "basic" },
  };
  const variablesOf = (...security: readonly object[]): string[] => {
    const paths = Object.fromEntries(
      security.map((one, i) => [`/p${i}`, { get: { operationId: `p${i}`, security: [one], ...OK } }]),
    );
    const text = generate({ paths, components: { securitySchemes: schemes } }).files.get("src/tools.ts") ?? "";
    return [...text.matchAll(/^ {2}\{ name: "(\w+)", holds/gm)].map(([, name = ""]) => name);
  };

  test.each([
    ["a bearer token", [{ bearer: [] }], ["API_TOKEN"]],
    ["an OAuth token", [{ oauth: [] }], ["API_TOKEN"]],
    ["two kinds of tokens", [{ bearer: [] }, { oauth: [] }], ["API_BEARER", "API_OAUTH"]],
    ["a key called token", [{ token: [] }], ["API_TOKEN"]],
    ["a token, and a key called token", [{ token: [] }, { bearer: [] }], ["API_TOKEN", "API_TOKEN_KEY"]],
    ["a key called like a setting", [{ "base url": [] }], ["API_BASE_URL_KEY"]],
    ["user name and password", [{ staff: [] }], ["API_STAFF_PASSWORD", "API_STAFF_USERNAME"]],
    ["several at once", [{ token: [], session: [] }], ["API_SESSION", "API_TOKEN"]],
    ["none", [{}], []],
  ])("for %s", (_, security, names) => expect(variablesOf(...security)).toEqual(names));

  const PREPARE = `
    import { prepare, readSettings } from "./src/settings.ts";
    import { TOOLS } from "./src/tools.ts";
    import { buildRequest } from "./src/openapi/request.ts";
    const read = readSettings(process.env);
    console.log(JSON.stringify(TOOLS.map((operation) => {
      if (!read.ok) return read.message;
      const prepared = prepare(operation, read.settings);
      return prepared.ok ? buildRequest(prepared.operation, {}).request : prepared.message;
    })));`;

  test("are put where the document says, in the encoding of their place", () => {
    const paths = {
      "/a": { get: { operationId: "a", security: [{ staff: [] }], ...OK } },
      "/b": { get: { operationId: "b", security: [{ session: [], "base url": [] }], ...OK } },
      "/c": { get: { operationId: "c", security: [{ bearer: [] }], ...OK } },
    };
    const env = {
      API_STAFF_USERNAME: "zoë",
      API_STAFF_PASSWORD: "",
      API_SESSION: 'a; b="c"',
      API_BASE_URL_KEY: "a b&c",
      API_TOKEN: "t0ken\n",
    };
    expect(runInside(generate({ paths, components: { securitySchemes: schemes } }), PREPARE, env)).toEqual([
      {
        method: "GET",
        url: "https://t.test/v1/a",
        headers: [["Authorization", `Basic ${Buffer.from("zoë:").toString("base64")}`]],
      },
      { method: "GET", url: "https://t.test/v1/b?k=a%20b%26c", headers: [["Cookie", "sid=a%3B%20b=%22c%22"]] },
      { method: "GET", url: "https://t.test/v1/c", headers: [["Authorization", "Bearer t0ken"]] },
    ]);
  });

  test("are optional where the document says nothing of security", () => {
    const generated = generate({ paths: ONE });
    expect(runInside(generated, PREPARE, { API_TOKEN: "" })).toMatchObject([{ headers: [] }]);
    expect(runInside(generated, PREPARE, { API_TOKEN: "abc" })).toMatchObject([
      { headers: [["Authorization", "Bearer abc"]] },
    ]);
  });

  test("may have a base URL of their own beside them, if it is one", () => {
    const script = `
      import { readSettings } from "./src/settings.ts";
      const values = ["", "http://127.0.0.1:80/v1//", "ftp://x.test", "no URL", "https://user@x.test", "https://x.test?q=1", "https://x.test#a"];
      console.log(JSON.stringify(values.map((value) => readSettings({ API_BASE_URL: value }).settings?.baseUrl ?? null)));`;
    const refused = [null, null, null, null, null];
    expect(runInside(generate({ paths: ONE }), script)).toEqual([
      "https://t.test/v1",
      "http://127.0.0.1/v1",
      ...refused,
    ]);
  });

  test("with a line break inside are refused by name, not by value", () => {
    const refused = runInside(generate({ paths: ONE }), PREPARE, { API_TOKEN: "abc\ndef" });
    expect(refused).toEqual(["API_TOKEN has a line break or another control character."]);
  });
});

describe("values of credentials in an answer", () => {
  const values = new Map([
    ["API_KEY", 'se"cret+é/0'],
    ["API_STAFF_USERNAME", "samantha"],
    ["API_STAFF_PASSWORD", "pässword1"],
    ["API_SHORT", "abc"],
  ]);
  const { bytes, text } = createScrubber(values);
  const scrub = (body: string): string => new TextDecoder().decode(bytes(new TextEncoder().encode(body)));

  test.each([
    ["itself", 'a se"cret+é/0 b', "a API_KEY b"],
    ["JSON", JSON.stringify({ k: 'se"cret+é/0' }), '{"k":"API_KEY"}'],
    ["percent-encoding", encodeURIComponent('se"cret+é/0'), "API_KEY"],
    ["base64", Buffer.from('se"cret+é/0').toString("base64"), "API_KEY"],
    [
      "basic authentication",
      `Basic ${Buffer.from("samantha:pässword1").toString("base64")}`,
      "Basic API_STAFF_USERNAME",
    ],
    ["a password", "pässword1é", "API_STAFF_PASSWORDé"],
    ["what is too short to be one", "abc", "abc"],
  ])("become names: %s", (_, body, shown) => expect(scrub(body)).toBe(shown));

  test("leave everything else as it is, bytes included", () => {
    const other = Uint8Array.from({ length: 256 }, (_, i) => i);
    expect(bytes(other)).toBe(other);
    expect(text("plain")).toBe("plain");
  });
});

describe("hosts", () => {
  const servers = (url: string): Loose => ({ servers: [{ url }] });
  const document = {
    paths: {
      "/a": { get: { operationId: "a", ...OK } },
      "/b": { get: { operationId: "b", ...servers("https://other.test"), ...OK } },
    },
  };

  test("other than the document's own are left out unless they are named", () => {
    const own = compileApi(source(document), OPTIONS);
    expect(own.baseUrl).toBe("https://t.test/v1");
    expect(own.ir.operations.map(({ name }) => name)).toEqual(["a"]);
    expect(own.ir.skipped).toMatchObject([{ rule: "host_not_allowed" }]);
    const both = compileApi(source(document), { ...OPTIONS, allowedHosts: ["other.test"] });
    expect(both.ir.operations.map(({ server }) => server)).toEqual(["https://t.test/v1", "https://other.test"]);
  });

  test("may be plain http when they are written out", () => {
    const local = { paths: ONE, ...servers("http://127.0.0.1:9000/") };
    expect(() => compileApi(source(local), OPTIONS)).toThrow(/--base-url/);
    const { baseUrl, ir } = compileApi(source(local), { ...OPTIONS, baseUrl: "http://127.0.0.1:9000/x/" });
    expect([baseUrl, ir.operations[0]?.server]).toEqual(["http://127.0.0.1:9000/x", "http://127.0.0.1:9000/x"]);
  });

  test.each([
    [{ paths: {} }, "has no operation"],
    [{ paths: ONE, ...servers("/v1") }, "server_unresolvable"],
    [{ paths: { "/x": { get: { "x-mcp": false, ...OK } } } }, "excluded"],
  ])("and a document of which nothing is left is refused: %j", (broken, message) => {
    expect(() => compileApi(source(broken), OPTIONS)).toThrow(message);
  });

  test.each(["x", "ftp://x.test", "https://u@x.test", "https://x.test?a"])("--base-url %s is refused", (baseUrl) => {
    expect(() => compileApi(source({ paths: ONE }), { ...OPTIONS, baseUrl })).toThrow("--base-url has to be");
  });
});

describe("filters on the command line", () => {
  test.each([
    ["tag:issues", { tags: ["issues"] }],
    ["tag:a, b,tag:c,method:GET", { tags: ["a, b", "c"], methods: ["GET"] }],
    ["path:/a/**,deprecated", { paths: ["/a/**"], deprecated: true }],
    ["deprecated,group:x.y", { deprecated: true, groups: ["x.y"] }],
    ["operation:get:thing", { operationIds: ["get:thing"] }],
  ])("%s", (text, filter) => expect(parseFilter(text)).toEqual(filter));

  test.each(["", "issues", "tag:", "tags:a", "deprecated:no"])("%j is refused with the form", (text) => {
    expect(() => parseFilter(text)).toThrow("is no filter: write tag:, group:,");
  });
});

describe("a folder with something in it", () => {
  const project = generate({ paths: ONE });
  const changed = generate({ paths: ONE, info: { title: "Other", version: "1" } });
  const everything = (dir: string): Record<string, string> =>
    Object.fromEntries(
      readdirSync(dir, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
        .map((path) => [path, readFileSync(path, "utf8")]),
    );

  test("that is not the generator's is left alone", () => {
    const dir = temporaryFolder();
    writeFileSync(join(dir, "notes.txt"), "mine");
    expect(() => writeProject(dir, project)).toThrow(/has other content \(notes\.txt\).*Nothing is written/s);
    expect(readdirSync(dir)).toEqual(["notes.txt"]);
    expect(() => writeProject(join(dir, "notes.txt"), project)).toThrow("is no folder");
  });

  test("may be a new repository", () => {
    const dir = temporaryFolder();
    mkdirSync(join(dir, ".git"));
    expect(writeProject(dir, project).written).toHaveLength(project.files.size);
  });

  test("written before is written again without a change", () => {
    const dir = temporaryFolder();
    writeProject(dir, project);
    const before = everything(dir);
    expect(writeProject(dir, project)).toEqual({ written: [], kept: [], removed: [], unchanged: project.files.size });
    expect(everything(dir)).toEqual(before);
  });

  test("keeps the user's own files, and edits of files that would not change", () => {
    const dir = temporaryFolder();
    writeProject(dir, project);
    writeFileSync(join(dir, "wrangler.toml"), "# mine");
    writeFileSync(join(dir, "src/extra.ts"), "export {};");
    const done = writeProject(dir, changed);
    expect(done.written).toEqual(["README.md", "package.json", "src/tools.ts"]);
    expect(done.kept).toEqual(["wrangler.toml"]);
    expect(readFileSync(join(dir, "wrangler.toml"), "utf8")).toBe("# mine");
    expect(existsSync(join(dir, "src/extra.ts"))).toBe(true);
    // What is kept stays the user's, however often it is generated.
    expect(writeProject(dir, changed).kept).toEqual(["wrangler.toml"]);
  });

  test("is left as it is when an edited file would change, or a file of the user's is in the way", () => {
    const dir = temporaryFolder();
    writeProject(dir, project);
    writeFileSync(join(dir, "README.md"), "mine");
    const before = everything(dir);
    expect(() => writeProject(dir, changed)).toThrow(/^README\.md in .* Nothing is written/);
    const { files, record } = project;
    const more = { record, files: new Map([...files, ["src/new.ts", "new"]]) };
    writeFileSync(join(dir, "src/new.ts"), "mine");
    expect(() => writeProject(dir, more)).toThrow(/^src\/new\.ts in/);
    rmSync(join(dir, "src/new.ts"));
    expect(everything(dir)).toEqual(before);
  });

  test("loses files that are no longer generated, unless they were edited or lie outside", () => {
    const dir = join(temporaryFolder(), "server");
    const { files, record } = project;
    writeProject(dir, { record, files: new Map([...files, ["src/old.ts", "old"], ["src/edited.ts", "old"]]) });
    writeFileSync(join(dir, "src/edited.ts"), "mine");
    writeFileSync(join(dir, "../outside.ts"), "old");
    const path = join(dir, "codeforge.json");
    const edited = JSON.parse(readFileSync(path, "utf8")) as { files: Record<string, string> };
    edited.files["../outside.ts"] = edited.files["src/old.ts"] ?? "";
    writeFileSync(path, JSON.stringify(edited));
    expect(writeProject(dir, project).removed).toEqual(["src/old.ts"]);
    expect(existsSync(join(dir, "../outside.ts")) && existsSync(join(dir, "src/edited.ts"))).toBe(true);
  });

  test.each(["{", "[]", '{"files":{"a":1}}'])("with a record that is none is refused: %s", (text) => {
    const dir = temporaryFolder();
    writeFileSync(join(dir, "codeforge.json"), text);
    expect(() => writeProject(dir, project)).toThrow("is not the record this generator writes");
  });
});

describe("the command", () => {
  const document = (count: number): string =>
    JSON.stringify({
      openapi: "3.0.3",
      info: { title: "Many Things API", version: "1" },
      servers: [{ url: "https://t.test" }],
      paths: Object.fromEntries(
        Array.from({ length: count }, (_, i) => [
          `/p${i}`,
          { get: { operationId: `op${i}`, tags: [i % 2 === 0 ? "even" : "odd"], ...OK } },
        ]),
      ),
    });

  test("refuses more tools than a model can handle, counts them by tag, and says what else to do", () => {
    const folder = createCliFolder();
    folder.write("many.json", document(41));
    const refused = folder.run(["generate", "many.json", "--out", "server"]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("41 operations are selected, at most 40 are listed");
    expect(refused.stderr).toContain("even 21, odd 20");
    expect(refused.stderr).toContain("--limit 41");
    expect(existsSync(join(folder.dir, "dist"))).toBe(false);
  });

  test("takes what is included and not excluded, and names the package after the document", () => {
    const folder = createCliFolder();
    folder.write("many.json", document(41));
    const done = folder.run([
      "generate",
      "many.json",
      "--include",
      "tag:even",
      "--exclude",
      "operation:op0",
      "--version",
      "2.0.0-rc.1",
    ]);
    expect(done.stdout).toContain("41 operations mapped, 0 skipped, 21 not selected.");
    expect(JSON.parse(folder.read("dist/package.json") ?? "")).toMatchObject({
      name: "many-things-api-mcp",
      version: "2.0.0-rc.1",
    });
    expect(folder.read("dist/src/tools.ts")?.match(/^ {4}name: /gm)).toHaveLength(20);
    expect(folder.read("dist/src/tools.ts")).toContain("20 of 41 operations are listed.");
  });

  test.each([
    [{ name: "No Name" }, "is no npm package name"],
    [{ version: "1" }, "is no version such as 1.2.3"],
    [{ limit: "none" }, "--limit has to be a whole number"],
    [{ include: ["issues"] }, "is no filter"],
    [{ include: ["tag:none"] }, "No operation is selected"],
    [{ allowHost: ["*"] }, "--allow-host *: a wildcard is only possible"],
  ])("refuses %j and writes nothing", async (wrong, message) => {
    const dir = temporaryFolder();
    writeFileSync(join(dir, "one.json"), document(1));
    const lists = { include: [], exclude: [], allowHost: [], allowRemoteRefs: [] };
    const options = { target: "mcp", version: "1.0.0", surface: "tools", ...lists, ...wrong } as const;
    await expect(generateCommand(join(dir, "one.json"), join(dir, "out"), options)).rejects.toThrow(message);
    expect(existsSync(join(dir, "out"))).toBe(false);
  });

  test.each([
    [["--target", "cli"], "Allowed choices are mcp"],
    [["--surface", "code"], "Allowed choices are tools, search"],
  ])("refuses %j as wrong usage", (args, message) => {
    const { code, stderr } = createCliFolder().run(["generate", "one.json", ...args]);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});

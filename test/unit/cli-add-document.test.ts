/** `codeforge add` with a document: adding, updating and removing, and what a document cannot do. */
import { readdirSync, readFileSync, symlinkSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";

import { describe, expect, test } from "vitest";

import { readStored } from "../../src/cli/openapi/stored.ts";
import { createCliFolder, type CliFolder } from "../helpers/cli.ts";

const DOCUMENT = {
  openapi: "3.1.0",
  info: { title: "Bins", version: "1" },
  servers: [
    { url: "http://plain.test" },
    { url: "https://{zone}.bins.test/v1", variables: { zone: { default: "eu" } } },
  ],
  security: [{ key: [] }],
  components: {
    securitySchemes: {
      key: { type: "apiKey", in: "query", name: "api_key" },
      other: { type: "http", scheme: "bearer" },
    },
  },
  paths: {
    "/bins": {
      get: { operationId: "listBins", tags: ["bins"], summary: "List bins" },
      post: { operationId: "createBin", tags: ["bins"] },
    },
    "/bins/{id}": { delete: { operationId: "deleteBin", tags: ["bins"], deprecated: true } },
    "/files": { get: { operationId: "listFiles", servers: [{ url: "https://files.bins.test" }] } },
  },
};

function folderWith(document: object = DOCUMENT): CliFolder {
  const folder = createCliFolder();
  folder.write("spec/openapi.json", JSON.stringify(document));
  return folder;
}

const names = (folder: CliFolder, api = "bins"): string[] =>
  readStored(join(folder.dir, "apis", api))?.operations.map(({ name }) => name) ?? [];

describe("codeforge add with a document", () => {
  test("opens the first https host, names credentials with their places, and says what is skipped", () => {
    const folder = folderWith();
    const { code, stdout, stderr } = folder.run(["add", "bins", "spec"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(JSON.parse(folder.read("apis/bins/config.json")!)).toEqual({
      $schema: expect.any(String),
      description: "Bins",
      domains: ["eu.bins.test"],
      credentials: [{ name: "BINS_KEY", in: ["query:api_key"] }],
    });
    expect(stdout).toContain("mapped 3, skipped 1");
    expect(stdout).toContain("GET /files: host_not_allowed: files.bins.test is not in the API's domains");
    expect(stdout).toContain("npx codeforge secret set BINS_KEY");
    expect(names(folder)).toEqual(["create_bin", "delete_bin", "list_bins"]);
    expect(JSON.parse(folder.read("apis/bins/source.json")!)).toEqual({ document: "../../spec" });
    expect(readdirSync(join(folder.dir, "apis")), "nothing is left of the writing").toEqual(["bins"]);

    folder.run(["build"]);
    const { apis } = JSON.parse(folder.read("dist/catalog.txt")!) as { apis: { operations: { count: number } }[] };
    expect(apis[0]?.operations.count).toBe(3);
    expect(JSON.parse(folder.read("dist/types.txt")!)).toEqual({});
  });

  test("is the same when it is done twice, and never overwrites", () => {
    const folder = folderWith();
    folder.run(["add", "bins", "spec"]);
    const before = folder.read("apis/bins/config.json");
    expect(folder.run(["add", "bins", "spec"])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("up to date"),
    });
    folder.write("spec/openapi.json", JSON.stringify({ ...DOCUMENT, paths: {} }));
    expect(folder.run(["add", "bins", "spec"])).toMatchObject({ code: 1, stderr: expect.stringContaining("--update") });
    expect(folder.read("apis/bins/config.json")).toBe(before);
    expect(names(folder)).toHaveLength(3);
  });

  test("takes hosts, names, a scheme and a selection from its user", () => {
    const folder = folderWith({ ...DOCUMENT, security: [{ key: [] }, { other: [] }] });
    const hosts = ["--allow-host", "files.bins.test", "--scheme", "other", "--credential", "BIN_TOKEN@other"];
    const choice = ["--exclude", "deprecated", "--exclude", "method:POST", "--description", "Boxes"];
    const { stdout } = folder.run(["add", "bins", "spec/openapi.json", ...hosts, ...choice]);
    expect(stdout).toContain("mapped 2, skipped 0, left out by --include and --exclude 2");
    expect(JSON.parse(folder.read("apis/bins/config.json")!)).toMatchObject({
      description: "Boxes",
      domains: ["eu.bins.test", "files.bins.test"],
      credentials: ["BIN_TOKEN"],
    });
    expect(names(folder)).toEqual(["list_bins", "list_files"]);
  });

  test.each([
    [{ servers: [{ url: "http://plain.test:80" }], paths: { "/x": { get: {} } } }, [], "names no https server"],
    [{}, ["--scheme", "nope"], "the document's security schemes are key, other"],
    [{}, ["--include", "colour:red"], "is no filter"],
    [{}, ["--allow-host", "https://x/y"], "write a host"],
  ])("refuses %o with %o and writes nothing", (part, options, message) => {
    const folder = folderWith({ ...DOCUMENT, ...part });
    const { code, stderr } = folder.run(["add", "bins", "spec", ...options]);
    expect(code).toBe(1);
    expect(stderr).toContain(message);
    expect(folder.read("apis/bins/config.json")).toBeUndefined();
  });

  test("names a credential for a document that knows of none", () => {
    const { security: _, components: __, ...open } = DOCUMENT;
    const folder = folderWith(open);
    folder.run(["add", "bins", "spec", "--credential", "BIN_TOKEN@header:x-key"]);
    expect(JSON.parse(folder.read("apis/bins/config.json")!).credentials).toEqual([
      { name: "BIN_TOKEN", in: ["header:x-key"] },
    ]);
  });
});

describe("codeforge add --update", () => {
  const NEXT = {
    ...DOCUMENT,
    paths: {
      "/bins": {
        get: { operationId: "allBins", tags: ["bins"], summary: "List bins" },
        post: { operationId: "createBin", summary: "Make" },
      },
      "/labels": { get: { operationId: "listLabels", security: [{ other: [] }] } },
      "/new": { get: { operationId: "elsewhere", servers: [{ url: "https://elsewhere.test" }] } },
    },
  };

  test("shows what is renamed, removed, added and changed before it writes any of it", () => {
    const folder = folderWith();
    folder.run(["add", "bins", "spec", "--exclude", "path:/files"]);
    folder.write("apis/bins/notes.md", "mine");
    folder.write("spec/openapi.json", JSON.stringify(NEXT));
    const before = folder.read("apis/bins/operations/index.json");

    const shown = folder.run(["add", "bins", "--update"]);
    expect(shown).toMatchObject({ code: 0, stderr: "" });
    for (const line of [
      "1 added, 1 removed, 1 renamed, 2 changed",
      "- delete_bin",
      "> list_bins is now all_bins",
      "+ list_labels",
      "~ create_bin (",
      "needs the credential BINS_OTHER",
      "elsewhere.test is not in the API's domains",
      "Nothing is written; --yes writes it.",
    ]) {
      expect(shown.stdout).toContain(line);
    }
    expect(folder.read("apis/bins/operations/index.json")).toBe(before);

    expect(folder.run(["add", "bins", "--update", "--yes"]).code).toBe(0);
    expect(names(folder)).toEqual(["all_bins", "create_bin", "list_labels"]);
    const config = JSON.parse(folder.read("apis/bins/config.json")!);
    expect(config.domains, "a host is opened by name only").toEqual(["eu.bins.test"]);
    expect(config.credentials).toEqual([{ name: "BINS_KEY", in: ["query:api_key"] }, "BINS_OTHER"]);
    expect(folder.read("apis/bins/notes.md")).toBe("mine");
    expect(folder.run(["add", "bins", "--update"]).stdout).toContain("up to date");

    expect(folder.run(["add", "bins", "--update", "--yes", "--allow-host", "elsewhere.test"]).stdout).toContain(
      "opens the host elsewhere.test",
    );
    expect(JSON.parse(folder.read("apis/bins/config.json")!).domains).toEqual(["eu.bins.test", "elsewhere.test"]);
    expect(names(folder)).toContain("elsewhere");
  });

  test("gives a document to an API that was added without one, and asks for what it does not know", () => {
    const folder = folderWith();
    folder.writeConfig("bins", { description: "Mine", domains: ["eu.bins.test"], paths: ["/v1/**"] });
    expect(folder.run(["add", "bins", "--update"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("name the document"),
    });
    expect(folder.run(["add", "bins", "spec", "--update", "--yes"]).stdout).toContain("3 added");
    expect(JSON.parse(folder.read("apis/bins/config.json")!)).toMatchObject({ description: "Mine", paths: ["/v1/**"] });
    expect(folder.run(["add", "nope", "spec", "--update"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("no API nope"),
    });
  });
});

describe("codeforge remove", () => {
  test("removes an API's folder when that is confirmed, and nothing else", () => {
    const folder = folderWith();
    folder.run(["add", "bins", "spec"]);
    folder.write(".dev.vars", "BINS_KEY=secret-canary-9\n");
    expect(folder.run(["remove", "bins"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("nothing is removed"),
    });
    const { code, stdout, output } = folder.run(["remove", "bins", "--yes"]);
    expect(code).toBe(0);
    expect(stdout).toContain("still in .dev.vars: BINS_KEY");
    expect(output).not.toContain("canary");
    expect(readdirSync(join(folder.dir, "apis"))).toEqual([]);
    for (const name of ["../spec", ".."]) expect(folder.run(["remove", name, "--yes"]).code).toBe(1);
    expect(folder.read("spec/openapi.json")).toBeDefined();
  });
});

describe("a hostile document", () => {
  const EVIL = "*/ }; declare const evil: 1; /*\n`${process.exit()}`\u2028\u001b[2J\u202e\"'</script>";
  const hostile = {
    ...DOCUMENT,
    info: { title: EVIL, version: EVIL, description: EVIL },
    components: {
      ...DOCUMENT.components,
      schemas: {
        [EVIL]: {
          type: "object",
          description: EVIL,
          properties: { [EVIL]: { $ref: "#/components/schemas/Node" }, ["__proto__"]: { type: "string" } },
        },
        Node: {
          type: "object",
          properties: { next: { $ref: "#/components/schemas/Node" }, [EVIL]: { enum: [EVIL, "a"] } },
        },
      },
    },
    paths: {
      [`/${EVIL}`]: {
        post: {
          operationId: `../../${EVIL}`,
          summary: EVIL,
          description: EVIL,
          tags: [EVIL],
          parameters: [{ name: EVIL, in: "query", description: EVIL, schema: { default: EVIL, type: "string" } }],
          requestBody: {
            content: {
              "application/json": {
                schema: { $ref: `#/components/schemas/${EVIL.replaceAll("~", "~0").replaceAll("/", "~1")}` },
              },
            },
          },
          responses: {
            200: {
              description: EVIL,
              content: { "application/json": { schema: { $ref: "#/components/schemas/Node" } } },
            },
          },
        },
      },
      "/trace\u001b]0;x\u0007": { trace: { operationId: "t" } },
      "/constructor": { get: { operationId: "constructor" } },
      "/proto": { get: { operationId: "__proto__", tags: ["__proto__"] } },
    },
  };

  test("changes nothing outside its folder, and its text leaves neither comments, literals nor the line", () => {
    const folder = folderWith(hostile);
    const { code, output } = folder.run(["add", "bins", "spec"]);
    expect(code, output).toBe(0);
    // oxlint-disable-next-line no-control-regex
    expect(output).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e\u2028]/);
    expect(readdirSync(folder.dir).toSorted()).toEqual(["apis", "spec"]);
    expect(readdirSync(join(folder.dir, "apis/bins")).toSorted()).toEqual([
      "config.json",
      "operations",
      "source.json",
      "types.d.ts",
    ]);
    const types = readFileSync(join(folder.dir, "apis/bins/types.d.ts"), "utf8");
    // oxlint-disable-next-line no-control-regex
    expect(types).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e\u2028]/);
    expect(folder.run(["build"]).code).toBe(0);
    expect(checkTypes(join(folder.dir, "apis/bins/types.d.ts"))).toBe("");
    expect(types).not.toMatch(/^\s*declare const evil/m);
  });

  test("is not written through a link or under another name", () => {
    const folder = folderWith();
    for (const name of ["../bins", "Bins"]) {
      expect(folder.run(["add", name, "spec"])).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("folder name"),
      });
    }
    expect(folder.read("apis/bins/config.json")).toBeUndefined();
    folder.write("elsewhere/config.json", "{}");
    folder.write("apis/.keep", "");
    symlinkSync(join(folder.dir, "elsewhere"), join(folder.dir, "apis/bins"));
    expect(folder.run(["add", "bins", "spec"]).code).toBe(1);
    expect(readdirSync(join(folder.dir, "elsewhere"))).toEqual(["config.json"]);
  });
});

/** What the TypeScript compiler says of a file of types. */
function checkTypes(path: string): string {
  const tsc = resolve(import.meta.dirname, "../../node_modules/typescript/bin/tsc");
  const args = [tsc, "--noEmit", "--strict", "--ignoreConfig", "--types", "", path];
  return spawnSync(process.execPath, args, { encoding: "utf8" }).stdout;
}

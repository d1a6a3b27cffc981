import { statSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { parseJson } from "../../src/cli/json.ts";
import { configSchemaText } from "../../src/cli/commands/build.ts";
import { createCliFolder } from "../helpers/cli.ts";

const STRIPE = { description: "Payments", domains: ["api.stripe.com"], credentials: ["STRIPE_AUTH_TOKEN"] };

describe("codeforge build", () => {
  test("writes the active APIs, sorted, with their types and the schema", () => {
    const folder = createCliFolder();
    folder.writeConfig("stripe", STRIPE);
    folder.write("apis/stripe/types.d.ts", "interface Charge {}\n");
    folder.writeConfig("acme", { description: "Acme", domains: ["api.acme.test"] });
    folder.writeConfig("old", { description: "Old", domains: ["old.test"], active: false });
    folder.write("apis/.cache/config.json", "not a config");
    folder.write("apis/README.md", "not a folder");

    expect(folder.run(["build"])).toMatchObject({ code: 0, stdout: "dist: 2 APIs, 1 inactive\n", stderr: "" });

    const catalog = JSON.parse(folder.read("dist/catalog.txt")!);
    expect(catalog.apis.map((api: { name: string }) => api.name)).toEqual(["acme", "stripe"]);
    expect(JSON.parse(folder.read("dist/types.txt")!)).toEqual({ stripe: "interface Charge {}\n" });
  });

  test("leaves files alone whose text has not changed", () => {
    const folder = createCliFolder();
    folder.writeConfig("stripe", STRIPE);
    folder.run(["build"]);
    const before = statSync(join(folder.dir, "dist/catalog.txt"));
    expect(folder.run(["build"]).stdout).toBe("dist: 1 API (unchanged)\n");
    const after = statSync(join(folder.dir, "dist/catalog.txt"));
    expect([after.ino, after.mtimeMs]).toEqual([before.ino, before.mtimeMs]);
  });

  test("reports every issue of every file at once and writes nothing", () => {
    const folder = createCliFolder();
    folder.writeConfig("acme", { description: "", domains: ["https://x/path"], credentails: [] });
    folder.write("apis/broken/config.json", '{\n  "description": "x",\n}\n');
    folder.write("apis/empty/notes.txt", "");
    folder.writeConfig("Bad Name", STRIPE);

    const { code, stderr } = folder.run(["build"]);
    expect(code).toBe(1);
    for (const part of [
      `${join("apis", "acme", "config.json")}: description: say in a few words`,
      `${join("apis", "acme", "config.json")}: domains[0]: write a host`,
      `${join("apis", "acme", "config.json")}: unknown "credentails"`,
      `${join("apis", "broken", "config.json")}: not valid JSON at line 3, column 1: remove the comma`,
      `${join("apis", "empty", "config.json")}: there is no such file`,
      `${join("apis", "Bad Name", "config.json")}: folder name: use 1 to 32`,
      "6 issues",
    ]) {
      expect(stderr).toContain(part);
    }
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(folder.read("dist/catalog.txt")).toBeUndefined();
  });

  test("refuses a value in a config with the command that moves it, without repeating it", () => {
    const folder = createCliFolder();
    folder.writeConfig("stripe", { ...STRIPE, credentials: { STRIPE_AUTH_TOKEN: "canary-4242" } });
    const { code, stderr, output } = folder.run(["build"]);
    expect(code).toBe(1);
    expect(stderr).toContain("codeforge secret move");
    expect(output).not.toContain("canary");
  });

  test("knows no APIs in a checkout that has none", () => {
    expect(createCliFolder().run(["build"])).toMatchObject({ code: 0, stdout: "dist: 0 APIs\n" });
  });
});

describe("the command line", () => {
  test.each([
    { args: ["bild"], says: "unknown command 'bild'" },
    { args: ["build", "x"], says: "too many arguments" },
    { args: ["build", "--nope"], says: "unknown option '--nope'" },
  ])("answers wrong usage $args with exit code 2", ({ args, says }) => {
    const { code, stderr } = createCliFolder().run(args);
    expect(code).toBe(2);
    expect(stderr).toContain(says);
  });

  test.each([[["--help"]], [["build", "--help"]], [["help", "build"]]])("shows help for %j", (args) => {
    const { code, stdout } = createCliFolder().run(args);
    expect(code).toBe(0);
    expect(stdout).toContain("Usage: codeforge");
  });

  test("says of a fault of its own that it is one, and shows the stack only when asked", () => {
    const folder = createCliFolder();
    folder.write("apis/stripe/config.json/in-the-way", "");
    const brief = folder.run(["build"]);
    expect(brief).toMatchObject({ code: 1, stdout: "" });
    expect(brief.stderr).toContain("codeforge failed in a way it should not: EISDIR");
    expect(brief.stderr).not.toMatch(/^\s+at /m);
    expect(folder.run(["build"], { env: { CODEFORGE_DEBUG: "1" } }).stderr).toMatch(/^\s+at /m);
  });
});

test("the published JSON Schema is current (vitest --update writes it)", async () => {
  await expect(configSchemaText()).toMatchFileSnapshot("../../docs/config.schema.json");
});

describe("parseJson", () => {
  test.each([
    { text: "", where: "line 1, column 1: it ends too early" },
    { text: '{"a": 1', where: "line 1, column 8: it ends too early" },
    { text: '{"a": [1, 2,]}', where: "line 1, column 13: remove the comma" },
    { text: '{\n  // note\n  "a": 1\n}', where: "line 2, column 3: comments are not possible" },
    { text: "{'a': 1}", where: "line 1, column 2: use double quotes" },
    { text: '{"a": 1\n "b": 2}', where: "line 2, column 2: a comma may be missing" },
    { text: '{"a": canary}', where: "line 1, column 7: this is not expected" },
    { text: '{"a": "canary}', where: "line 1, column 7: this string is not closed" },
    {
      text: '{"a": "C:\\canary"}',
      where: "line 1, column 7: this string is not closed on its line, or holds a backslash",
    },
    { text: '{"a": 1} x', where: "line 1, column 10: this is not expected" },
    { text: '{"a": 01}', where: "line 1, column 8: this is not expected" },
  ])("finds the error in $text", ({ text, where }) => {
    const result = parseJson(text);
    expect(result).toMatchObject({ ok: false, message: expect.stringContaining(`not valid JSON at ${where}`) });
    expect(JSON.stringify(result)).not.toContain("canary");
  });

  test("ignores a byte order mark", () => {
    expect(parseJson('\uFEFF{"a":1}')).toEqual({ ok: true, value: { a: 1 } });
  });
});

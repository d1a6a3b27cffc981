import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";

import { describe, expect, test } from "vitest";

import { toConfigText } from "../../src/cli/config-text.ts";
import { parseConfig } from "../../src/contract/config.ts";
import { createCliFolder } from "../helpers/cli.ts";

describe("codeforge add", () => {
  test("writes the folder and says what to do next", () => {
    const folder = createCliFolder();
    const args = ["--domain", "api.stripe.com", "--domain", "files.stripe.com", "--credential", "STRIPE_AUTH_TOKEN"];
    const more = ["--description", "Payments", "--reference", "https://docs.stripe.com/api", "--restrict", "delete"];
    const { code, stdout, stderr } = folder.run(["add", "stripe", ...args, ...more]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });

    const config: unknown = JSON.parse(folder.read("apis/stripe/config.json")!);
    expect(config).toEqual({
      $schema: expect.stringMatching(/^\.\.\/.*docs\/config\.schema\.json$/),
      description: "Payments",
      domains: ["api.stripe.com", "files.stripe.com"],
      credentials: ["STRIPE_AUTH_TOKEN"],
      reference: "https://docs.stripe.com/api",
      restricted_methods: ["DELETE"],
    });
    expect(parseConfig(config).ok).toBe(true);
    expect(stdout).toContain("npx codeforge secret set STRIPE_AUTH_TOKEN");
    expect(stdout).toContain('fetch("https://api.stripe.com/"');
    expect(folder.run(["build"]).code).toBe(0);
  });

  test.each([
    { credential: "A_KEY", entry: "A_KEY", code: 'headers: { Authorization: "Bearer A_KEY" }' },
    {
      credential: "A_KEY@header:x-api-key",
      entry: { name: "A_KEY", in: ["header:x-api-key"] },
      code: '{ "x-api-key": "A_KEY" }',
    },
    {
      credential: "A_KEY@query:key@header",
      entry: { name: "A_KEY", in: ["query:key", "header"] },
      code: "a.test/?key=A_KEY",
    },
    { credential: "A_KEY@path", entry: { name: "A_KEY", in: ["path"] }, code: "a.test/A_KEY/" },
    { credential: "A_KEY@body:secret", entry: { name: "A_KEY", in: ["body:secret"] }, code: '{ "secret": "A_KEY" }' },
  ])("puts $credential where it is said to go, in the config and in the example", ({ credential, entry, code }) => {
    const folder = createCliFolder();
    const { stdout } = folder.run(["add", "a", "--domain", "a.test", "--credential", credential]);
    expect(JSON.parse(folder.read("apis/a/config.json")!).credentials).toEqual([entry]);
    expect(stdout).toContain(code);
  });

  test("reports every issue at once, repeats no value and writes nothing", () => {
    const folder = createCliFolder();
    const bad = ["--domain", "https://a.test/path", "--credential", "A_KEY=canary-4242", "--restrict", "FETCH"];
    const { code, stderr, output } = folder.run(["add", "a", ...bad, "--reference", "http://a.test"]);
    expect(code).toBe(1);
    for (const place of ["domains[0]", "credentials[0]", "reference", "restricted_methods[0]"]) {
      expect(stderr).toContain(`a: ${place}: `);
    }
    expect(output).not.toContain("canary");
    expect(folder.read("apis/a/config.json")).toBeUndefined();
  });

  test("does not overwrite an API, take another's credential, or leave apis/", () => {
    const folder = createCliFolder();
    folder.writeConfig("a", { description: "A", domains: ["a.test"], credentials: ["A_KEY"] });
    folder.write("apis/broken/config.json", "{");
    const before = folder.read("apis/a/config.json");

    const again = folder.run(["add", "a", "--domain", "b.test"]);
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining("exists already") });
    expect(folder.read("apis/a/config.json")).toBe(before);

    const taken = folder.run(["add", "b", "--domain", "b.test", "--credential", "A_KEY"]);
    expect(taken).toMatchObject({ code: 1, stderr: expect.stringContaining("A_KEY belongs to a") });

    const outside = folder.run(["add", "../b", "--domain", "b.test"]);
    expect(outside).toMatchObject({ code: 1, stderr: expect.stringContaining("folder name: ") });
    expect(folder.read("b/config.json")).toBeUndefined();

    expect(folder.run(["add", "b", "--domain", "b.test"]).code, "beside a broken API").toBe(0);
  });

  test("asks for a host with exit code 2", () => {
    expect(createCliFolder().run(["add", "a"])).toMatchObject({ code: 2, stderr: expect.stringContaining("--domain") });
  });
});

test("a written config is laid out as the formatter leaves it", () => {
  const folder = createCliFolder();
  const config = {
    description: 'Grüße "quoted"',
    domains: Array.from({ length: 12 }, (_, index) => `host-${index}.example.com`),
    credentials: ["A_KEY", { name: "B_KEY", in: ["header:x-api-key", "query:key"] }],
    restricted_methods: [],
    reference: null,
    active: false,
  };
  const text = toConfigText(config);
  expect(JSON.parse(text)).toEqual(config);
  folder.write("config.json", text);
  const root = resolve(import.meta.dirname, "../..");
  const oxfmt = join(root, "node_modules/oxfmt/bin/oxfmt");
  const args = [oxfmt, "--config", join(root, ".oxfmtrc.json"), "--check", "config.json"];
  expect(spawnSync(process.execPath, args, { cwd: folder.dir, encoding: "utf8" })).toMatchObject({ status: 0 });
});

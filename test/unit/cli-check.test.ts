import { describe, expect, test } from "vitest";

import { buildCatalog, type Catalog } from "../../src/contract/catalog.ts";
import { collectSecrets } from "../../src/contract/secrets.ts";
import { findAll } from "../../src/cli/findings.ts";
import { createCliFolder } from "../helpers/cli.ts";

const VALUE = "canary-4242-4242";

describe("codeforge check", () => {
  test("is content with a complete checkout", () => {
    const folder = createCliFolder();
    folder.writeConfig("stripe", { description: "Payments", domains: ["api.stripe.com"], credentials: ["STRIPE_KEY"] });
    folder.writeConfig("old", { description: "Old", domains: ["old.test"], credentials: ["OLD_KEY"], active: false });
    folder.write(".dev.vars", `STRIPE_KEY=${VALUE}\n`);
    const { code, stdout, stderr } = folder.run(["check"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toBe(
      [
        "api     domains         credentials",
        "stripe  api.stripe.com  STRIPE_KEY",
        "inactive: old",
        "",
        "1 of 64 (Workers Free) or 128 (Paid) variables; 0 errors, 0 warnings",
        "",
      ].join("\n"),
    );
  });

  test("says what is missing and strange with exit code 0, and what is wrong with 1, and shows no value", () => {
    const folder = createCliFolder();
    folder.writeConfig("stripe", { description: "Payments", domains: ["api.stripe.com"], credentials: ["STRIPE_KEY"] });
    const missing = folder.run(["check"]);
    expect(missing).toMatchObject({ code: 0, stdout: expect.stringContaining("STRIPE_KEY (missing)") });

    folder.write(".dev.vars", `STRIPE_KEY=${VALUE}\nSECRETS='{"STRIPE_KEY":"${VALUE}-2"}'\n`);
    const contradiction = folder.run(["check"]);
    expect(contradiction).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("error: STRIPE_KEY has different"),
    });
    expect(contradiction.output).not.toContain("canary");

    folder.write(".dev.vars", `SECRETS='{"STRIPE_KEY":${VALUE}}'\n`);
    const malformed = folder.run(["check"]);
    expect(malformed).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("error: SECRETS is not a JSON object"),
    });
    expect(malformed.output).not.toContain("canary");
  });

  test("reports broken configs and secrets together, and two owners of one name", () => {
    const folder = createCliFolder();
    folder.writeConfig("a", { description: "A", domains: ["a.test"], credentials: ["A_KEY"] });
    folder.writeConfig("b", { description: "B", domains: ["b.test"], credentials: ["A_KEY"] });
    folder.write(".dev.vars", "SECRETS=x");
    const { code, stderr } = folder.run(["check"]);
    expect(code).toBe(1);
    expect(stderr).toContain('credentials[0]: A_KEY belongs to a; rename one, or set "shared": true in both');
    expect(stderr).toContain("SECRETS is not a JSON object");
  });
});

interface Case {
  readonly title: string;
  readonly apis: Readonly<Record<string, { domains?: string[]; credentials?: unknown[] }>>;
  readonly vars?: Readonly<Record<string, string>>;
  readonly says: readonly string[];
}

const many = (count: number): string[] => Array.from({ length: count }, (_, index) => `KEY_${index}`);
const valuesFor = (names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, VALUE]));

const CASES: readonly Case[] = [
  { title: "nothing", apis: { a: {} }, says: [] },
  { title: "a missing value", apis: { a: { credentials: ["A_KEY"] } }, says: ["warning: a: A_KEY has no value; run"] },
  {
    title: "T16: a short value",
    apis: { a: { credentials: ["A_KEY"] } },
    vars: { A_KEY: "1234567" },
    says: ["warning: a: A_KEY is shorter"],
  },
  {
    title: "a short name of a user",
    apis: { a: { credentials: [{ name: "A_USER", sensitive: false }] } },
    vars: { A_USER: "joe" },
    says: [],
  },
  {
    title: "an unused value",
    apis: { a: {} },
    vars: { A_KEY: VALUE },
    says: ["note: A_KEY has a value, but no active API"],
  },
  {
    title: "the previous value of one that is being rotated",
    apis: { a: { credentials: ["A_KEY"] } },
    vars: { A_KEY: VALUE, A_KEY_PREVIOUS: `${VALUE}-old` },
    says: [],
  },
  {
    title: "variables of the server's own",
    apis: { a: {} },
    vars: { DEBUG_MODE: "true", REDACTING_STRINGS: "x" },
    says: [],
  },
  {
    title: "a value pasted as a name",
    apis: { a: {} },
    vars: { "canary-": VALUE },
    says: ["note: 1 of the variables have names"],
  },
  { title: "64 variables", apis: { a: { credentials: many(64) } }, vars: valuesFor(many(64)), says: [] },
  {
    title: "65 variables",
    apis: { a: { credentials: many(65) } },
    vars: valuesFor(many(65)),
    says: ["warning: 65 variables are more than a deployed Worker takes on Workers Free (64); put several"],
  },
  {
    title: "129 variables",
    apis: { a: { credentials: many(129) } },
    vars: valuesFor(many(129)),
    says: ["warning: 129 variables are more than a deployed Worker takes on any plan (128)"],
  },
  {
    title: "129 values in one map",
    apis: { a: { credentials: many(129) } },
    vars: { SECRETS: JSON.stringify(valuesFor(many(129))) },
    says: [],
  },
  {
    title: "a long value",
    apis: { a: { credentials: ["A_KEY"] } },
    vars: { A_KEY: "é".repeat(2561) },
    says: ["warning: A_KEY is longer than the 5 KB"],
  },
  {
    title: "plain http with a credential",
    apis: { a: { domains: ["http://10.0.0.7:80"], credentials: ["A_KEY"] } },
    vars: { A_KEY: VALUE },
    says: ["warning: a: credentials travel unencrypted to http://10.0.0.7:80"],
  },
  {
    title: "plain http on loopback",
    apis: { a: { domains: ["http://127.0.0.1:9000", "http://localhost:1", "http://[::1]:2"], credentials: ["A_KEY"] } },
    vars: { A_KEY: VALUE },
    says: [],
  },
  {
    title: "wildcards over strangers",
    apis: { a: { domains: ["*.githubusercontent.com", "*.workers.dev", "*.s3.eu-west-1.amazonaws.com"] } },
    says: [
      "warning: a: anyone can get a host under *.githubusercontent.com",
      "warning: a: anyone can get a host under *.workers.dev",
      "warning: a: anyone can get a host under *.s3.eu",
    ],
  },
  {
    title: "wildcards and hosts of one's own",
    apis: { a: { domains: ["*.me.workers.dev", "raw.githubusercontent.com", "*.notworkers.dev", "*.stripe.com"] } },
    says: [],
  },
  {
    title: "one host in two APIs",
    apis: { a: { domains: ["x.test"] }, b: { domains: ["y.test", "x.test"] } },
    says: ["note: a and b: both have x.test"],
  },
  {
    title: "a host under another's wildcard",
    apis: { a: { domains: ["v1.x.test"] }, b: { domains: ["*.x.test"] } },
    says: ["note: a and b: v1.x.test and *.x.test overlap"],
  },
  {
    title: "a wildcard under another's wildcard",
    apis: { a: { domains: ["*.x.test"] }, b: { domains: ["*.v1.x.test"] } },
    says: ["note: a and b: *.x.test and *.v1.x.test overlap"],
  },
  {
    title: "hosts that only look alike",
    apis: {
      a: { domains: ["x.test", "z.test:444"] },
      b: { domains: ["*.x.test", "yx.test", "z.test", "http://z.test:444"] },
    },
    says: [],
  },
];

describe("findAll", () => {
  test.each(CASES)("finds $title", ({ apis, vars = {}, says }) => {
    const env = { ...vars };
    const secrets = { variables: new Map(Object.entries(env)), ...collectSecrets(env) };
    const messages = findAll(toCatalog(apis), secrets).map(({ level, message }) => `${level}: ${message}`);
    expect(messages).toEqual(says.map((part) => expect.stringContaining(part)));
    expect(messages.join("\n")).not.toContain("canary");
  });
});

function toCatalog(apis: Case["apis"]): Catalog {
  const sources = Object.entries(apis).map(([name, config]) => ({
    name,
    config: { description: name, domains: [`${name}.test`], ...config },
  }));
  const built = buildCatalog(sources);
  if (!built.ok) throw new Error(JSON.stringify(built.issues));
  return built.catalog;
}

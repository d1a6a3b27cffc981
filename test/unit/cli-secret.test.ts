import { chmodSync, lstatSync, readdirSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { putRemote } from "../../src/cli/commands/secret/set.ts";
import { openProject } from "../../src/cli/project.ts";
import { parseVars } from "../../src/cli/secrets-file.ts";
import { createCliFolder, type CliFolder } from "../helpers/cli.ts";

const STRIPE = { description: "Payments", domains: ["api.stripe.com"], credentials: ["STRIPE_AUTH_TOKEN"] };
const CANARY = "canary-4242-4242";

function withStripe(): CliFolder {
  const folder = createCliFolder();
  folder.writeConfig("stripe", STRIPE);
  return folder;
}

function varsOf(folder: CliFolder): Record<string, string> {
  return Object.fromEntries(parseVars(folder.read(".dev.vars") ?? ""));
}

describe("codeforge secret set", () => {
  test("writes a piped value without its last line break and shows nothing of it", () => {
    const folder = withStripe();
    const { code, output } = folder.run(["secret", "set", "STRIPE_AUTH_TOKEN"], { input: `${CANARY}\n` });
    expect(code).toBe(0);
    expect(output).toBe("STRIPE_AUTH_TOKEN is set in .dev.vars.\n");
    expect(folder.read(".dev.vars")).toBe(`STRIPE_AUTH_TOKEN=${CANARY}\n`);
    expect(readdirSync(folder.dir).toSorted()).toEqual([".dev.vars", "apis"]);
  });

  test.each([
    { input: "canary\r\n", value: "canary" },
    { input: "canary\n\n", value: "canary\n" },
    { input: "-----BEGIN-----\ncan'ary\n-----END-----\n", value: "-----BEGIN-----\ncan'ary\n-----END-----" },
    { input: ' canary "# $X\\ ', value: ' canary "# $X\\ ' },
  ])("keeps $value as it is", ({ input, value }) => {
    const folder = withStripe();
    const { code, output } = folder.run(["secret", "set", "STRIPE_AUTH_TOKEN"], { input });
    expect(code).toBe(0);
    expect(output).not.toMatch(/can'?ary/);
    expect(varsOf(folder)).toEqual({ STRIPE_AUTH_TOKEN: value });
  });

  test("keeps every other line and comment byte for byte", () => {
    const folder = withStripe();
    folder.write(".dev.vars", "# mine\r\nOTHER='x y' # note\r\n\r\nSTRIPE_AUTH_TOKEN=old # mine too\r\n");
    folder.run(["secret", "set", "STRIPE_AUTH_TOKEN"], { input: CANARY });
    expect(folder.read(".dev.vars")).toBe(
      `# mine\r\nOTHER='x y' # note\r\n\r\nSTRIPE_AUTH_TOKEN=${CANARY} # mine too\r\n`,
    );
  });

  test.skipIf(process.platform === "win32")("makes the file readable by its owner alone, and follows a link", () => {
    const folder = withStripe();
    folder.write("elsewhere", "");
    chmodSync(join(folder.dir, "elsewhere"), 0o644);
    symlinkSync("elsewhere", join(folder.dir, ".dev.vars"));
    folder.run(["secret", "set", "STRIPE_AUTH_TOKEN"], { input: CANARY });
    expect(lstatSync(join(folder.dir, ".dev.vars")).isSymbolicLink()).toBe(true);
    expect(statSync(join(folder.dir, "elsewhere")).mode & 0o777).toBe(0o600);
    expect(folder.read("elsewhere")).toContain(CANARY);
  });

  test.each([
    { name: "YOLO_MODE", input: CANARY, code: 1, says: "a name of the server's own" },
    { name: "stripe-token", input: CANARY, code: 1, says: "use the credential's NAME" },
    { name: CANARY, input: CANARY, code: 1, says: "use the credential's NAME" },
    { name: "STRIPE_AUTH_TOKEN", input: "\n", code: 1, says: "no value was given" },
    { name: "STRIPE_AUTH_TOKEN", input: `'"\`# ${CANARY}`, code: 1, says: "cannot hold this value" },
    { name: "SECRETS", input: `{"A_KEY":${CANARY}}`, code: 1, says: "SECRETS is not a JSON object" },
    { name: "STRIPE_AUTH_TOKEN", more: [CANARY], code: 2, says: "give only the NAME" },
    { name: "STRIPE_AUTH_TOKEN", more: [`--value=${CANARY}`], code: 2, says: "give only the NAME" },
    { name: "STRIPE_AUTH_TOKEN", more: ["--env", "staging"], code: 2, says: "--env needs --remote" },
  ])("refuses $name $more with $input", ({ name, more = [], input = "", code, says }) => {
    const folder = withStripe();
    const result = folder.run(["secret", "set", name, ...more], { input });
    expect(result).toMatchObject({ code, stdout: "", stderr: expect.stringContaining(says) });
    expect(result.output).not.toContain("canary");
    expect(result.output).not.toMatch(/^\s+at /m);
    expect(folder.read(".dev.vars")).toBeUndefined();
  });

  test.each([
    { name: "STRIPE_AUTH_TOKEN", input: "canary", says: "shorter than 8 characters" },
    { name: "STRIPE_AUTH_TOKEN", input: `${CANARY} `, says: "white space" },
    { name: "STRIPE_AUTH_TOKEN", input: CANARY.repeat(400), says: "longer than 5 KB" },
    { name: "ACME_KEY", input: CANARY, says: "no active API in apis names ACME_KEY" },
  ])("stores, with a warning: $says", ({ name, input, says }) => {
    const folder = withStripe();
    const result = folder.run(["secret", "set", name], { input });
    expect(result).toMatchObject({ code: 0, stderr: expect.stringContaining(says) });
    expect(result.output).not.toContain("canary");
    expect(varsOf(folder)).toEqual({ [name]: input });
  });

  test("takes a whole SECRETS map and REDACTING_STRINGS", () => {
    const folder = withStripe();
    folder.run(["secret", "set", "SECRETS_1"], { input: `{"STRIPE_AUTH_TOKEN":"${CANARY}"}` });
    expect(folder.run(["secret", "set", "REDACTING_STRINGS"], { input: "Jane Roe" })).toMatchObject({
      code: 0,
      stderr: "",
    });
    expect(folder.run(["secret", "list"]).stdout).toMatch(/STRIPE_AUTH_TOKEN +set +stripe/);
  });
});

describe("codeforge secret set --remote", () => {
  test("pipes the value to wrangler and passes only names as arguments", async () => {
    const folder = createCliFolder();
    const fake = `
      const { writeFileSync } = require("node:fs");
      const { text } = require("node:stream/consumers");
      text(process.stdin).then((input) => {
        const sanitize = process.env.WRANGLER_LOG_SANITIZE;
        writeFileSync(__dirname + "/call.json", JSON.stringify({ args: process.argv.slice(2), input, sanitize }));
      });`;
    folder.write("wrangler.cjs", fake);
    const project = openProject();
    await putRemote(project, "A_KEY", `${CANARY}\nline`, { env: "staging" }, join(folder.dir, "wrangler.cjs"));
    const config = join(project.root, "outbound-proxy", "wrangler.toml");
    expect(JSON.parse(folder.read("call.json")!)).toEqual({
      args: ["secret", "put", "A_KEY", "--config", config, "--name", "codeforge-outbound-proxy-staging"],
      input: `${CANARY}\nline`,
      sanitize: "true",
    });
  });

  test("says what to do when wrangler fails, even without reading the value", async () => {
    const folder = createCliFolder();
    folder.write("wrangler.cjs", "process.exit(3);");
    const put = putRemote(openProject(), "A_KEY", CANARY.repeat(100_000), {}, join(folder.dir, "wrangler.cjs"));
    await expect(put).rejects.toThrow(/could not store A_KEY \(exit code 3\).+wrangler login/);
  });
});

describe("codeforge secret move", () => {
  test("moves values into .dev.vars and leaves their names", () => {
    const folder = createCliFolder();
    folder.writeConfig("stripe", {
      ...STRIPE,
      credentials: { STRIPE_AUTH_TOKEN: CANARY, STRIPE_ID: "" },
      active: true,
    });
    folder.write(".dev.vars", "# mine\nOTHER=x\n");
    const { code, output } = folder.run(["secret", "move", "stripe"]);
    expect(code).toBe(0);
    expect(output).not.toContain("canary");
    expect(output).toContain(": STRIPE_AUTH_TOKEN.\n");
    expect(folder.read(".dev.vars")).toBe(`# mine\nOTHER=x\nSTRIPE_AUTH_TOKEN=${CANARY}\n`);
    const config = JSON.parse(folder.read("apis/stripe/config.json")!);
    expect(config).toEqual({ ...STRIPE, credentials: ["STRIPE_AUTH_TOKEN", "STRIPE_ID"], active: true });
    expect(folder.run(["build"]).code).toBe(0);
  });

  test("is content with a value that is there already, and names what else is wrong", () => {
    const folder = createCliFolder();
    folder.writeConfig("stripe", { ...STRIPE, credentials: { STRIPE_AUTH_TOKEN: CANARY }, Active: true });
    folder.write(".dev.vars", `STRIPE_AUTH_TOKEN='${CANARY}'\n`);
    const { code, output } = folder.run(["secret", "move", "stripe"]);
    expect(code).toBe(0);
    expect(output).toContain('unknown "Active"');
    expect(output).not.toContain("canary");
  });

  test.each([
    {
      title: "another value",
      credentials: { STRIPE_AUTH_TOKEN: CANARY },
      vars: "STRIPE_AUTH_TOKEN=canary-other",
      says: "another value of STRIPE_AUTH_TOKEN",
    },
    {
      title: "another value in a map",
      credentials: { STRIPE_AUTH_TOKEN: CANARY },
      vars: `SECRETS='{"STRIPE_AUTH_TOKEN":"canary-other"}'`,
      says: "another value of STRIPE_AUTH_TOKEN",
    },
    {
      title: "a key that is no name",
      credentials: { [CANARY]: "A_KEY" },
      vars: "",
      says: "member 1: use the credential's NAME",
    },
    {
      title: "a reserved name",
      credentials: { ADMIN_TOKEN: CANARY },
      vars: "",
      says: "member 1: this name is reserved",
    },
    {
      title: "a number",
      credentials: { STRIPE_AUTH_TOKEN: 4242 },
      vars: "",
      says: "STRIPE_AUTH_TOKEN: its value is not a text",
    },
    {
      title: "a value the file cannot hold",
      credentials: { STRIPE_AUTH_TOKEN: `'"\`#${CANARY}` },
      vars: "",
      says: "cannot hold this value",
    },
    { title: "no values", credentials: ["STRIPE_AUTH_TOKEN"], vars: "", says: "holds no values" },
  ])("changes nothing when it finds $title", ({ credentials, vars, says }) => {
    const folder = createCliFolder();
    folder.writeConfig("stripe", { ...STRIPE, credentials });
    folder.write(".dev.vars", vars);
    const before = folder.read("apis/stripe/config.json");
    const { code, stderr, output } = folder.run(["secret", "move", "stripe"]);
    expect(code).toBe(1);
    expect(stderr).toContain(says);
    expect(output).not.toMatch(/canary|4242/);
    expect(folder.read("apis/stripe/config.json")).toBe(before);
    expect(folder.read(".dev.vars")).toBe(vars);
  });

  test("says where an API is missing, and a config is not JSON, without showing it", () => {
    const folder = createCliFolder();
    folder.write("apis/broken/config.json", `{"credentials": {"A_KEY": ${CANARY}}}`);
    expect(folder.run(["secret", "move", "nope"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("no such file"),
    });
    const broken = folder.run(["secret", "move", "broken"]);
    expect(broken).toMatchObject({ code: 1, stderr: expect.stringContaining("line 1, column 27") });
    expect(broken.output).not.toContain("canary");
  });
});

describe("codeforge secret list", () => {
  test("lists names, whether they are set and who uses them, and no value", () => {
    const folder = withStripe();
    folder.writeConfig("acme", {
      description: "Acme",
      domains: ["acme.test"],
      credentials: ["ACME_KEY", { name: "BOTH", shared: true }],
    });
    folder.writeConfig("other", {
      description: "Other",
      domains: ["other.test"],
      credentials: [{ name: "BOTH", shared: true }],
    });
    folder.write(".dev.vars", `STRIPE_AUTH_TOKEN=${CANARY}\nEXTRA=${CANARY}\nSECRETS='{"BOTH":"${CANARY}"}'\n`);
    const { code, stdout, output } = folder.run(["secret", "list"]);
    expect(code).toBe(0);
    expect(stdout.split("\n").map((line) => line.split(/ {2,}/))).toEqual([
      ["credential", "value", "used by"],
      ["ACME_KEY", "missing", "acme"],
      ["BOTH", "set", "acme, other"],
      ["STRIPE_AUTH_TOKEN", "set", "stripe"],
      ["EXTRA", "set", "(no API)"],
      [""],
    ]);
    expect(output).not.toContain("canary");
  });
});

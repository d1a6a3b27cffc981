/**
 * Deploying, with the real wrangler against a stand-in for Cloudflare's API: from nothing, again, with a change, and away
 * again, with every call that changes something failing once. What serves is a stack on this machine, which the smoke
 * test looks at.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { forAccount } from "../../src/cli/deploy/account.ts";
import { deploy, type Deployed, type DeployOptions } from "../../src/cli/deploy/deploy.ts";
import { smokeTest, type SmokeResult } from "../../src/cli/deploy/smoke.ts";
import { planTeardown, tearDown } from "../../src/cli/deploy/teardown.ts";
import { sortValues } from "../../src/cli/deploy/values.ts";
import { openProject } from "../../src/cli/project.ts";
import { ACCOUNT, startCloudflare, TOKEN, type StandIn } from "../helpers/cloudflare.ts";
import { startTestStack, type TestStack } from "../helpers/stack.ts";

const ADMIN_TOKEN = "an-admin-token-for-the-deployed-server";
const CRM_KEY = "the-crm-key-of-this-test";
const FIXTURE = join(import.meta.dirname, "../fixtures/deployment");
const PROXY = "/workers/scripts/codeforge-outbound-proxy";
const SANDBOX = "/workers/scripts/codeforge-sandbox";
const SERVER = "/workers/scripts/codeforge";

let cloudflare: StandIn;
let stack: TestStack;
let out: string;
let said: string[] = [];
/** Where the smoke test looks: at the stack, or where nothing answers. */
let served: string;

beforeAll(async () => {
  out = mkdtempSync(join(tmpdir(), "codeforge-deploy-"));
  cloudflare = await startCloudflare();
  Object.assign(process.env, cloudflare.env);
  stack = await startTestStack({ adminToken: ADMIN_TOKEN, connect: false });
  served = stack.url.origin;
});
afterAll(async () => {
  await stack.stop();
  await cloudflare.stop();
  rmSync(out, { recursive: true, force: true });
});

const account = () => ({ id: ACCOUNT, token: TOKEN, baseUrl: cloudflare.url });

type Ask = (name: string) => Promise<string>;

/** Deploys with the values of every run here and those of this one. `cloudflare.writes` has its calls afterwards. */
async function run(
  values: Record<string, string> = {},
  options: Partial<DeployOptions> = {},
  ask?: Ask,
): Promise<Deployed | null> {
  cloudflare.writes.length = 0;
  said = [];
  const project = { ...openProject({ apis: join(FIXTURE, "apis") }), out };
  const given = sortValues(new Map(Object.entries({ ADMIN_TOKEN, CRM_KEY, ...values })));
  return deploy(
    project,
    given,
    { dryRun: false, allowDebug: false, skipMissing: false, ...options },
    {
      account: account(),
      wrangler: forAccount(account()),
      smokeTest: async (smoke): Promise<readonly SmokeResult[]> => {
        expect(smoke.url).toBe("https://codeforge.acme.workers.dev");
        return smokeTest({ ...smoke, url: served, patienceMs: 0 });
      },
      say: (text) => said.push(text),
      ask,
    },
  );
}

/** What a deployment that fails says, without the values that it was given. */
async function failureOf(deployment: Promise<unknown>): Promise<string> {
  const text = await deployment.then(
    () => "it did not fail",
    (error: Error) => error.message,
  );
  for (const value of [ADMIN_TOKEN, CRM_KEY, TOKEN]) expect(`${said.join("\n")}${text}`).not.toContain(value);
  return text;
}

function live(): Record<string, unknown> {
  return Object.fromEntries([...cloudflare.scripts].map(([name, script]) => [name, script.live]));
}

it("checks before it touches anything, and says all that is in the way", async () => {
  const text = await failureOf(run({ DEBUG_MODE: "true", ADMIN_TOKEN: "", CRM_KEY: "" }));
  expect(text).toContain("Nothing is deployed. Put this right first:");
  for (const obstacle of ["no value for CRM_KEY", "DEBUG_MODE is on", "no authentication is set"]) {
    expect(text).toContain(obstacle);
  }
  await expect(run({}, { dryRun: true })).resolves.toBeNull();
  expect(said.join("\n")).toContain("deploy codeforge-outbound-proxy");
  // wrangler itself has taken all three.
  expect(said.filter((line) => line.startsWith("wrangler deploy --dry-run of"))).toHaveLength(3);
  expect(cloudflare.writes).toEqual([]);
});

/** Every call of a first deployment that changes something, in order: the step it belongs to, and the call. */
const FIRST: readonly (readonly [step: string, call: string])[] = [
  ["create the R2 bucket codeforge", "POST /r2/buckets"],
  ["deploy codeforge-outbound-proxy", `PUT ${PROXY}`],
  ["deploy codeforge-outbound-proxy", `POST ${PROXY}/subdomain`],
  ["deploy codeforge-sandbox", `PUT ${SANDBOX}`],
  ["deploy codeforge-sandbox", `POST ${SANDBOX}/subdomain`],
  ["deploy codeforge", `POST ${SERVER}/assets-upload-session`],
  ["deploy codeforge", `PUT ${SERVER}`],
  ["deploy codeforge", `POST ${SERVER}/subdomain`],
];

describe("a first deployment", () => {
  const done: string[] = [];
  const answers: Readonly<Record<string, string>> = { CRM_KEY, ADMIN_TOKEN };
  const asked = new Set<string>();
  const ask: Ask = async (name) => {
    asked.add(name);
    return answers[name] ?? "";
  };

  it.each(FIRST)("that fails to %s, at %s, goes on from there the next time", async (step, call) => {
    cloudflare.failNext(call);
    const text = await failureOf(run({ CRM_KEY: "", ADMIN_TOKEN: "" }, {}, ask));
    done.push(...cloudflare.writes);
    expect(text).toContain(`Failed to ${step}:\n`);
    expect(text).toContain("told to fail here");
    const isServed = step.startsWith("deploy");
    expect(text).toContain(
      isServed ? "stays as it is; there is no version to go back to" : "Nothing that serves was changed.",
    );
    expect(text).toContain("Next: put right what is said above and run `npm run deploy` again: it goes on from here.");
    expect(text.includes("Or remove what is there: npx codeforge teardown")).toBe(isServed);
  });

  it("ends as if nothing had failed, with the secrets where they belong", async () => {
    const finished = await run();
    done.push(...cloudflare.writes);
    expect([...asked]).toEqual(["CRM_KEY", "ADMIN_TOKEN"]);
    expect(finished).toMatchObject({ url: "https://codeforge.acme.workers.dev", isChanged: true });
    // What was closed from the start need not be closed again.
    const isClosing = (call: string): boolean => call.endsWith("/subdomain") && !call.includes(`${SERVER}/`);
    expect([...new Set(done)]).toEqual(FIRST.map(([, call]) => call).filter((call) => !isClosing(call)));
    const bindingsOf = (name: string) => cloudflare.scripts.get(name)?.versions[0]?.bindings ?? [];
    const secretsOf = (name: string) => bindingsOf(name).filter(({ type }) => type === "secret_text");
    expect([...cloudflare.scripts].filter(([, { isPublic }]) => isPublic).map(([name]) => name)).toEqual(["codeforge"]);
    expect(secretsOf("codeforge-outbound-proxy").map(({ name }) => name)).toEqual(["CRM_KEY"]);
    expect(secretsOf("codeforge-sandbox")).toEqual([]);
    expect(secretsOf("codeforge").map(({ name }) => name)).toEqual(["ADMIN_TOKEN"]);
    expect(cloudflare.scripts.get("codeforge-sandbox")?.versions[0]?.modules.length).toBeGreaterThan(5);
    // What was tested is what a client sees; nothing was left out.
    const text = said.join("\n");
    expect(text.match(/ok +\S/g)).toHaveLength(6);
    expect(text).not.toContain("FAIL");
  });
});

it("does nothing the second time, and needs no value again", async () => {
  const done = await run({ ADMIN_TOKEN: "", CRM_KEY: "" });
  expect(done).toMatchObject({ isChanged: false });
  expect(said.join("\n")).toContain("No change");
  expect(cloudflare.writes).toEqual([]);
});

it("is one of two on the account with another prefix, by the command line", async () => {
  const values = join(out, "values");
  writeFileSync(values, `CRM_KEY=${CRM_KEY}\n`);
  cloudflare.writes.length = 0;
  cloudflare.failNext("POST /r2/buckets");
  const args = [
    "deploy",
    "--prefix",
    "acme",
    "--secrets",
    values,
    "--yes",
    "--apis",
    join(FIXTURE, "apis"),
    "--out",
    out,
  ];
  const child = spawn(process.execPath, [join(import.meta.dirname, "../../src/cli/main.ts"), ...args], {
    env: { ...process.env, NO_COLOR: "1", ADMIN_TOKEN },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  expect(await new Promise((done) => child.once("close", done))).toBe(1);
  expect(output).toContain("3. deploy acme-codeforge-sandbox\n");
  expect(output).toContain("Failed to create the R2 bucket acme-codeforge:\n");
  expect(output).toContain("run `npx codeforge deploy --prefix acme` again");
  for (const value of [ADMIN_TOKEN, CRM_KEY, TOKEN]) expect(output).not.toContain(value);
  expect(cloudflare.writes).toEqual([]);
});

it.each(["GET /workers/scripts", `GET ${PROXY}/versions`])(
  "changes nothing when the account cannot be read, at %s",
  async (call) => {
    cloudflare.failNext(call);
    expect(await failureOf(run())).toMatch(/^Cloudflare refuses to show \S+: The stand-in was told to fail here/);
    expect(cloudflare.writes).toEqual([]);
  },
);

const ALL = ["codeforge-outbound-proxy", "codeforge-sandbox", "codeforge"];

/** Makes it look as if other code were live of these Workers, and what is here of all others. */
function age(workers: readonly string[]): void {
  for (const [name, { live: serving, versions }] of cloudflare.scripts) {
    const version = versions.find(({ id }) => id === serving[0]?.version_id);
    if (version === undefined) throw new Error(`nothing of ${name} is live`);
    const tag = version.annotations["workers/tag"] ?? "";
    version.annotations["workers/tag"] = `${workers.includes(name) ? "other-" : ""}${tag.replace("other-", "")}`;
  }
}

describe("a deployment of what has changed", () => {
  /** The step, its call, the Workers that have changed, and those that go back, the last one first. */
  it.each<[step: string, call: string | null, changed: readonly string[], back: readonly string[]]>([
    ["upload codeforge-outbound-proxy", `POST ${PROXY}/versions`, ALL, []],
    ["upload codeforge-sandbox", `POST ${SANDBOX}/versions`, ["codeforge-sandbox"], []],
    ["upload codeforge", `POST ${SERVER}/versions`, ALL, []],
    ["promote codeforge-outbound-proxy", `POST ${PROXY}/deployments`, ALL.slice(0, 1), ALL.slice(0, 1)],
    ["promote codeforge-sandbox", `POST ${SANDBOX}/deployments`, ["codeforge-sandbox"], ["codeforge-sandbox"]],
    ["promote codeforge", `POST ${SERVER}/deployments`, ALL, ALL.toReversed()],
    ["apply the routes of codeforge", `POST ${SERVER}/subdomain`, ["codeforge"], ["codeforge"]],
    ["test https://codeforge.acme.workers.dev", null, ["codeforge"], ["codeforge"]],
  ])("that fails to %s goes back to what was live", async (step, call, changed, back) => {
    age(changed);
    const before = live();
    if (call === null) served = "http://127.0.0.1:1";
    else cloudflare.failNext(call);
    const text = await failureOf(run());
    served = stack.url.origin;
    expect(live()).toEqual(before);
    expect(text).toContain(`Failed to ${step}:\n`);
    expect([...text.matchAll(/^ {2}(\S+): rolled back to what was live before$/gm)].map(([, name]) => name)).toEqual(
      back,
    );
    expect(text.includes("Nothing that serves was changed.")).toBe(back.length === 0);
    expect(text).toContain("Next: put right what is said above and run `npm run deploy` again: it goes on from here.");
  });

  it("uploads all of it, then promotes from the bottom up, and keeps every secret", async () => {
    age(ALL);
    const done = await run({ USER_AGENT: "acme/1", ADMIN_TOKEN: "", CRM_KEY: "" });
    expect(done).toMatchObject({ isChanged: true });
    expect(cloudflare.writes).toEqual([
      `POST ${PROXY}/versions`,
      `POST ${SANDBOX}/versions`,
      `POST ${SERVER}/assets-upload-session`,
      `POST ${SERVER}/versions`,
      `POST ${PROXY}/deployments`,
      `PATCH ${PROXY}/script-settings`,
      `POST ${SANDBOX}/deployments`,
      `PATCH ${SANDBOX}/script-settings`,
      `POST ${SERVER}/deployments`,
      `POST ${SERVER}/subdomain`,
    ]);
    const { bindings = [] } = cloudflare.scripts.get("codeforge-outbound-proxy")?.versions[0] ?? {};
    expect(bindings.find(({ name }) => name === "USER_AGENT")?.text).toBe("acme/1");
    expect(bindings.find(({ name }) => name === "CRM_KEY")?.type).toBe("secret_text");
  });
});

describe("a removal", () => {
  const CALLS = [
    "DELETE /workers/services/codeforge",
    "DELETE /workers/services/codeforge-sandbox",
    "DELETE /workers/services/codeforge-outbound-proxy",
    "DELETE /r2/buckets/codeforge",
  ];
  const done: string[] = [];
  const remove = async (): Promise<string | null> => {
    cloudflare.writes.length = 0;
    const plan = await planTeardown(openProject(), {}, account());
    const parts = { wrangler: forAccount(account()), dir: tmpdir(), deleteData: true, say: () => {} };
    const failed = await tearDown(plan, parts);
    done.push(...cloudflare.writes);
    return failed;
  };

  it.each(CALLS)("that fails at %s says so, and goes on from there the next time", async (call) => {
    cloudflare.failNext(call);
    expect(await remove()).toMatch(/^Could not (?:remove|delete the R2 bucket) codeforge[\s\S]*told to fail here/);
  });

  it("goes from the top down, and leaves nothing", async () => {
    expect(await remove()).toBeNull();
    expect(done).toEqual(CALLS);
    expect((await planTeardown(openProject(), {}, account())).isEmpty).toBe(true);
    expect(cloudflare.unknown).toEqual([]);
  });
});

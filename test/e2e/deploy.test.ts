/**
 * Deploying, with the real wrangler against a stand-in for Cloudflare's API: from nothing, again, with a failure on the
 * way, with a change, and away again. What serves is a stack on this machine, which the smoke test looks at.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, expect, it } from "vitest";

import { forAccount } from "../../src/cli/deploy/account.ts";
import { deploy, type Deployed, type DeployOptions } from "../../src/cli/deploy/deploy.ts";
import { smokeTest, type SmokeResult } from "../../src/cli/deploy/smoke.ts";
import { planTeardown, tearDown } from "../../src/cli/deploy/teardown.ts";
import { sortValues } from "../../src/cli/deploy/values.ts";
import { openProject } from "../../src/cli/project.ts";
import { ACCOUNT, startCloudflare, TOKEN, type StandIn } from "../helpers/cloudflare.ts";
import { startTestStack, type TestStack } from "../helpers/stack.ts";

const ADMIN_TOKEN = "an-admin-token-for-the-deployed-server";
const FIXTURE = join(import.meta.dirname, "../fixtures/deployment");
const PROXY = "/workers/scripts/codeforge-outbound-proxy";
const SANDBOX = "/workers/scripts/codeforge-sandbox";
const SERVER = "/workers/scripts/codeforge";

let cloudflare: StandIn;
let stack: TestStack;
let out: string;
let said: string[] = [];

beforeAll(async () => {
  out = mkdtempSync(join(tmpdir(), "codeforge-deploy-"));
  cloudflare = await startCloudflare();
  Object.assign(process.env, cloudflare.env);
  stack = await startTestStack({ adminToken: ADMIN_TOKEN, connect: false });
});
afterAll(async () => {
  await stack.stop();
  await cloudflare.stop();
  rmSync(out, { recursive: true, force: true });
});

const account = () => ({ id: ACCOUNT, token: TOKEN, baseUrl: cloudflare.url });

async function run(values: Record<string, string>, options: Partial<DeployOptions> = {}): Promise<Deployed | null> {
  cloudflare.writes.length = 0;
  said = [];
  const project = { ...openProject({ apis: join(FIXTURE, "apis") }), out };
  const given = sortValues(new Map(Object.entries({ ADMIN_TOKEN, ...values })));
  return deploy(
    project,
    given,
    { dryRun: false, allowDebug: false, skipMissing: false, ...options },
    {
      account: account(),
      wrangler: forAccount(account()),
      smokeTest: async (smoke): Promise<readonly SmokeResult[]> => {
        expect(smoke.url).toBe("https://codeforge.acme.workers.dev");
        return smokeTest({ ...smoke, url: stack.url.origin });
      },
      say: (text) => said.push(text),
    },
  );
}

function live(): Record<string, unknown> {
  return Object.fromEntries([...cloudflare.scripts].map(([name, script]) => [name, script.live]));
}

it("checks before it touches anything", async () => {
  await expect(run({ DEBUG_MODE: "true" })).rejects.toThrow(/no value for CRM_KEY[\s\S]*|DEBUG_MODE is on[\s\S]*/);
  await expect(run({}, { dryRun: true, skipMissing: true })).resolves.toBeNull();
  expect(said.join("\n")).toContain("deploy codeforge-outbound-proxy");
  // wrangler itself has taken all three.
  expect(said.filter((line) => line.startsWith("wrangler deploy --dry-run of"))).toHaveLength(3);
  expect(cloudflare.writes).toEqual([]);
});

it("deploys from nothing, from the bottom up, with the secrets where they belong", async () => {
  const done = await run({ CRM_KEY: "the-crm-key-of-this-test" });
  expect(done).toMatchObject({ url: "https://codeforge.acme.workers.dev", isChanged: true });
  expect(cloudflare.writes.filter((call) => !call.endsWith("assets-upload-session"))).toEqual([
    "POST /r2/buckets",
    `PUT ${PROXY}`,
    `POST ${PROXY}/subdomain`,
    `PUT ${SANDBOX}`,
    `POST ${SANDBOX}/subdomain`,
    `PUT ${SERVER}`,
    `POST ${SERVER}/subdomain`,
  ]);
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
  expect(text).not.toContain("the-crm-key-of-this-test");
  expect(text).not.toContain(ADMIN_TOKEN);
});

it("does nothing the second time, and needs no value again", async () => {
  const done = await run({});
  expect(done).toMatchObject({ isChanged: false });
  expect(said.join("\n")).toContain("No change");
  expect(cloudflare.writes).toEqual([]);
});

it("goes back to what was live when a step fails, and says what to do", async () => {
  const before = live();
  cloudflare.failNext(/^POST \/workers\/scripts\/codeforge\/deployments$/);
  const failed = run({ USER_AGENT: "acme/1", MAX_QUEUED_RUNS: "7" });
  await expect(failed).rejects.toThrow(/Failed to promote codeforge:[\s\S]*told to fail[\s\S]*rolled back[\s\S]*Next:/);
  expect(live()).toEqual(before);
  const kept = cloudflare.writes.filter((call) => !call.includes("assets") && !call.includes("script-settings"));
  expect(kept).toEqual([
    `POST ${PROXY}/versions`,
    `POST ${SERVER}/versions`,
    `POST ${PROXY}/deployments`,
    `POST ${SERVER}/deployments`,
    `POST ${PROXY}/deployments`,
  ]);
});

it("promotes what has changed, and keeps every secret", async () => {
  const done = await run({ USER_AGENT: "acme/1" });
  expect(done).toMatchObject({ isChanged: true });
  const { bindings = [] } = cloudflare.scripts.get("codeforge-outbound-proxy")?.versions[0] ?? {};
  expect(bindings.find(({ name }) => name === "USER_AGENT")?.text).toBe("acme/1");
  expect(bindings.find(({ name }) => name === "CRM_KEY")?.type).toBe("secret_text");
});

it("is removed from the top down", async () => {
  cloudflare.writes.length = 0;
  const plan = await planTeardown(openProject(), {}, account());
  const parts = { wrangler: forAccount(account()), dir: tmpdir(), deleteData: true, say: () => {} };
  expect(await tearDown(plan, parts)).toBeNull();
  expect(cloudflare.writes).toEqual([
    "DELETE /workers/services/codeforge",
    "DELETE /workers/services/codeforge-sandbox",
    "DELETE /workers/services/codeforge-outbound-proxy",
    "DELETE /r2/buckets/codeforge",
  ]);
  expect((await planTeardown(openProject(), {}, account())).isEmpty).toBe(true);
  expect(cloudflare.unknown).toEqual([]);
});

/** What a deployment decides: names, configuration, checks, plan, and the way back when a step fails. No network. */
import { describe, expect, it } from "vitest";

import { apply } from "../../src/cli/deploy/apply.ts";
import { findObstacles, type CheckInput } from "../../src/cli/deploy/checks.ts";
import { requireDeploymentId, toDeployedName, toNamespaceId } from "../../src/cli/deploy/names.ts";
import { ORDER, type Packages } from "../../src/cli/deploy/package.ts";
import { describeStep, irreversible, planDeployment } from "../../src/cli/deploy/plan.ts";
import { fingerprintOf, type PlatformState, type WorkerState } from "../../src/cli/deploy/platform.ts";
import { missingCredentials, sortValues } from "../../src/cli/deploy/values.ts";
import { publicUrl, toDeployedConfig } from "../../src/cli/deploy/worker-config.ts";
import { isPrivateHost } from "../../src/contract/addresses.ts";
import { buildCatalog } from "../../src/contract/catalog.ts";
import type { ApiConfigInput } from "../../src/contract/config.ts";

const NAMES = { proxy: "codeforge-outbound-proxy", sandbox: "codeforge-sandbox", server: "codeforge" } as const;

function packagesOf(fingerprint = "cf-new", vars: Record<string, string> = {}): Packages {
  const make = (key: (typeof ORDER)[number]) => ({
    key,
    name: NAMES[key],
    configFile: `${key}.json`,
    config: { name: NAMES[key], workers_dev: key === "server" },
    fingerprint,
    migration: key === "sandbox" ? null : "v1",
    buckets: key === "server" ? ["codeforge"] : [],
    vars: key === "proxy" ? vars : {},
  });
  return { proxy: make("proxy"), sandbox: make("sandbox"), server: make("server") };
}

function workerState(key: (typeof ORDER)[number], change: Partial<WorkerState> = {}): WorkerState {
  const live = [{ id: `${key}-old`, percentage: 100 }];
  const migration = key === "sandbox" ? null : "v1";
  const address = { isOnWorkersDev: key === "server", domains: [] };
  return { live, fingerprint: "cf-old", migration, secrets: [], vars: {}, ...address, ...change };
}

function stateOf(change: Partial<PlatformState["workers"]> = {}, buckets = ["codeforge"]): PlatformState {
  const workers = { proxy: workerState("proxy"), sandbox: workerState("sandbox"), server: workerState("server") };
  return { workers: { ...workers, ...change }, buckets, subdomain: "acme" };
}

const NOTHING: PlatformState = {
  workers: { proxy: null, sandbox: null, server: null },
  buckets: [],
  subdomain: "acme",
};
const NO_SECRETS = { proxy: {}, sandbox: {}, server: {} };

function stepsOf(packages: Packages, state: PlatformState, secrets: typeof NO_SECRETS | object = NO_SECRETS): string[] {
  const plan = planDeployment(packages, state, { ...NO_SECRETS, ...secrets });
  return plan.steps.map((step) => describeStep(step, packages));
}

describe("a plan", () => {
  it("deploys from the bottom up when there is nothing", () => {
    expect(stepsOf(packagesOf(), NOTHING)).toEqual([
      "create the R2 bucket codeforge",
      "deploy codeforge-outbound-proxy",
      "deploy codeforge-sandbox",
      "deploy codeforge",
    ]);
  });

  it("uploads everything before it promotes anything", () => {
    expect(stepsOf(packagesOf(), stateOf())).toEqual([
      "upload codeforge-outbound-proxy",
      "upload codeforge-sandbox",
      "upload codeforge",
      "promote codeforge-outbound-proxy",
      "promote codeforge-sandbox",
      "promote codeforge",
      "apply the routes of codeforge",
    ]);
  });

  it("has no step when what is live is what is here", () => {
    expect(stepsOf(packagesOf("cf-old"), stateOf())).toEqual([]);
  });

  it.each<[string, Partial<PlatformState["workers"]>, object, string[]]>([
    [
      "a secret is missing",
      {},
      { proxy: { A_KEY: "x" } },
      ["upload codeforge-outbound-proxy", "promote codeforge-outbound-proxy"],
    ],
    [
      "a migration is pending",
      { proxy: workerState("proxy", { migration: "v0" }) },
      {},
      ["deploy codeforge-outbound-proxy"],
    ],
    [
      "a deployment stopped after the proxy",
      { sandbox: null, server: null },
      {},
      ["deploy codeforge-sandbox", "deploy codeforge"],
    ],
    [
      "the proxy was deleted",
      { proxy: null, sandbox: workerState("sandbox", { fingerprint: null }) },
      {},
      ["deploy codeforge-outbound-proxy", "deploy codeforge-sandbox"],
    ],
    [
      "versions share the traffic, so that it is not known what serves",
      { sandbox: workerState("sandbox", { fingerprint: null }) },
      {},
      ["upload codeforge-sandbox", "promote codeforge-sandbox"],
    ],
    [
      "a deployment stopped before the server had its address",
      { server: workerState("server", { isOnWorkersDev: false }) },
      {},
      ["apply the routes of codeforge"],
    ],
    [
      "somebody has given the proxy an address",
      { proxy: workerState("proxy", { isOnWorkersDev: true }) },
      {},
      ["apply the routes of codeforge-outbound-proxy"],
    ],
  ])("touches only what has to change: %s", (_, workers, secrets, expected) => {
    expect(stepsOf(packagesOf("cf-old"), stateOf(workers), secrets)).toEqual(expected);
  });

  it("sees a variable that differs", () => {
    const state = stateOf({ proxy: workerState("proxy", { vars: { USER_AGENT: "old/1" } }) });
    expect(stepsOf(packagesOf("cf-old", { USER_AGENT: "old/1" }), state)).toEqual([]);
    expect(stepsOf(packagesOf("cf-old", { USER_AGENT: "new/1" }), state)).toHaveLength(2);
  });

  it("sees a custom domain that does not lead to the server yet", () => {
    const packages = packagesOf("cf-old");
    const routes = [{ pattern: "forge.example.com", custom_domain: true }];
    const server = { ...packages.server, config: { name: NAMES.server, routes } };
    const stepsWith = (domains: string[]): string[] =>
      stepsOf({ ...packages, server }, stateOf({ server: workerState("server", { isOnWorkersDev: false, domains }) }));
    expect(stepsWith([])).toEqual(["apply the routes of codeforge"]);
    expect(stepsWith(["forge.example.com"])).toEqual([]);
  });

  it("says beforehand what cannot be taken back", () => {
    const packages = packagesOf();
    const state = stateOf({ proxy: workerState("proxy", { migration: "v0" }), server: null });
    const warnings = irreversible(planDeployment(packages, state, NO_SECRETS), packages).join("\n");
    expect(warnings).toContain("codeforge-outbound-proxy applies a Durable Object migration");
    expect(warnings).toContain("codeforge is deployed for the first time");
    expect(irreversible(planDeployment(packages, stateOf(), NO_SECRETS), packages)).toEqual([]);
  });
});

describe("a step that fails", () => {
  /** wrangler as a script: fails at the call with this number, and remembers what it was asked. */
  const scripted = (failAt: number) => {
    const calls: string[] = [];
    const wrangler = async (args: readonly string[]) => {
      const shown = args.filter(
        (arg, index) => !/^--(?:config|message|tag)$/.test(args[index - 1] ?? "") && !arg.startsWith("--"),
      );
      const worker = ORDER.find((key) => args.includes(`${key}.json`)) ?? "";
      calls.push([...shown, worker].filter(Boolean).join(" "));
      const fails = calls.length === failAt;
      const entries = args[1] === "upload" ? [{ type: "version-upload", version_id: `${worker}-new` }] : [];
      return {
        code: fails ? 1 : 0,
        stdout: "",
        output: fails ? "noise\n\u001B[31m✘ [ERROR] it broke [code: 10143]\n\n" : "",
        entries,
      };
    };
    return { calls, wrangler };
  };
  const run = async (failAt: number, state = stateOf()) => {
    const packages = packagesOf();
    const { calls, wrangler } = scripted(failAt);
    const plan = planDeployment(packages, state, NO_SECRETS);
    const applied = await apply(plan, { packages, wrangler, dir: ".", message: "m", onStep: () => {} });
    return { calls, applied };
  };

  it.each([1, 2, 3])("changes nothing that serves, at upload %i", async (failAt) => {
    const { calls, applied } = await run(failAt);
    expect(applied).toMatchObject({ ok: false, undone: [], detail: "✘ [ERROR] it broke [code: 10143]" });
    expect(calls).toHaveLength(failAt);
  });

  it.each([
    [4, ["proxy"]],
    [5, ["sandbox", "proxy"]],
    [6, ["server", "sandbox", "proxy"]],
    [7, ["server", "sandbox", "proxy"]],
  ])("goes back to what was live, the last first, at call %i", async (failAt, workers) => {
    const { calls, applied } = await run(failAt);
    expect(calls.slice(failAt)).toEqual(workers.map((worker) => `versions deploy ${worker}-old@100% ${worker}`));
    expect(applied).toMatchObject({ ok: false, undone: workers.map((worker) => ({ worker, result: "rolled_back" })) });
  });

  it("is what stopping is: no further step begins, and what was promoted goes back", async () => {
    const packages = packagesOf();
    const { calls, wrangler } = scripted(0);
    const stop = new AbortController();
    const plan = planDeployment(packages, stateOf(), NO_SECRETS);
    const onStep = ({ kind }: { kind: string }): void => (kind === "promote" ? stop.abort() : undefined);
    const applied = await apply(plan, { packages, wrangler, dir: ".", message: "m", onStep, signal: stop.signal });
    expect(applied).toMatchObject({ ok: false, undone: [{ worker: "proxy", result: "rolled_back" }] });
    expect(calls.at(-1)).toBe("versions deploy proxy-old@100% proxy");
  });

  it("restores a split of the traffic as it was", async () => {
    const live = [
      { id: "a", percentage: 90 },
      { id: "b", percentage: 10 },
    ];
    const { calls } = await run(5, stateOf({ proxy: workerState("proxy", { live }) }));
    expect(calls.at(-1)).toBe("versions deploy a@90% b@10% proxy");
  });

  it.each([2, 3, 4])("leaves a first deployment standing and says so, at call %i", async (failAt) => {
    const { calls, applied } = await run(failAt, NOTHING);
    expect(calls).toHaveLength(failAt);
    if (applied.ok) throw new Error("it did not fail");
    expect(applied.undone).toHaveLength(failAt - 1);
    expect(applied.undone.every(({ result }) => result === "cannot_be")).toBe(true);
  });

  it("says so when the way back fails as well", async () => {
    const packages = packagesOf();
    const wrangler = async (args: readonly string[]) => {
      const isUpload = args[1] === "upload";
      const entries = isUpload ? [{ type: "version-upload", version_id: "v" }] : [];
      return { code: isUpload ? 0 : 1, stdout: "", output: "", entries };
    };
    const plan = planDeployment(packages, stateOf(), NO_SECRETS);
    const applied = await apply(plan, { packages, wrangler, dir: ".", message: "m", onStep: () => {} });
    expect(applied).toMatchObject({ ok: false, undone: [{ worker: "proxy", result: "failed" }] });
  });
});

describe("what is live", () => {
  const version = (id: string, annotations: Record<string, string>) => ({ id, annotations });
  const secret = { "workers/triggered_by": "secret" };

  it.each<[string, string | undefined, Parameters<typeof fingerprintOf>[1], string | null]>([
    ["its own tag", "a", [version("a", { "workers/tag": "cf-1" })], "cf-1"],
    [
      "the tag before a change of secrets",
      "b",
      [version("b", secret), version("a", { "workers/tag": "cf-1" })],
      "cf-1",
    ],
    ["nothing after an upload by other means", "b", [version("b", {}), version("a", { "workers/tag": "cf-1" })], null],
    ["nothing when it is not listed", "z", [version("a", { "workers/tag": "cf-1" })], null],
  ])("is known by %s", (_, live, versions, expected) => {
    expect(fingerprintOf(live, versions)).toBe(expected);
  });
});

describe("checks", () => {
  const catalogOf = (config: Partial<ApiConfigInput>) => {
    const built = buildCatalog([
      { name: "one", config: { description: "d", domains: ["api.example.com"], ...config } },
    ]);
    if (!built.ok) throw new Error("not valid");
    return built.catalog;
  };
  const fine: CheckInput = {
    catalog: catalogOf({}),
    proxyVariables: [],
    values: {},
    settings: {},
    allowDebug: false,
    isAuthenticated: true,
  };

  it("find nothing in a deployment that is right", () => {
    expect(findObstacles(fine)).toEqual([]);
  });

  it.each<[string, Partial<CheckInput>, RegExp]>([
    ["no authentication", { isAuthenticated: false }, /ADMIN_TOKEN/],
    ["debug mode", { settings: { DEBUG_MODE: "true" } }, /--allow-debug/],
    ["too many variables", { proxyVariables: Array.from({ length: 129 }, (_, i) => `V_${i}`) }, /129 variables.*128/],
    ["a value of over 5 KB", { values: { BIG_KEY: "x".repeat(5_121) } }, /BIG_KEY.*5 KB/],
    ["a loopback domain", { catalog: catalogOf({ domains: ["http://127.0.0.1:9000"] }) }, /Tunnel.*Workers VPC.*mTLS/],
  ])("name %s, and what to do", (_, change, expected) => {
    const [obstacle, ...others] = findObstacles({ ...fine, ...change });
    expect(obstacle).toMatch(expected);
    expect(others).toEqual([]);
  });

  it("let debug mode through when it is asked for, and 128 variables", () => {
    const proxyVariables = Array.from({ length: 128 }, (_, i) => `V_${i}`);
    expect(findObstacles({ ...fine, proxyVariables, settings: { DEBUG_MODE: "1" }, allowDebug: true })).toEqual([]);
  });

  it.each([
    "localhost",
    "api.localhost",
    "10.1.2.3",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "[::1]",
    "[fd00::1]",
    "nas.local",
    "db.internal",
    "intranet",
    "router.home.arpa",
  ])("take %s for private", (host) => expect(isPrivateHost(host)).toBe(true));
  it.each(["api.example.com", "8.8.8.8", "172.32.0.1", "[2606:4700::1]", "local.example.com", "homes.example"])(
    "take %s for public",
    (host) => expect(isPrivateHost(host)).toBe(false),
  );
});

describe("values", () => {
  it("are sorted by where they go, and what is empty is not given", () => {
    const all = {
      STRIPE_KEY: "a",
      SECRETS_1: '{"B_KEY":"b"}',
      REDACTING_STRINGS: "x",
      YOLO_MODE: "true",
      MAX_QUEUED_RUNS: "5",
      ADMIN_TOKEN: "t",
      EMPTY_KEY: "",
      "not a name": "?",
    };
    expect(sortValues(new Map(Object.entries(all)))).toEqual({
      proxy: { STRIPE_KEY: "a", SECRETS_1: '{"B_KEY":"b"}', REDACTING_STRINGS: "x" },
      settings: { proxy: { YOLO_MODE: "true" }, server: { MAX_QUEUED_RUNS: "5" } },
      server: { ADMIN_TOKEN: "t" },
      unknown: 1,
    });
  });

  it("are missing where neither the file nor the account has them", () => {
    const built = buildCatalog([
      {
        name: "one",
        config: { description: "d", domains: ["a.example.com"], credentials: ["A_KEY", "B_KEY", "C_KEY"] },
      },
    ]);
    if (!built.ok) throw new Error("not valid");
    expect(missingCredentials(built.catalog, { SECRETS_1: '{"A_KEY":"a"}' }, ["B_KEY"])).toEqual(["C_KEY"]);
    expect(missingCredentials(built.catalog, {}, ["SECRETS"])).toEqual([]);
  });
});

describe("a deployment's configuration", () => {
  const raw = {
    name: "codeforge",
    build: { command: "x" },
    services: [{ binding: "SANDBOX", service: "codeforge-sandbox" }],
    r2_buckets: [{ binding: "STORAGE", bucket_name: "codeforge" }],
    vars: { A: "1" },
    env: { staging: { vars: { B: "2" }, routes: [{ pattern: "forge.example.com", custom_domain: true }] } },
  };
  const parts = { main: "/m/index.js", modules: "/m", apis: "/apis", vars: { C: "3" } };

  it("carries the names of the deployment wherever one Worker names another", () => {
    const config = toDeployedConfig(raw, { prefix: "acme", env: "staging" }, parts);
    expect(config).toMatchObject({
      name: "acme-codeforge-staging",
      services: [{ service: "acme-codeforge-sandbox-staging" }],
      r2_buckets: [{ bucket_name: "acme-codeforge-staging" }],
      vars: { B: "2", C: "3" },
      keep_vars: true,
    });
    expect(config).not.toHaveProperty("build");
    expect(config).not.toHaveProperty("env");
  });

  it("counts the requests of each deployment by itself, under numbers that stay the same", () => {
    const limits = (id: object): unknown =>
      toDeployedConfig(
        { name: "codeforge", ratelimits: [{ namespace_id: "7301" }, { namespace_id: "7302" }] },
        id,
        parts,
      ).ratelimits?.map(({ namespace_id }) => namespace_id);
    expect(limits({})).toEqual(["7301", "7302"]);
    expect(limits({ prefix: "acme" })).toEqual(["1506337301", "1506337302"]);
    const ids = [{}, { prefix: "acme" }, { env: "acme" }, { prefix: "acme", env: "a" }, { prefix: "acme-a" }];
    const numbers = ids.map((id) => toNamespaceId("7301", id));
    expect(new Set(numbers).size).toBe(ids.length);
    expect(numbers.every((number) => /^\d+$/.test(number) && Number(number) < 2 ** 31)).toBe(true);
  });

  it("has the address of its first route, or one under workers.dev", () => {
    expect(publicUrl(toDeployedConfig(raw, {}, parts), "acme")).toBe("https://codeforge.acme.workers.dev");
    expect(publicUrl(toDeployedConfig(raw, { env: "staging" }, parts), "acme")).toBe("https://forge.example.com");
    expect(publicUrl(toDeployedConfig(raw, {}, parts), null)).toBeNull();
    expect(publicUrl({ name: "x", route: "forge.example.com/*" }, "acme")).toBe("https://forge.example.com");
  });

  it("takes names that Workers and buckets can have, and no others", () => {
    expect(toDeployedName("codeforge", {})).toBe("codeforge");
    for (const prefix of ["A", "-a", "a-", "a_b", "", "seventeen-letters"]) {
      expect(() => requireDeploymentId({ prefix })).toThrow("--prefix");
    }
    expect(() => requireDeploymentId({ prefix: "acme", env: "staging" })).not.toThrow();
  });
});

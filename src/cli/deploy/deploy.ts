/**
 * A deployment from end to end: checks, plan, consent, upload and promotion, smoke test, and the way back if any of it
 * fails. What talks to the world is handed in, so that a test can stand in its place.
 */
import { join } from "node:path";

import { readSettings } from "../../contract/settings.ts";
import { VERSION } from "../../contract/version.ts";
import { requireCatalog } from "../catalog.ts";
import { UserError } from "../errors.ts";
import { findAll } from "../findings.ts";
import type { Project } from "../project.ts";
import type { CallWrangler } from "../wrangler.ts";
import type { Account } from "./account.ts";
import { apply, failure } from "./apply.ts";
import { findObstacles } from "./checks.ts";
import { requireDeploymentId, toDeployedName, type DeploymentId } from "./names.ts";
import { makePackages, ORDER, readConfigs } from "./package.ts";
import { describeStep, irreversible, planDeployment, type Plan } from "./plan.ts";
import { readPlatform, type PlatformState } from "./platform.ts";
import { failureText, obstaclesText, planText, smokeText } from "./report.ts";
import type { SmokeOptions, SmokeResult } from "./smoke.ts";
import { missingCredentials, notYetThere, sortValues, type GivenValues } from "./values.ts";
import { publicUrl } from "./worker-config.ts";

export interface DeployOptions extends DeploymentId {
  readonly dryRun: boolean;
  readonly allowDebug: boolean;
  /** Go on although credentials have no value. */
  readonly skipMissing: boolean;
}

/** What talks to the world. */
export interface DeployParts {
  readonly account: Account;
  readonly wrangler: CallWrangler;
  readonly smokeTest: (options: SmokeOptions) => Promise<readonly SmokeResult[]>;
  /** Asks for values; absent when nobody is there to answer. An empty answer leaves one out. */
  readonly ask?: ((name: string) => Promise<string>) | undefined;
  /** Asks whether to go on; absent means yes. */
  readonly confirm?: ((question: string) => Promise<boolean>) | undefined;
  readonly say: (text: string) => void;
  /** Called when the account is about to be changed: from here on, stopping means `signal`. */
  readonly onBegin?: () => void;
  readonly signal?: AbortSignal;
}

export interface Deployed {
  readonly url: string;
  /** The token that was given, for the lines that connect clients. */
  readonly token: string | undefined;
  readonly isChanged: boolean;
}

/** The API that ships with the project lives on the developer's machine. */
const EXAMPLE_API = "example";

/** How long a new address may take to answer. */
const PATIENCE_MS = 90_000;

/**
 * Deploys, or with `dryRun` says what it would do. Null after a dry run, or when the user says no.
 *
 * @throws UserError if something stands in the way or fails; the message says what was changed and what to do next.
 */
export async function deploy(
  project: Project,
  values: GivenValues,
  options: DeployOptions,
  parts: DeployParts,
): Promise<Deployed | null> {
  requireDeploymentId(options);
  const { say, account } = parts;
  const id = { prefix: options.prefix, env: options.env };
  const { catalog: whole } = requireCatalog(project.apis);
  const without = whole.apis.some(({ name }) => name === EXAMPLE_API) ? [EXAMPLE_API] : [];
  const catalog = { apis: whole.apis.filter(({ name }) => !without.includes(name)) };
  if (without.length > 0) say("The example API stays on this machine: it is left out.");

  const configs = readConfigs(project, id);
  const names = { proxy: configs.proxy.name, sandbox: configs.sandbox.name, server: configs.server.name };
  const buckets = ORDER.flatMap((key) => (configs[key].r2_buckets ?? []).flatMap((bucket) => bucket.bucket_name ?? []));
  const state = await readPlatform(account, { names, buckets });
  const secretsOf = (key: (typeof ORDER)[number]): readonly string[] => state.workers[key]?.secrets ?? [];

  const missing = missingCredentials(catalog, values.proxy, secretsOf("proxy"));
  const isTokenMissing = values.server["ADMIN_TOKEN"] === undefined && !secretsOf("server").includes("ADMIN_TOKEN");
  const wanted = [...missing, ...(isTokenMissing ? ["ADMIN_TOKEN"] : [])];
  const given = merge(values, options.dryRun ? new Map() : await askFor(wanted, parts.ask));
  const unset = missing.filter((name) => given.proxy[name] === undefined);

  const settings = {
    proxy: { ...state.workers.proxy?.vars, ...toTexts(configs.proxy.vars), ...given.settings.proxy },
    server: { ...state.workers.server?.vars, ...toTexts(configs.server.vars), ...given.settings.server },
  };
  const secrets = {
    proxy: notYetThere(given.proxy, secretsOf("proxy")),
    sandbox: {},
    server: notYetThere(given.server, secretsOf("server")),
  };
  const obstacles = [
    ...findAll(catalog, { variables: new Map(), values: new Map(), problems: [] })
      .filter(({ level }) => level === "error")
      .map(({ message }) => message),
    ...findObstacles({
      catalog,
      proxyVariables: [
        ...secretsOf("proxy"),
        ...Object.keys({ ...settings.proxy, ...secrets.proxy }),
        ...(options.skipMissing ? [] : unset),
      ],
      values: { ...secrets.proxy, ...secrets.server, ...given.settings.proxy, ...given.settings.server },
      settings: settings.proxy,
      allowDebug: options.allowDebug,
      isAuthenticated: given.server["ADMIN_TOKEN"] !== undefined || secretsOf("server").includes("ADMIN_TOKEN"),
    }),
    ...readSettings(settings.server).problems,
    ...(unset.length === 0 || options.skipMissing || (options.dryRun && parts.ask !== undefined)
      ? []
      : [`no value for ${unset.join(", ")}: put them into a file and name it with --secrets, or say --skip-missing`]),
    ...addressObstacles(state, publicUrl(configs.server, state.subdomain)),
  ];
  if (obstacles.length > 0) throw new UserError(obstaclesText(obstacles));

  say("Bundling …");
  const dir = join(project.out, "deploy", toDeployedName("codeforge", id));
  const packages = await makePackages(project, { id, vars: given.settings, without, dir });
  const plan = planDeployment(packages, state, secrets);
  say(planText(plan, packages));
  const url = publicUrl(packages.server.config, state.subdomain) ?? "";
  const token = given.server["ADMIN_TOKEN"];
  if (options.dryRun) {
    await tryOut(packages, parts, dir);
    return null;
  }
  if (plan.steps.length > 0) {
    const warnings = irreversible(plan, packages);
    if (warnings.length > 0) say(["Cannot be taken back:", ...warnings.map((line) => `  ${line}`)].join("\n"));
    if (parts.confirm !== undefined && !(await parts.confirm("Deploy?"))) return null;
  }
  await applyAndTest(plan, { packages, parts, dir, id, smoke: { url, token, patienceMs: PATIENCE_MS } });
  return { url, token, isChanged: plan.steps.length > 0 };
}

interface ApplyContext {
  readonly packages: Parameters<typeof planDeployment>[0];
  readonly parts: DeployParts;
  readonly dir: string;
  readonly id: DeploymentId;
  readonly smoke: SmokeOptions;
}

async function applyAndTest(plan: Plan, { packages, parts, dir, id, smoke }: ApplyContext): Promise<void> {
  const { wrangler, say, signal } = parts;
  parts.onBegin?.();
  const applied = await apply(plan, {
    signal,
    packages,
    wrangler,
    dir,
    message: `CodeForge ${VERSION}`,
    onStep: (step) => say(`${describeStep(step, packages)} …`),
  });
  if (!applied.ok) {
    const what = describeStep(applied.step, packages);
    throw new UserError(failureText({ what, detail: applied.detail, undone: applied.undone, packages, id }));
  }
  say(`testing ${smoke.url} …`);
  const results = await untilStopped(parts.smokeTest(smoke), signal);
  say(smokeText(results));
  const failed = results.filter(({ state }) => state === "failed");
  if (failed.length === 0) return;
  const detail = failed.map(({ name, detail: why }) => `${name}: ${why ?? ""}`).join("\n");
  const undone = plan.steps.length === 0 ? [] : await applied.rollBack();
  throw new UserError(failureText({ what: `test ${smoke.url}`, detail, undone, packages, id }));
}

/** The smoke test, or its one failure when the user stops it. */
async function untilStopped(
  test: Promise<readonly SmokeResult[]>,
  signal: AbortSignal | undefined,
): Promise<readonly SmokeResult[]> {
  const stopped: SmokeResult = { name: "the test was stopped", state: "failed" };
  if (signal?.aborted === true) return [stopped];
  const { promise, resolve } = Promise.withResolvers<readonly SmokeResult[]>();
  signal?.addEventListener("abort", () => resolve([stopped]), { once: true });
  return Promise.race([test, promise]);
}

/** Has wrangler look at what would be uploaded. */
async function tryOut(packages: ApplyContext["packages"], { wrangler, say }: DeployParts, dir: string): Promise<void> {
  for (const key of ORDER) {
    const { name, configFile } = packages[key];
    say(`wrangler deploy --dry-run of ${name} …`);
    const args = ["deploy", "--dry-run", "--config", configFile, "--outdir", join(dir, "dry-run", key)];
    const said = failure(await wrangler(args, { cwd: dir }));
    if (said !== null) throw new UserError(`wrangler would not take ${name}:\n${said.replace(/^/gm, "  ")}`);
  }
}

async function askFor(names: readonly string[], ask: DeployParts["ask"]): Promise<Map<string, string>> {
  const answers = new Map<string, string>();
  if (ask === undefined) return answers;
  for (const name of names) answers.set(name, await ask(name));
  return answers;
}

function merge(values: GivenValues, answers: ReadonlyMap<string, string>): GivenValues {
  const asked = sortValues(answers);
  return { ...values, proxy: { ...values.proxy, ...asked.proxy }, server: { ...values.server, ...asked.server } };
}

function addressObstacles(state: PlatformState, url: string | null): string[] {
  if (url !== null) return [];
  return state.subdomain === null
    ? [
        "the account has no workers.dev subdomain yet: open Workers & Pages in the dashboard once, or give the Worker a route of your own in wrangler.toml",
      ]
    : ["the server has no address: set workers_dev = true, or routes, in wrangler.toml"];
}

function toTexts(vars: Readonly<Record<string, unknown>> | undefined): Record<string, string> {
  return Object.fromEntries(Object.entries(vars ?? {}).map(([name, value]) => [name, String(value)]));
}

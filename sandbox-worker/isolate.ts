/**
 * What a fresh isolate is made of: the harness, the user's code as a module of its own, the credential names as
 * environment, and one way out. It never gets a binding.
 */
// oxlint-disable import/default -- wrangler imports these files as text
import bytes from "./harness/bytes.js";
import clock from "./harness/clock.js";
import codeforge from "./harness/codeforge.js";
import console_ from "./harness/console.js";
import crashes from "./harness/crashes.js";
import errors from "./harness/errors.js";
import hostModule from "./harness/host.js";
import inspector from "./harness/inspect.js";
import json from "./harness/json.js";
import main from "./harness/main.js";
import network from "./harness/network.js";
import outbox from "./harness/outbox.js";
import primordials from "./harness/primordials.js";
import recorder from "./harness/recorder.js";
import result from "./harness/result.js";
// oxlint-enable import/default

import type { IsolateLimits } from "../src/contract/run.ts";

const HARNESS = {
  "bytes.js": bytes,
  "clock.js": clock,
  "console.js": console_,
  "crashes.js": crashes,
  "errors.js": errors,
  "host.js": hostModule,
  "inspect.js": inspector,
  "json.js": json,
  "main.js": main,
  "network.js": network,
  "outbox.js": outbox,
  "primordials.js": primordials,
  "recorder.js": recorder,
  "result.js": result,
  codeforge: { js: codeforge },
};

export interface IsolateParts {
  /** The compiled code, an ES module whose default export runs it. */
  readonly code: string;
  /** The saved files that it imports, by the names of their modules. */
  readonly modules: Readonly<Record<string, string>>;
  readonly credentials: readonly string[];
  readonly limits: IsolateLimits;
  readonly outbound: Fetcher;
}

/** Describes the isolate to the loader. Each credential's name maps to itself, so `process.env.NAME` is the name. */
export function toIsolate({ code, modules, credentials, limits, outbound }: IsolateParts): WorkerLoaderWorkerCode {
  return {
    compatibilityDate: "2026-11-01",
    compatibilityFlags: ["nodejs_compat"],
    mainModule: "main.js",
    modules: { ...modules, ...HARNESS, "code.js": code },
    env: Object.fromEntries(credentials.map((name) => [name, name])),
    limits,
    globalOutbound: outbound,
  };
}

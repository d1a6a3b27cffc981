/**
 * The kill switch: which APIs, and which tokens' runs, are switched off. `Switches` is one object and the truth; every
 * isolate remembers its answer for a moment, so that what is switched off is so within that moment, for runs that are
 * going on as well, at the cost of one question per moment and not per request.
 */
import { DurableObject } from "cloudflare:workers";

import { MAX_TIMEOUT_MS } from "../src/contract/run.ts";
import type { SwitchKind } from "../src/contract/services.ts";
import type { Env } from "./env.ts";
import { Remembered } from "./remembered.ts";

/** How long an isolate relies on an answer, in milliseconds. */
const REMEMBERED_MS = 2_000;

/**
 * A token that was switched off opens nothing new at the server; here its runs are stopped, and none lasts longer than
 * this, with its wait in line.
 */
const TOKEN_OFF_MS = 2 * MAX_TIMEOUT_MS + 60_000;

/** What is switched off: APIs by name, tokens by id. */
export type SwitchedOff = Readonly<Record<SwitchKind, ReadonlySet<string>>>;

export class Switches extends DurableObject<Env> {
  /** Switches an API or a token off, or on again. */
  async set(kind: SwitchKind, id: string, isOff: boolean): Promise<void> {
    const key = `${kind}:${id}`;
    if (!isOff) await this.ctx.storage.delete(key);
    else await this.ctx.storage.put(key, kind === "token" ? Date.now() + TOKEN_OFF_MS : Infinity);
  }

  /** The keys of what is off. Entries that are over are removed. */
  async read(): Promise<string[]> {
    const entries = [...(await this.ctx.storage.list<number>())];
    const over = entries.filter(([, untilMs]) => untilMs <= Date.now()).map(([key]) => key);
    if (over.length > 0) await this.ctx.storage.delete(over.slice(0, MAX_DELETED));
    return entries.map(([key]) => key).filter((key) => !over.includes(key));
  }
}

/** Most keys that storage takes in one call. */
const MAX_DELETED = 128;

const memories = new WeakMap<Env, Remembered<SwitchedOff>>();

/** What is switched off, two seconds old at most. Rejects when it cannot be known; then nothing may leave. */
export function readSwitches(env: Env): Promise<SwitchedOff> {
  return memoryOf(env).get(Date.now());
}

/** Switches something off, or on again; this isolate knows it at once. */
export async function setSwitch(env: Env, kind: SwitchKind, id: string, isOff: boolean): Promise<void> {
  await switchesOf(env).set(kind, id, isOff);
  memoryOf(env).forget();
}

function memoryOf(env: Env): Remembered<SwitchedOff> {
  const memory = memories.get(env) ?? new Remembered(() => askSwitches(env), REMEMBERED_MS);
  memories.set(env, memory);
  return memory;
}

async function askSwitches(env: Env): Promise<SwitchedOff> {
  const keys = await switchesOf(env).read();
  const ids = (kind: SwitchKind): ReadonlySet<string> =>
    new Set(keys.filter((key) => key.startsWith(`${kind}:`)).map((key) => key.slice(kind.length + 1)));
  return { api: ids("api"), token: ids("token") };
}

function switchesOf({ SWITCHES }: Env): DurableObjectStub<Switches> {
  return SWITCHES.getByName("switches");
}

/**
 * The runs of one principal: the one way from a tool to a run, whatever started it. Runs wait in line for a slot, reach
 * no more than their caller may, and answer the calls of their code. A run that another run started has no more rights
 * and no more time than that one, and takes its slot.
 */
import { audit } from "../auth/audit.ts";
import { narrowApis, type Auth } from "../auth/auth.ts";
import type { ModuleSource } from "../contract/modules.ts";
import { hasScope } from "../contract/scopes.ts";
import type { OpenedRun } from "../contract/run.ts";
import type { Settings } from "../contract/settings.ts";
import type { Env } from "../env.ts";
import type { BuiltRequest } from "../openapi/request.ts";
import { executeBlock } from "./execute.ts";
import type { RunHistory } from "./history.ts";
import type { CallingRun, HostCalls } from "./host-calls.ts";
import { Lane } from "./lane.ts";
import { withOpenRun } from "./open-run.ts";
import { RunQueue, type Admission } from "./queue.ts";
import type { NotRun, Report, RunReport } from "./report.ts";
import type { RunContext } from "./run-context.ts";
import { sendRequest, type SenderService, type SendReport } from "./send.ts";

/** How deep runs may start runs. */
const MAX_DEPTH = 4;

/** What a tool asks for. `apis` narrows what the caller may reach, and never widens it. */
export interface RunRequest extends RunContext {
  readonly apis: readonly string[] | null;
  readonly readOnly: boolean;
  readonly timeoutMs: number;
}

/** A run of a block. */
export interface CodeRequest extends RunRequest {
  readonly code: string;
  /** The id of the file that the code is, for a skill. */
  readonly file?: string | undefined;
  /** What a skill is run with: a JSON text. */
  readonly input?: string | undefined;
}

/** A run of one request. */
export interface SendRequest extends RunRequest {
  readonly request: BuiltRequest;
}

export interface RunsParts {
  readonly env: Env;
  readonly sender: SenderService;
  readonly settings: Settings;
  readonly hostCalls: HostCalls;
  /** Gives the saved files that code imports. */
  readonly modules: ModuleSource["modules"];
  readonly history: Pick<RunHistory, "begin" | "end">;
}

/** What everything that can come of a run has in common. */
interface Kind {
  readonly kind: string;
}

/** What is done once a run is open. It must not reject. */
interface Work<T> {
  /** The block, for the history; null where there is none. */
  readonly code: string | null;
  readonly act: (opened: OpenedRun, run: CallingRun) => Promise<T>;
}

/** Where a run gets its slot, which run started it, and how deep it is. */
interface Place extends Pick<CallingRun, "parent" | "depth"> {
  readonly queue: RunQueue;
}

export class Runs {
  readonly #parts: RunsParts;
  readonly #queue: RunQueue;
  /** By the id of a run that is going on. */
  readonly #lanes = new Map<string, Lane>();

  constructor(parts: RunsParts) {
    this.#parts = parts;
    const { MAX_CONCURRENT_RUNS: concurrent, MAX_QUEUED_RUNS: waiting } = parts.settings;
    this.#queue = new RunQueue({ concurrent, waiting });
  }

  /** Runs a block for a caller, or for the run `parent` that calls. Never rejects for what the code does. */
  execute(auth: Auth, request: CodeRequest, parent?: CallingRun): Promise<RunReport> {
    const { env, hostCalls, modules, settings } = this.#parts;
    const { code, file, input } = request;
    const limits = { cpuMs: settings.CPU_LIMIT_MS, subRequests: settings.MAX_REQUESTS_PER_RUN };
    const block = { code, file, input, hostCalls, modules, limits };
    return this.#start(auth, request, { code, act: (...run) => executeBlock(env, block, ...run) }, parent);
  }

  /** Sends one request for a caller. Never rejects for what the upstream does. */
  send(auth: Auth, request: SendRequest): Promise<SendReport> {
    const { sender } = this.#parts;
    return this.#start(auth, request, { code: null, act: (_, run) => sendRequest(sender, request.request, run) });
  }

  #start<T extends Kind>(auth: Auth, request: RunRequest, work: Work<T>, parent?: CallingRun): Promise<Report<T>> {
    if (parent === undefined) return this.#run(auth, request, work, { queue: this.#queue, parent: null, depth: 0 });
    const lane = this.#lanes.get(parent.runId);
    if (lane === undefined) return Promise.resolve(notRun({ kind: "cancelled", logs: [] }));
    const depth = parent.depth + 1;
    if (depth > MAX_DEPTH) {
      return Promise.resolve(notRun({ kind: "nested_too_deep", maxDepth: MAX_DEPTH, logs: [] }));
    }
    const place = { queue: lane.queue, parent: parent.runId, depth };
    const report = this.#run(parent.auth, narrowed(request, parent), work, place);
    lane.add(report);
    return report;
  }

  async #run<T extends Kind>(auth: Auth, request: RunRequest, work: Work<T>, place: Place): Promise<Report<T>> {
    const { env, settings, history } = this.#parts;
    const { queue, parent, depth } = place;
    const { signal, timeoutMs, onRequest, onProgress } = request;
    const readOnly = request.readOnly || !hasScope(auth.scopes, "run");
    const admission = await queue.enter({
      client: request.client.id,
      size: work.code?.length ?? 0,
      patienceMs: timeoutMs,
      signal,
      onPlace: (place) => onProgress(`waiting, ${toOrdinal(place)} in line`),
    });
    if (!admission.ok) return notRun(toNotRun(admission, timeoutMs));

    const over = new AbortController();
    const end = (): void => over.abort();
    signal.addEventListener("abort", end, { once: true });
    if (signal.aborted) end();
    const runId = crypto.randomUUID();
    const lane = new Lane();
    this.#lanes.set(runId, lane);
    const apis = narrowApis(auth.apis, request.apis);
    const nowMs = Date.now();
    const own = { runId, parent, auth, readOnly, apis, depth, timeoutMs, deadlineMs: nowMs + timeoutMs };
    const run: CallingRun = { ...own, signal: over.signal, context: request };
    const maxRequests = settings.MAX_REQUESTS_PER_RUN;
    const { principal, token } = auth;
    const rights = { runId, principal, token: token?.id, apis, known: auth.apis, readOnly, maxRequests, onRequest };
    history.begin(run, work.code, nowMs);
    try {
      // Until the run is over, its upstream requests stay open; that is before it is closed.
      const ended = await withOpenRun(env, rights, (opened) => work.act(opened, run).finally(end));
      end();
      const outcome = ended.outcome ?? { kind: "not_started" as const, logs: [] };
      const report = await lane.complete<T>({ ...ended, runId, apis, outcome });
      history.end(report);
      void audit(env, {
        auth,
        action: "run",
        subject: request.tool,
        run: runId,
        credentials: [...new Set((report.ledger ?? []).flatMap(({ credentials }) => credentials))],
        detail: report.ledger === null ? `${report.outcome.kind}; what it sent is not known` : report.outcome.kind,
      });
      return report;
    } finally {
      this.#lanes.delete(runId);
      signal.removeEventListener("abort", end);
      admission.leave();
    }
  }
}

/** A request as the run that makes it may make it. */
function narrowed(request: RunRequest, parent: CallingRun): RunRequest {
  return {
    ...request,
    signal: parent.signal,
    apis: narrowApis(parent.apis, request.apis),
    readOnly: parent.readOnly || request.readOnly,
    timeoutMs: Math.max(1, Math.min(request.timeoutMs, parent.deadlineMs - Date.now())),
  };
}

/** The report of a run that was none. */
function notRun(outcome: NotRun): Report<never> {
  return { runId: crypto.randomUUID(), apis: [], startedMs: Date.now(), outcome, ledger: [], ms: 0 };
}

function toNotRun({ reason }: Extract<Admission, { ok: false }>, timeoutMs: number): NotRun {
  switch (reason) {
    case "full":
      return { kind: "queue_full", logs: [] };
    case "late":
      return { kind: "queue_timeout", timeoutMs, logs: [] };
    case "cancelled":
      return { kind: "cancelled", logs: [] };
  }
}

const ENDINGS: Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> = { one: "st", two: "nd", few: "rd" };
const ORDINALS = new Intl.PluralRules("en", { type: "ordinal" });

function toOrdinal(n: number): string {
  return `${n}${ENDINGS[ORDINALS.select(n)] ?? "th"}`;
}

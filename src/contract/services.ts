/**
 * The RPC faces of the two inner Workers, as their callers see them. They stay compatible one version back, because a
 * deployment promotes proxy, sandbox and server one after the other.
 */
import type { CheckRequest, CompileIssue, ModuleSource } from "./modules.ts";
import type { Outcome } from "./outcome.ts";
import type { ClosedRun, OpenedRun, RunControl, RunObserver, RunPolicy, SandboxRun } from "./run.ts";

/** `codeforge-sandbox`, entrypoint `Sandbox`. Never rejects for what the code does: it answers an outcome. */
export interface SandboxService {
  run(request: SandboxRun, control: RunControl): Promise<Outcome>;
  /** Says what does not compile of a skill; nothing of it runs. */
  check(request: CheckRequest, source: ModuleSource): Promise<CompileIssue[]>;
  describe(): Promise<SandboxDescription>;
}

/** What the sandbox Worker says of itself. */
export interface SandboxDescription {
  /** The version of this Worker. */
  readonly version: string;
}

/** What is known of a credential without knowing it. `too_short`: set, but not looked for in responses. */
export type CredentialState = "set" | "missing" | "too_short";

/** The proxy's settings and the state of every credential, for `list_apis` and the start-up report. Never a value. */
export interface ProxyDescription {
  readonly yolo: boolean;
  readonly debug: boolean;
  readonly userAgent: string;
  readonly credentials: Readonly<Record<string, CredentialState>>;
  /** What is wrong with the settings or the secrets, worded for the person who set them. */
  readonly problems: readonly string[];
  /** APIs that are switched off. */
  readonly disabled: readonly string[];
  /** The version of this Worker. */
  readonly version: string;
}

/** What the kill switch switches: APIs, by name, and the runs of tokens, by id. */
export type SwitchKind = "api" | "token";

/** `codeforge-outbound-proxy`, entrypoint `OutboundProxy`: bound to the server alone. */
export interface OutboundProxyService {
  /** Opens a run. Await it before the code runs: a request of a run that is not open is refused. */
  open(runId: string, policy: RunPolicy, observer: RunObserver | null): Promise<OpenedRun>;
  /** Keeps the record of an open run at hand, however long the run sends nothing. Settles when it is closed. */
  hold(runId: string): Promise<void>;
  /** Ends the run, cuts off what is still on its way, and answers the ledger. */
  close(runId: string): Promise<ClosedRun>;
  describe(): Promise<ProxyDescription>;
  /** Switches an API or a token's runs off, or on again: within two seconds, for runs that are going on as well. */
  setSwitch(kind: SwitchKind, id: string, isOff: boolean): Promise<void>;
}

/** `codeforge-outbound-proxy`, entrypoint `Forwarder`: bound to the sandbox Worker and to the server. It takes an id and no policy. */
export interface ForwarderService {
  /** Sends one request as the run. Called by the sandbox's `Egress`, and by the server's `Sender`. */
  forward(request: Request, runId: string): Promise<Response>;
}

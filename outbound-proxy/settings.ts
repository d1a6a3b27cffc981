/**
 * The proxy's settings, parsed once from its variables. What cannot be understood is a problem to be shown, and takes
 * the safe side until it is mended: YOLO mode stays off, and with broken redaction nothing leaves at all.
 */
import { VERSION } from "../src/contract/version.ts";
import { parseRedactingStrings } from "./redact.ts";

export interface Settings {
  readonly yolo: boolean;
  readonly debug: boolean;
  readonly userAgent: string;
  readonly redacting: readonly string[];
  /** Ports of this server itself; requests to them on loopback are refused whatever a config says. */
  readonly ownPorts: readonly number[];
  readonly problems: readonly string[];
  /** Set when a setting that protects is broken: every request is refused with these words. */
  readonly blocked: string | null;
}

/** Reads the settings; `credentialNames` are needed to refuse redaction that would destroy one. */
export function readSettings(env: Readonly<Record<string, unknown>>, credentialNames: readonly string[]): Settings {
  const problems: string[] = [];
  const redacting = parseRedactingStrings(toText(env["REDACTING_STRINGS"]), credentialNames);
  const blocked = redacting.ok ? null : `REDACTING_STRINGS: ${redacting.problems.join("; ")}`;
  if (blocked !== null) problems.push(blocked);
  return {
    yolo: readSwitch(env, "YOLO_MODE", problems),
    debug: readSwitch(env, "DEBUG_MODE", problems),
    userAgent: readUserAgent(env, problems),
    redacting: redacting.ok ? redacting.strings : [],
    ownPorts: toText(env["OWN_PORTS"]).split(",").filter(Boolean).map(Number),
    problems,
    blocked,
  };
}

function readSwitch(env: Readonly<Record<string, unknown>>, name: string, problems: string[]): boolean {
  const text = toText(env[name]).trim().toLowerCase();
  if (text === "true" || text === "1") return true;
  if (text !== "" && text !== "false" && text !== "0")
    problems.push(`${name}: use true or false; it is off until then`);
  return false;
}

function readUserAgent(env: Readonly<Record<string, unknown>>, problems: string[]): string {
  const text = toText(env["USER_AGENT"]).trim();
  if (text === "") return `CodeForge/${VERSION}`;
  if (/^[\x20-\x7e]{1,256}$/.test(text)) return text;
  problems.push("USER_AGENT: use 1 to 256 printable ASCII characters; the default is used until then");
  return `CodeForge/${VERSION}`;
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

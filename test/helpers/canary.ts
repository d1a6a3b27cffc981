/**
 * The canary: every secret of a test is unique, so none of its forms may turn up in anything that left the proxy. The
 * encodings are written here on their own, not taken from the code under test.
 */
import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** A secret no other test has: letters, digits and characters that encodings change. */
export function canary(prefix = "sk"): string {
  return `${prefix}_${randomBytes(12).toString("hex")}-+/"é`;
}

/** A secret for places that allow plain ASCII only. */
export function plainCanary(prefix = "sk"): string {
  return `${prefix}_${randomBytes(18).toString("hex")}`;
}

/** Variables that are settings and not secrets. */
const SETTINGS = new Set(["YOLO_MODE", "DEBUG_MODE", "USER_AGENT", "REDACTING_STRINGS"]);

/** Throws when a secret, in any encoding, is in the received messages, the logs, or a stored file. */
export function assertNoCanary(
  vars: Readonly<Record<string, string>>,
  texts: Readonly<Record<string, readonly string[]>>,
  dir: string,
): void {
  const secrets = Object.entries(vars)
    .flatMap(([name, value]) =>
      name.startsWith("SECRETS") ? Object.entries(JSON.parse(value) as object) : [[name, value]],
    )
    .filter((entry): entry is [string, string] => !SETTINGS.has(String(entry[0])) && String(entry[1]).length >= 8);
  const places: [string, string][] = Object.entries(texts).map(([place, lines]) => [place, lines.join("")]);
  for (const path of filesBelow(dir)) places.push([path, readFileSync(path, "latin1")]);
  for (const [name, value] of secrets) {
    for (const [form, needle] of formsOf(value)) {
      for (const [place, text] of places) {
        if (text.includes(needle)) throw new Error(`the value of ${name} is in ${place}, as ${form}`);
      }
    }
  }
}

/** The forms in which a value may be hiding, each as latin1 text of its bytes. */
export function formsOf(value: string): Map<string, string> {
  const bytes = Buffer.from(value, "utf8");
  const forms = new Map<string, string>([
    ["itself", bytes.toString("latin1")],
    ["JSON", Buffer.from(JSON.stringify(value).slice(1, -1)).toString("latin1")],
    ["percent-encoding", encodeURIComponent(value)],
    ["form encoding", new URLSearchParams({ v: value }).toString().slice(2)],
    ["hex", bytes.toString("hex")],
    ["upper-case hex", bytes.toString("hex").toUpperCase()],
  ]);
  for (const offset of [0, 1, 2]) {
    const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString("base64");
    const core = text.slice(Math.ceil((offset * 4) / 3), Math.floor(((offset + bytes.length) * 4) / 3));
    forms.set(`base64 at offset ${offset}`, core);
    forms.set(`base64url at offset ${offset}`, core.replaceAll("+", "-").replaceAll("/", "_"));
  }
  return forms;
}

function filesBelow(dir: string): string[] {
  return readdirSync(dir, { recursive: true, encoding: "utf8" })
    .map((name) => join(dir, name))
    .filter((path) => statSync(path).isFile());
}

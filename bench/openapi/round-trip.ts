/**
 * `npm run corpus:round-trip`: for every operation of ten large documents a request is built from generated arguments and
 * read back by `read-back.ts`. Nothing may be lost, and every refusal of a generated argument is counted.
 */
import { isDeepStrictEqual } from "node:util";

import { compile } from "../../src/openapi/compile.ts";
import type { Operation, ParameterPlan, Schema } from "../../src/openapi/ir.ts";
import { isObject, toObject } from "../../src/openapi/json.ts";
import { parseDocument } from "../../src/openapi/parse.ts";
import { buildRequest } from "../../src/openapi/request.ts";
import { sampleArguments } from "../../src/openapi/sample.ts";
import { githubDocument, listDocuments, type CorpusDocument } from "./documents.ts";
import { readBack } from "./read-back.ts";

const NAMES = [
  "microsoft.com/graph",
  "kubernetes.io",
  "stripe.com",
  "docusign.net",
  "amazonaws.com/ec2",
  "googleapis.com/compute",
  "zoom.us",
  "slack.com",
  "twilio.com/api",
];
/** Everything that means something in a path, a query, a header, JSON or a form. */
const HARD_TEXT = `a b&c=d/é+%2F?#[]"'<>|;,:@$`;

function largeDocuments(): CorpusDocument[] {
  const all = listDocuments();
  return [githubDocument(), ...NAMES.flatMap((name) => all.find((document) => document.name === name) ?? [])];
}

/** Sample arguments, with hard text wherever a parameter takes any text at all. */
function generate(operation: Operation): Schema {
  const args: Record<string, unknown> = {
    ...sampleArguments(operation.completeSchema ?? operation.inputSchema, "all"),
  };
  const properties = toObject(operation.inputSchema["properties"]);
  for (const plan of operation.parameters) {
    if (plan.key === undefined) continue;
    const schema = toObject(properties[plan.key]);
    if (isFreeText(schema)) args[plan.key] = plan.in === "header" ? "a b,c=d; é" : HARD_TEXT;
    const items = toObject(schema["items"]);
    if (schema["type"] === "array" && isFreeText(items) && canDelimit(plan)) args[plan.key] = [HARD_TEXT, "second"];
  }
  return args;
}

function isFreeText(schema: Schema): boolean {
  return (
    schema["type"] === "string" &&
    !["enum", "const", "pattern", "maxLength", "format", "contentEncoding"].some((keyword) => keyword in schema)
  );
}

/** Styles whose delimiter cannot be told from the same character in a value. */
function canDelimit(plan: ParameterPlan): boolean {
  return plan.in !== "header" && !["spaceDelimited", "pipeDelimited", "label"].includes(plan.style);
}

/** Plain values as text, so that `1` and `"1"` are the same on the wire; what no style can write, emptiness, left out. */
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable).filter((item) => item !== undefined);
  if (isObject(value)) {
    const members = Object.entries(value)
      .map(([key, member]): [string, unknown] => [key, comparable(member)])
      .filter(([, member]) => member !== undefined && !(Array.isArray(member) && member.length === 0))
      .toSorted(([a], [b]) => (a < b ? -1 : 1));
    return members.length === 0 ? undefined : Object.fromEntries(members);
  }
  return value === null || value === undefined ? undefined : String(value);
}

/** A JSON body has to arrive as it was given, emptiness and nulls included. */
function keepsJson(operation: Operation, args: Schema, body: unknown): boolean {
  if (operation.body?.format !== "json" || typeof body !== "string") return true;
  const { flat } = operation.body;
  const given =
    flat === undefined
      ? args["body"]
      : Object.fromEntries(flat.filter((name) => name in args).map((name) => [name, args[name]]));
  return isDeepStrictEqual(JSON.parse(body), given);
}

let losses = 0;
let total = 0;
let refusals = 0;
let ambiguous = 0;
for (const document of largeDocuments()) {
  const parsed = parseDocument(document.read());
  if (!parsed.ok) throw new Error(parsed.error.message);
  const ir = compile(parsed.document, { api: "a" });
  let refused = 0;
  let lost = 0;
  for (const operation of ir.operations) {
    total++;
    const args = generate(operation);
    const built = buildRequest(operation, args);
    if (!built.ok) {
      refused++;
      if (process.argv.includes("--refusals"))
        console.log(`  refused ${operation.name}: ${JSON.stringify(built.problems[0])}`);
      continue;
    }
    // A file's declared type wins over the sample's.
    const sent = JSON.stringify(comparable(args))?.replaceAll('"content_type":"text"', '"content_type":"?"');
    let read: string | undefined;
    try {
      const found = JSON.stringify(comparable(await readBack(operation, built.request)));
      read = found?.replaceAll(/"content_type":"[^"]*"/g, '"content_type":"?"');
    } catch (error) {
      read = String(error);
    }
    if (ir.warnings.some((text) => text.startsWith(`${operation.method} ${operation.path}: query parameters share`))) {
      ambiguous++;
      continue;
    }
    if (read === sent && keepsJson(operation, args, built.request.body)) continue;
    lost++;
    if (lost <= 3)
      console.log(
        `  lost in ${operation.name} ${built.request.url}\n    sent ${sent?.slice(0, 600)}\n    read ${read?.slice(0, 600)}`,
      );
  }
  console.log(`${document.name}: ${ir.operations.length} operations, ${refused} samples refused, ${lost} lost`);
  losses += lost;
  refusals += refused;
}
console.log(
  `\n${total} operations, ${total - refusals - ambiguous - losses} read back without loss, ${refusals} samples refused, ${ambiguous} ambiguous in the document, ${losses} lost`,
);
process.exitCode = losses > 0 ? 1 : 0;

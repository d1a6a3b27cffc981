/**
 * What has to hold of every compiled document, whatever went in. Each broken promise is one line.
 */
import type { ApiIr, Operation, Schema } from "../../src/openapi/ir.ts";
import { isObject, toObject, toStrings } from "../../src/openapi/json.ts";
import { MAX_INPUT_BYTES } from "../../src/openapi/compile.ts";
import { hasParts } from "../../src/openapi/schema/walk.ts";
import { MAX_OUTPUT_BYTES } from "../../src/openapi/output.ts";
import { SKIP_RULES } from "../../src/openapi/skip.ts";

const KEY = /^[A-Za-z0-9_-]{1,64}$/;
const ROOT_COMPOSITIONS = ["$ref", "oneOf", "anyOf", "allOf", "not", "if", "enum", "const"];

/** A promise that was broken, and where. */
export interface Violation {
  readonly kind: string;
  readonly where: string;
}

/** Everything that is wrong with a compiled document. */
export function check(ir: ApiIr): Violation[] {
  const found: Violation[] = [];
  const names = new Set<string>();
  for (const operation of ir.operations) {
    const where = `${operation.method} ${operation.path}`;
    const report = (kind: string): void => void found.push({ kind, where });
    if (names.has(operation.name)) report("duplicate name");
    names.add(operation.name);
    if (!/^[a-z0-9_]{1,48}$/.test(operation.name)) report("unsafe name");
    if (operation.description.length > 1024) report("long description");
    checkInput(operation, report);
    if (operation.output?.schema !== undefined) {
      checkReferences(operation.output.schema, report);
      if (JSON.stringify(operation.output.schema).length > MAX_OUTPUT_BYTES) report("long answer");
    }
  }
  for (const skip of ir.skipped) {
    if (!SKIP_RULES.includes(skip.rule) || skip.reason === "")
      found.push({ kind: "skip without rule", where: skip.path });
  }
  return found;
}

function checkInput(operation: Operation, report: (kind: string) => void): void {
  const schema = operation.inputSchema;
  const properties = toObject(schema["properties"]);
  if (schema["type"] !== "object" || schema["additionalProperties"] !== false) report("open root");
  if (ROOT_COMPOSITIONS.some((keyword) => keyword in schema)) report("root composition");
  if (Object.keys(properties).some((key) => !KEY.test(key))) report("unsafe key");
  if (toStrings(schema["required"]).some((name) => !Object.hasOwn(properties, name)))
    report("undeclared required name");
  const keys = operation.parameters.flatMap((plan) => plan.key ?? []);
  const flat = operation.body?.flat ?? (operation.body === undefined ? [] : ["body"]);
  const used = [...keys, ...flat];
  if (new Set(used).size !== used.length || used.length !== Object.keys(properties).length)
    report("keys and plans differ");
  checkReferences(schema, report);
  // Only an operation whose own arguments are that many may be larger: there is nothing left to cut.
  const bytes = new TextEncoder().encode(JSON.stringify(schema)).length;
  const inner = Object.values(properties).some((property) => isObject(property) && hasParts(property));
  if (bytes > MAX_INPUT_BYTES && inner && operation.parameters.length < 50) report("over budget");
}

function checkReferences(root: Schema, report: (kind: string) => void): void {
  const definitions = toObject(root["$defs"]);
  const visit = (value: unknown, isMap: boolean): void => {
    if (Array.isArray(value)) for (const item of value) visit(item, false);
    if (!isObject(value)) return;
    const ref = value["$ref"];
    if (!isMap && typeof ref === "string" && !Object.hasOwn(definitions, ref.replace("#/$defs/", "")))
      report("dangling reference");
    for (const [key, child] of Object.entries(value)) {
      if (!isMap && ["default", "enum", "const", "required"].includes(key)) continue;
      visit(child, !isMap && ["properties", "patternProperties", "$defs"].includes(key));
    }
  };
  visit(root, false);
}

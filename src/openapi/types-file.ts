/**
 * All operations of an API as TypeScript types, for editors and people: what each request takes, by place and wire name,
 * and what it answers. Types that several operations share are written once. Text of the document becomes string
 * literals and line comments, and can leave neither.
 */
import { BODY_KEY, type ApiIr, type Operation, type ParameterPlace, type Schema } from "./ir.ts";
import { byCodeUnit, isObject, toObject, toStrings } from "./json.ts";
import { definitionName, toReference } from "./schema/walk.ts";
import { sha256 } from "./sha256.ts";
import { oneLine } from "./text.ts";
import { propertyName, toDeclarations, toType, typeName } from "./typescript.ts";

const PLACES: readonly ParameterPlace[] = ["path", "query", "querystring", "header", "cookie"];
const INDENT = "    ";

/** The name of the file in an API's folder. */
export const TYPES_FILE = "types.d.ts";

/** The text of `types.d.ts`. */
export function toTypesFile(ir: ApiIr): string {
  const shared = createDefinitions(["Operations"]);
  const operations = ir.operations.map((operation) => writeOperation(operation, shared.adopt));
  const declarations = toDeclarations({ $defs: Object.fromEntries(shared.list()) }).map((text) => `export ${text}`);
  return [
    `// The ${ir.operations.length} operations of ${oneLine(ir.title)}, written by \`codeforge add\` from its document: changes here are lost.`,
    `// A request takes what stands under path, query, header and body, under these names; result is its answer.`,
    "",
    "export interface Operations {",
    ...operations,
    "}",
    ...declarations.map((text) => `\n${text}`),
    "",
  ].join("\n");
}

function writeOperation(operation: Operation, adopt: (schema: Schema) => Schema): string {
  const input = adopt(operation.completeSchema ?? operation.inputSchema);
  const properties = toObject(input["properties"]);
  const required = toStrings(input["required"]);
  const members: string[] = [];
  for (const place of PLACES) {
    const plans = operation.parameters.filter((plan) => plan.in === place && plan.key !== undefined);
    if (plans.length === 0) continue;
    const schema = {
      type: "object",
      properties: Object.fromEntries(plans.map((plan) => [plan.name, toObject(properties[plan.key ?? ""])])),
      required: plans.filter((plan) => plan.required === true).map((plan) => plan.name),
    };
    members.push(`${place}${schema.required.length > 0 ? "" : "?"}: ${toType(schema, {}, INDENT)};`);
  }
  const { body, output } = operation;
  if (body !== undefined) {
    const own = Object.fromEntries((body.flat ?? []).map((name) => [name, properties[name]]));
    const flat = { type: "object", properties: own, required: required.filter((name) => body.flat?.includes(name)) };
    const schema = body.flat === undefined ? toObject(properties[BODY_KEY]) : flat;
    members.push(
      `body${body.required === true ? "" : "?"}: ${toType(schema, {}, INDENT)}; // ${oneLine(body.mediaType)}`,
    );
  }
  const result = output?.schema === undefined ? "unknown" : toType(adopt(output.schema), {}, INDENT);
  members.push(`result: ${output === undefined ? "unknown" : result};`);
  const title = operation.title === undefined ? "" : ` — ${oneLine(operation.title)}`;
  return [
    `  // ${operation.method} ${oneLine(operation.path)}${title}`,
    `  ${propertyName(operation.name)}: {`,
    ...members.map((member) => `${INDENT}${member}`),
    "  };",
  ].join("\n");
}

/** Gathers the definitions of many schemas under one name each; those that differ under one name get a hash. */
function createDefinitions(reserved: readonly string[]): {
  /** The schema with its references turned to the gathered names. */
  adopt(schema: Schema): Schema;
  list(): [string, Schema][];
} {
  const known = new Map<string, { readonly id: string; readonly schema: Schema }>();
  const taken = new Set(reserved);

  function adopt(schema: Schema): Schema {
    const definitions = toObject(schema["$defs"]);
    const names = new Map<string, string>();
    const added: string[] = [];
    for (const name of Object.keys(definitions)) {
      const id = sha256(JSON.stringify(closureOf(name, definitions)));
      const plain = typeName(name);
      const wanted = [plain, `${plain}_${id.slice(0, 6)}`, `${plain}_${id.slice(0, 12)}`];
      const free = wanted.find((each) => known.get(each)?.id === id || (!known.has(each) && !taken.has(each))) ?? plain;
      names.set(name, free);
      if (known.has(free)) continue;
      known.set(free, { id, schema: toObject(definitions[name]) });
      added.push(free);
    }
    for (const name of added) {
      const entry = known.get(name);
      if (entry !== undefined) known.set(name, { ...entry, schema: toObject(redirect(entry.schema, names)) });
    }
    return toObject(redirect(schema, names));
  }

  return {
    adopt,
    list: () => [...known].toSorted(([a], [b]) => byCodeUnit(a, b)).map(([name, { schema }]) => [name, schema]),
  };
}

/** A definition with all that it refers to: what has to be equal for two of one name to be the same type. */
function closureOf(name: string, definitions: Schema): [string, unknown][] {
  const found = new Map<string, unknown>();
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    if (!isObject(value)) return;
    const target = definitionName(value);
    if (target !== undefined) include(target);
    Object.values(value).forEach(visit);
  };
  const include = (target: string): void => {
    if (found.has(target)) return;
    found.set(target, definitions[target]);
    visit(definitions[target]);
  };
  include(name);
  return [...found].toSorted(([a], [b]) => byCodeUnit(a, b));
}

function redirect(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item) => redirect(item, names));
  if (!isObject(value)) return value;
  const target = definitionName(value);
  const renamed = target === undefined ? undefined : names.get(target);
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [
      key,
      key === "$ref" && renamed !== undefined ? toReference(renamed) : redirect(part, names),
    ]),
  );
}

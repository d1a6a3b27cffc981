/**
 * What the big model APIs ask of a list of tools, checked on a list as a client receives it. One entry that breaks a rule
 * has all of them refused. Each broken rule is one line.
 */
import { isObject, toObject, toStrings } from "../../src/openapi/json.ts";

const NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const COMBINATORS = ["$ref", "oneOf", "anyOf", "allOf", "not", "if", "enum", "const"];

/** A tool of a `tools/list` answer, its schema unchecked. */
export interface ListedTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: object;
}

/** Everything that is wrong with a list. `server` is the name clients put before tools' names, where they do. */
export function checkTools(tools: readonly ListedTool[], server: string): string[] {
  const found: string[] = [];
  const names = new Set<string>();
  for (const { name, description = "", inputSchema } of tools) {
    const schema = toObject(inputSchema);
    const properties = toObject(schema["properties"]);
    const report = (what: string): void => void found.push(`${name}: ${what}`);
    if (!NAME.test(name)) report("name");
    if (`mcp__${server}__${name}`.length > 64) report(`name too long behind mcp__${server}__`);
    if (names.has(name)) report("name used twice");
    names.add(name);
    if (description === "" || description.length > 1024) report(`description of ${description.length} characters`);
    if (schema["type"] !== "object") report("root is no object");
    for (const keyword of COMBINATORS) if (keyword in schema) report(`${keyword} at the root`);
    for (const key of Object.keys(properties)) if (!NAME.test(key)) report(`key ${JSON.stringify(key)}`);
    for (const key of toStrings(schema["required"]))
      if (!Object.hasOwn(properties, key)) report(`${key} is required and not declared`);
    for (const target of references(schema))
      if (!isDefined(schema, target)) report(`reference ${target} leads nowhere`);
  }
  return found;
}

/** The references of a schema; a property called `$ref` is none. */
function references(value: unknown, isMap = false): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => references(item));
  if (!isObject(value)) return [];
  const own = !isMap && typeof value["$ref"] === "string" ? [value["$ref"]] : [];
  const inner = Object.entries(value)
    .filter(([key]) => isMap || !["default", "enum", "const", "required"].includes(key))
    .flatMap(([key, child]) => references(child, !isMap && ["properties", "patternProperties", "$defs"].includes(key)));
  return [...own, ...inner];
}

function isDefined(schema: Readonly<Record<string, unknown>>, target: string): boolean {
  const [, name] = /^#\/\$defs\/(.+)$/.exec(target) ?? [];
  return name !== undefined && Object.hasOwn(toObject(schema["$defs"]), name);
}

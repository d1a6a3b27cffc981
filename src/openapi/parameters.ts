/**
 * Parameters (rule M7): which ones an operation has, in which order, and how each is to be written on the wire.
 * What the wire form is, is `styles.ts`; this file only reads what the document says.
 */
import type { ParameterPlace, ParameterPlan, Schema, Style } from "./ir.ts";
import { defined, toList, toObject, toText, type Json } from "./json.ts";
import type { Refs } from "./refs.ts";
import type { Schemas } from "./schema/normalise.ts";
import { ordered } from "./schema/walk.ts";
import { cleanText } from "./text.ts";

const PLACES: readonly ParameterPlace[] = ["path", "query", "querystring", "header", "cookie"];
/** OpenAPI: parameters of these names are described elsewhere and shall be ignored. */
const IGNORED_HEADERS: ReadonlySet<string> = new Set(["accept", "content-type", "authorization"]);
/** Headers that belong to the connection or to `fetch` itself. */
const FETCH_HEADERS: ReadonlySet<string> = new Set(
  "connection content-length expect host keep-alive te trailer transfer-encoding upgrade".split(" "),
);
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const STYLES: Readonly<Record<ParameterPlace, readonly [Style, ...Style[]]>> = {
  path: ["simple", "label", "matrix"],
  query: ["form", "spaceDelimited", "pipeDelimited", "deepObject"],
  querystring: ["form"],
  header: ["simple"],
  cookie: ["form", "cookie"],
};

/** A parameter as read: its plan without a key, its schema in normal form. */
export interface ParameterDraft {
  readonly plan: Omit<ParameterPlan, "key">;
  readonly schema: Schema;
  /** Filled in and not shown, because only one value is possible. */
  readonly hidden: boolean;
}

/** A place on the wire that a credential fills, so that no argument may. */
export interface Covered {
  readonly in: string;
  readonly name: string;
}

/**
 * The parameters of an operation, sorted by place: those of the path item first, replaced by the operation's own of the
 * same name and place. Every `{placeholder}` of the path has one; `warn` is told where the document forgot it.
 */
export function readParameters(
  source: { readonly path: string; readonly item: Json; readonly operation: Json },
  context: { readonly refs: Refs; readonly schemas: Schemas; readonly covered: readonly Covered[] },
  warn: (message: string) => void,
): ParameterDraft[] {
  const found = new Map<string, ParameterDraft>();
  for (const raw of [...toList(source.item["parameters"]), ...toList(source.operation["parameters"])]) {
    const draft = readParameter(context.refs.deref(raw), context.schemas);
    if (draft === undefined) continue;
    const id = identity(draft.plan);
    found.delete(id);
    found.set(id, draft);
  }
  const placeholders = [...source.path.matchAll(/\{([^{}]*)\}/g)].map((match) => match[1] ?? "");
  const drafts = [...found.values()].filter(({ plan }) => {
    if (context.covered.some((place) => identity(place) === identity(plan))) return false;
    if (plan.in === "header" && IGNORED_HEADERS.has(plan.name.toLowerCase())) return false;
    if (plan.in === "header" && (!HEADER_NAME.test(plan.name) || FETCH_HEADERS.has(plan.name.toLowerCase()))) {
      warn(`header parameter ${JSON.stringify(plan.name)} is none that fetch can send and is left out`);
      return false;
    }
    if (plan.in !== "path" || placeholders.includes(plan.name)) return true;
    warn(`path parameter ${JSON.stringify(plan.name)} is not in the path and is left out`);
    return false;
  });
  for (const name of new Set(placeholders)) {
    if (drafts.some(({ plan }) => plan.in === "path" && plan.name === name)) continue;
    warn(`{${name}} has no declared parameter; it is a required string`);
    const plan = { name, in: "path", style: "simple", explode: false, required: true } as const;
    drafts.push({ plan, schema: { type: "string" }, hidden: false });
  }
  warnOfSharedNames(drafts, context.schemas, warn);
  return drafts.toSorted((a, b) => PLACES.indexOf(a.plan.in) - PLACES.indexOf(b.plan.in));
}

/** An exploded object writes its members' names, not its own; where two are the same, no server can tell them apart. */
function warnOfSharedNames(drafts: readonly ParameterDraft[], schemas: Schemas, warn: (message: string) => void): void {
  const seen = new Set<string>();
  for (const { plan, schema } of drafts) {
    if (plan.in !== "query" || plan.content !== undefined) continue;
    const members =
      plan.style === "form" && plan.explode ? Object.keys(toObject(schemas.expand(schema)["properties"])) : [];
    const names = members.length > 0 ? members : [plan.name];
    const shared = names.find((name) => seen.has(name));
    if (shared !== undefined)
      warn(`query parameters share the name ${JSON.stringify(shared)} and cannot be told apart`);
    for (const name of names) seen.add(name);
  }
}

function identity(item: Covered): string {
  return `${item.in} ${item.in === "header" ? item.name.toLowerCase() : item.name}`;
}

function readParameter(raw: Json, schemas: Schemas): ParameterDraft | undefined {
  const name = toText(raw["name"]);
  const place = PLACES.find((known) => known === raw["in"]);
  if (name === undefined || place === undefined) return undefined;
  const [media] = Object.entries(toObject(raw["content"]));
  const written = media === undefined ? raw["schema"] : toObject(media[1])["schema"];
  const normal: Schema = written === undefined ? { type: "string" } : schemas.normalise(written);
  const description = cleanText(toText(raw["description"]) ?? "");
  const schema = description === "" ? normal : ordered({ ...normal, description });
  const required = place === "path" || raw["required"] === true;
  const only = required ? onlyValue(schemas.expand(normal)) : undefined;
  const style = STYLES[place].find((known) => known === raw["style"]) ?? STYLES[place][0];
  const byDefault = style === "form" || style === "cookie";
  const plan = defined({
    name,
    in: place,
    style,
    explode: style === "deepObject" || (typeof raw["explode"] === "boolean" ? raw["explode"] : byDefault),
    required: required ? (true as const) : undefined,
    allowReserved: raw["allowReserved"] === true ? (true as const) : undefined,
    content: media?.[0],
    fixed: only,
  });
  return { plan, schema, hidden: only !== undefined };
}

/** The one value a schema allows, if it is one. */
function onlyValue(schema: Schema): unknown {
  if (schema["const"] !== undefined) return schema["const"] ?? undefined;
  const values = toList(schema["enum"]);
  return values.length === 1 ? (values[0] ?? undefined) : undefined;
}

/**
 * The arguments of a tool (rule M5): parameters side by side, and the body's properties beside them where that is safe,
 * or else one argument `body`. The root of the schema is a closed object, because model APIs take nothing else there.
 */
import type { BodyDraft } from "./body.ts";
import { BODY_KEY, type BodyPlan, type ParameterPlan, type Schema } from "./ir.ts";
import { defined, isObject, toObject, toStrings } from "./json.ts";
import { assignKeys, isSafeKey } from "./keys.ts";
import type { ParameterDraft } from "./parameters.ts";
import { isPlainObject } from "./schema/merge.ts";
import type { Schemas } from "./schema/normalise.ts";
import { ordered } from "./schema/walk.ts";

const MAX_FLAT_PROPERTIES = 30;

/** The arguments of one operation, components not yet put in. */
export interface Layout {
  readonly schema: Schema;
  readonly parameters: readonly ParameterPlan[];
  readonly body?: BodyPlan;
}

/** Lays out parameters and body as one flat list of arguments. */
export function layOut(drafts: readonly ParameterDraft[], body: BodyDraft | undefined, schemas: Schemas): Layout {
  const shown = drafts.filter((draft) => !draft.hidden);
  const plainKeys = assignKeys(shown.map((draft) => draft.plan));
  const flat = body === undefined ? undefined : flatProperties(body, schemas, plainKeys);
  const whole = body !== undefined && flat === undefined;
  const keys = whole
    ? assignKeys(
        shown.map((draft) => draft.plan),
        [BODY_KEY],
      )
    : plainKeys;

  const properties: [string, Schema][] = [];
  const required: string[] = [];
  const parameters = drafts.map(({ plan, schema, hidden }): ParameterPlan => {
    if (hidden) return plan;
    const key = keys[properties.length] ?? plan.name;
    properties.push([key, schema]);
    if (plan.required === true) required.push(key);
    return { key, ...plan };
  });
  if (flat !== undefined) {
    properties.push(...flat.properties);
    required.push(...flat.required);
  }
  if (whole) {
    const { description } = body;
    properties.push([BODY_KEY, description === undefined ? body.schema : ordered({ ...body.schema, description })]);
    if (body.plan.required === true) required.push(BODY_KEY);
  }
  const schema: Schema = {
    type: "object",
    properties: Object.fromEntries(properties),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  };
  const plan = body && defined({ ...body.plan, flat: flat?.properties.map(([name]) => name) });
  return defined({ schema, parameters, body: plan });
}

/** The body's properties as arguments, or undefined when it has to stay whole. */
function flatProperties(
  body: BodyDraft,
  schemas: Schemas,
  taken: readonly string[],
): { readonly properties: readonly [string, Schema][]; readonly required: readonly string[] } | undefined {
  if (body.conditional || !["json", "form", "multipart"].includes(body.plan.format)) return undefined;
  const root = schemas.expand(body.schema);
  const open = root["additionalProperties"] !== undefined && root["additionalProperties"] !== false;
  if (!isPlainObject(root) || Array.isArray(root["type"]) || open) return undefined;
  const required = toStrings(root["required"]);
  const declared = toObject(root["properties"]);
  const names = [...new Set([...Object.keys(declared), ...required])];
  if (names.length < 1 || names.length > MAX_FLAT_PROPERTIES) return undefined;
  if (names.some((name) => !isSafeKey(name) || taken.includes(name))) return undefined;
  // Arguments that are required only if others are given cannot be said in a flat list.
  if (required.length > 0 && body.plan.required !== true) return undefined;
  const properties = names.map((name): [string, Schema] => {
    const schema = declared[name];
    return [name, isObject(schema) ? schema : {}];
  });
  return { properties, required };
}

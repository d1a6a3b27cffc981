/**
 * Parameter styles (rule M7): a value, a name, a style and `explode` to what is written on the wire. The same writer
 * serves paths, queries, headers, cookies and form bodies; what differs is how single texts are encoded.
 */
import { encode, encodeReserved } from "./encode.ts";
import type { ParameterPlan, Style } from "./ir.ts";
import { isObject } from "./json.ts";
import { isJson } from "./media.ts";
import { toJsonText } from "./json-text.ts";

type Encode = (text: string) => string;

/** One value as text; objects and lists inside it as JSON. */
export function toScalar(value: unknown): string {
  return typeof value === "object" && value !== null ? toJsonText(value) : String(value);
}

/** The members of an object that are really there. */
function membersOf(value: object): [string, unknown][] {
  return Object.entries(value).filter(([, member]) => member !== undefined && member !== null);
}

/** `a,b` or `x,1,y,2` or, exploded, `x=1,y=2`: what path and header styles have in common. */
function joined(value: unknown, separator: string, explode: boolean, encoded: Encode): string {
  const text = (item: unknown): string => encoded(toScalar(item));
  if (Array.isArray(value)) return value.map(text).join(separator);
  if (!isObject(value)) return text(value);
  const pairs = membersOf(value).map(([key, item]) => [encoded(key), text(item)] as const);
  return explode ? pairs.map(([key, item]) => `${key}=${item}`).join(separator) : pairs.flat().join(separator);
}

/** A path parameter as it stands in its segment. */
export function toPath(plan: ParameterPlan, value: unknown): string {
  const content = contentText(plan, value);
  if (content !== undefined) return encode(content);
  const { style, explode } = plan;
  if (style === "label") return `.${joined(value, explode ? "." : ",", explode, encode)}`;
  if (style !== "matrix") return joined(value, ",", explode, encode);
  const name = encode(plan.name);
  if (!explode) return `;${name}=${joined(value, ",", false, encode)}`;
  if (Array.isArray(value)) return value.map((item) => `;${name}=${encode(toScalar(item))}`).join("");
  return isObject(value) ? `;${joined(value, ";", true, encode)}` : `;${name}=${encode(toScalar(value))}`;
}

/** A header parameter's value: texts are not encoded. */
export function toHeader(plan: ParameterPlan, value: unknown): string {
  return contentText(plan, value) ?? joined(value, ",", plan.explode, (text) => text);
}

/** How a query-like value is written. */
export interface QueryStyle {
  readonly style: Style;
  readonly explode: boolean;
  readonly allowReserved?: true;
}

/** A query or cookie parameter as `name=value` pairs, encoded. */
export function toPairs(plan: ParameterPlan, value: unknown): string[] {
  const content = contentText(plan, value);
  return writePairs(plan.name, content ?? value, plan);
}

/** Writes a value in a query style. An exploded empty list is nothing at all. */
export function writePairs(name: string, value: unknown, { style, explode, allowReserved }: QueryStyle): string[] {
  const encoded = allowReserved === true ? encodeReserved : encode;
  const key = encode(name);
  const pair = (left: string, item: unknown): string => `${left}=${encoded(toScalar(item))}`;
  if (style === "deepObject") return deep(key, value, encoded);
  if (explode && Array.isArray(value)) return value.map((item) => pair(key, item));
  if (explode && isObject(value)) return membersOf(value).map(([member, item]) => pair(encode(member), item));
  const separator = style === "spaceDelimited" ? "%20" : style === "pipeDelimited" ? "%7C" : ",";
  return [`${key}=${joined(value, separator, false, encoded)}`];
}

function deep(key: string, value: unknown, encoded: Encode): string[] {
  if (Array.isArray(value)) {
    // Objects need their index, or their members could not be told apart.
    return value.flatMap((item: unknown, index) =>
      deep(`${key}%5B${typeof item === "object" && item !== null ? index : ""}%5D`, item, encoded),
    );
  }
  if (isObject(value))
    return membersOf(value).flatMap(([member, item]) => deep(`${key}%5B${encode(member)}%5D`, item, encoded));
  return [`${key}=${encoded(toScalar(value))}`];
}

/** The one text of a parameter described by `content`; undefined when it is described by a style. */
function contentText({ content }: ParameterPlan, value: unknown): string | undefined {
  if (content === undefined) return undefined;
  return isJson(content) || typeof value === "object" ? toJsonText(value) : toScalar(value);
}

/** The whole query of an `in: querystring` parameter. */
export function toQueryString(plan: ParameterPlan, value: unknown): string[] {
  if (plan.content === undefined || isJson(plan.content) || !isObject(value)) {
    return [encode(contentText(plan, value) ?? toScalar(value))];
  }
  return membersOf(value).flatMap(([name, item]) => writePairs(name, item, { style: "form", explode: true }));
}

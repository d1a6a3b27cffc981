/**
 * Schemas as TypeScript types, for people and models to read (rule M17). Text from a document becomes string literals
 * and comments only: names are quoted, and nothing can end a comment.
 */
import type { Schema } from "./ir.ts";
import { isObject, toList, toObject, toStrings, toText } from "./json.ts";
import { definitionName } from "./schema/walk.ts";
import { oneLine } from "./text.ts";

const IDENTIFIER = /^[A-Za-z_$][A-Za-z0-9_$]*$/;
const MAX_COMMENT = 160;

/** How much of a type is written. */
export interface TypeStyle {
  /** Objects below this depth are `object`. */
  readonly depth?: number;
  /** Whether notes stand beside properties; they do unless this is false. */
  readonly notes?: boolean;
}

/** Where a type stands: how far in the text, and how deep in the schema. */
interface Position {
  readonly indent: string;
  readonly depth: number;
  readonly style: TypeStyle;
}

/** The type of a schema. Definitions are named; `toDeclarations` says what they are. */
export function toType(schema: Schema, style: TypeStyle = {}, indent = ""): string {
  return write(schema, { indent, depth: 0, style });
}

function write(schema: Schema, position: Position): string {
  const name = definitionName(schema);
  if (name !== undefined) return typeName(name);
  if (schema["const"] !== undefined) return literal(schema["const"]);
  const values = toList(schema["enum"]);
  if (values.length > 0) return values.map(literal).join(" | ");
  const union = [...toList(schema["oneOf"]), ...toList(schema["anyOf"])].filter(isObject);
  const parts = toList(schema["allOf"]).filter(isObject);
  const composed: string[] = [];
  if (union.length > 0) composed.push([...new Set(union.map((branch) => write(branch, position)))].join(" | "));
  composed.push(...parts.map((part) => write(part, position)));
  const own = ownType(schema, position);
  if (composed.length === 0) return own;
  if (own !== "unknown") composed.push(own);
  return composed.length === 1 ? (composed[0] ?? own) : composed.map(parenthesised).join(" & ");
}

function ownType(schema: Schema, position: Position): string {
  const { type } = schema;
  const types = typeof type === "string" ? [type] : toStrings(type);
  if (types.length === 0) return schema["properties"] === undefined ? "unknown" : objectType(schema, position);
  return types.map((name) => singleType(name, schema, position)).join(" | ");
}

function singleType(type: string, schema: Schema, position: Position): string {
  switch (type) {
    case "integer":
      return "number";
    case "array":
      return arrayType(schema, position);
    case "object":
      return objectType(schema, position);
    default:
      return type;
  }
}

function arrayType(schema: Schema, position: Position): string {
  const tuple = toList(schema["prefixItems"]).filter(isObject);
  if (tuple.length > 0) return `[${tuple.map((item) => write(item, position)).join(", ")}]`;
  return `${parenthesised(write(toObject(schema["items"]), position))}[]`;
}

function parenthesised(type: string): string {
  return /[|&]/.test(type) && !/^[{[(]/.test(type) ? `(${type})` : type;
}

function objectType(schema: Schema, { indent, depth, style }: Position): string {
  const properties = Object.entries(toObject(schema["properties"]));
  const required = toStrings(schema["required"]);
  const additional = schema["additionalProperties"];
  if (depth >= (style.depth ?? Number.POSITIVE_INFINITY)) return "object";
  const inside = { indent: `${indent}  `, depth: depth + 1, style };
  const open = isObject(additional) ? write(additional, { ...inside, indent }) : "unknown";
  if (properties.length === 0) return additional === false ? "{}" : `Record<string, ${open}>`;
  const lines = properties.map(([name, property]) => {
    const value = toObject(property);
    const note = style.notes === false ? "" : comment(value);
    return `${inside.indent}${propertyName(name)}${required.includes(name) ? "" : "?"}: ${write(value, inside)};${note}`;
  });
  // An index signature has to take the named properties too.
  if (isObject(additional) || additional === true) lines.push(`${inside.indent}[key: string]: unknown;`);
  return `{\n${lines.join("\n")}\n${indent}}`;
}

/** A property's name, quoted unless it is an identifier. */
export function propertyName(name: string): string {
  return IDENTIFIER.test(name) ? name : literal(name);
}

/** A JSON value as a literal. What could hide or reorder the text around it is written as an escape. */
export function literal(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007F-\u009F\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFEFF]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** A definition's name as the name of a type. */
export function typeName(name: string): string {
  const text = name.replace(/[^A-Za-z0-9_$]+/g, "_");
  return /^[0-9]/.test(text) ? `_${text}` : text;
}

function comment(schema: Schema): string {
  const notes = [toText(schema["description"]), toText(schema["format"])].filter((note) => note !== undefined);
  if (schema["default"] !== undefined) notes.push(`default ${literal(schema["default"])}`);
  const line = oneLine(notes.join("; "));
  return line === "" ? "" : ` // ${line.length > MAX_COMMENT ? `${line.slice(0, MAX_COMMENT).toWellFormed()}…` : line}`;
}

/** The declarations of a schema's definitions, one after the other. */
export function toDeclarations(schema: Schema, style: TypeStyle = {}): string[] {
  return Object.entries(toObject(schema["$defs"])).map(
    ([name, definition]) => `type ${typeName(name)} = ${toType(toObject(definition), style)};`,
  );
}

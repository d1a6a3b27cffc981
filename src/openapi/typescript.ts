/**
 * Schemas as TypeScript types, for people and models to read (rule M17). Text from a document becomes string literals
 * and comments only: names are quoted, and nothing can end a comment.
 */
import type { Schema } from "./ir.ts";
import { isObject, toList, toObject, toStrings, toText } from "./json.ts";
import { definitionName } from "./schema/walk.ts";

const IDENTIFIER = /^[A-Za-z_$][A-Za-z0-9_$]*$/;
const MAX_COMMENT = 160;

/** The type of a schema. Definitions are named; `toDeclarations` says what they are. */
export function toType(schema: Schema, indent = ""): string {
  const name = definitionName(schema);
  if (name !== undefined) return typeName(name);
  if (schema["const"] !== undefined) return JSON.stringify(schema["const"]);
  const values = toList(schema["enum"]);
  if (values.length > 0) return values.map((value) => JSON.stringify(value)).join(" | ");
  const union = [...toList(schema["oneOf"]), ...toList(schema["anyOf"])].filter(isObject);
  const parts = toList(schema["allOf"]).filter(isObject);
  const composed: string[] = [];
  if (union.length > 0) composed.push([...new Set(union.map((branch) => toType(branch, indent)))].join(" | "));
  composed.push(...parts.map((part) => toType(part, indent)));
  const own = ownType(schema, indent);
  if (composed.length === 0) return own;
  if (own !== "unknown") composed.push(own);
  return composed.length === 1 ? (composed[0] ?? own) : composed.map(parenthesised).join(" & ");
}

function ownType(schema: Schema, indent: string): string {
  const { type } = schema;
  const types = typeof type === "string" ? [type] : toStrings(type);
  if (types.length === 0) return schema["properties"] === undefined ? "unknown" : objectType(schema, indent);
  return types.map((name) => singleType(name, schema, indent)).join(" | ");
}

function singleType(type: string, schema: Schema, indent: string): string {
  switch (type) {
    case "integer":
      return "number";
    case "array":
      return arrayType(schema, indent);
    case "object":
      return objectType(schema, indent);
    default:
      return type;
  }
}

function arrayType(schema: Schema, indent: string): string {
  const tuple = toList(schema["prefixItems"]).filter(isObject);
  if (tuple.length > 0) return `[${tuple.map((item) => toType(item, indent)).join(", ")}]`;
  return `${parenthesised(toType(toObject(schema["items"]), indent))}[]`;
}

function parenthesised(type: string): string {
  return /[|&]/.test(type) && !/^[{[(]/.test(type) ? `(${type})` : type;
}

function objectType(schema: Schema, indent: string): string {
  const properties = Object.entries(toObject(schema["properties"]));
  const required = toStrings(schema["required"]);
  const additional = schema["additionalProperties"];
  const open = isObject(additional) ? toType(additional, indent) : "unknown";
  if (properties.length === 0) return additional === false ? "{}" : `Record<string, ${open}>`;
  const inner = `${indent}  `;
  const lines = properties.map(([name, property]) => {
    const value = toObject(property);
    const note = comment(value);
    return `${inner}${propertyName(name)}${required.includes(name) ? "" : "?"}: ${toType(value, inner)};${note}`;
  });
  if (isObject(additional) || additional === true) lines.push(`${inner}[key: string]: ${open};`);
  return `{\n${lines.join("\n")}\n${indent}}`;
}

/** A property's name, quoted unless it is an identifier. */
export function propertyName(name: string): string {
  return IDENTIFIER.test(name) ? name : JSON.stringify(name);
}

function typeName(name: string): string {
  const text = name.replace(/[^A-Za-z0-9_$]+/g, "_");
  return /^[0-9]/.test(text) ? `_${text}` : text;
}

function comment(schema: Schema): string {
  const notes = [toText(schema["description"]), toText(schema["format"])].filter((note) => note !== undefined);
  if (schema["default"] !== undefined) notes.push(`default ${JSON.stringify(schema["default"])}`);
  const line = notes.join("; ").replace(/\s+/g, " ");
  return line === "" ? "" : ` // ${line.length > MAX_COMMENT ? `${line.slice(0, MAX_COMMENT).toWellFormed()}…` : line}`;
}

/** The declarations of a schema's definitions, one after the other. */
export function toDeclarations(schema: Schema): string[] {
  return Object.entries(toObject(schema["$defs"])).map(
    ([name, definition]) => `type ${typeName(name)} = ${toType(toObject(definition))};`,
  );
}

/**
 * Local references (rule M0): `#/a/b` by JSON pointer, unescaped. A reference that leaves the document is not followed
 * here, whatever it names: files and hosts are read only when a document is bundled, before it is compiled.
 */
import { isObject, omit, type Json } from "./json.ts";
import type { SourceDocument } from "./parse.ts";
import { Skip } from "./skip.ts";

/** What a reference points at: the value, and the pointer of its final place. */
export interface Target {
  readonly pointer: string;
  readonly value: unknown;
}

/** The references of one document. */
export interface Refs {
  /** Follows a reference, and every plain reference it leads to. @throws {Skip} when it leads nowhere. */
  follow(ref: string): Target;
  /** The object itself, or what its `$ref` points at. @throws {Skip} */
  deref(value: unknown): Json;
  /** Whether siblings of `$ref` count (3.1 and later) or are ignored (before). */
  readonly siblings: boolean;
}

/** Resolves references within one document; answers are remembered. */
export function createRefs(document: SourceDocument): Refs {
  const known = new Map<string, Target>();
  const siblings = document.dialect === "3.1";

  function follow(ref: string): Target {
    let target = known.get(ref);
    if (target === undefined) {
      target = resolve(ref);
      known.set(ref, target);
    }
    return target;
  }

  function resolve(ref: string): Target {
    const seen = new Set<string>();
    for (let next = ref; ;) {
      if (seen.has(next)) throw new Skip("unresolvable_ref", `${quote(ref)} refers to itself`);
      seen.add(next);
      const value = at(document.root, next);
      const plain = isObject(value) && typeof value["$ref"] === "string";
      if (!plain || (siblings && Object.keys(value).length > 1)) return { pointer: next, value };
      next = String(value["$ref"]);
    }
  }

  function deref(value: unknown): Json {
    let object = value;
    for (let hops = 0; isObject(object) && typeof object["$ref"] === "string"; hops++) {
      if (hops > 50) throw new Skip("unresolvable_ref", `${quote(object["$ref"])} refers to itself`);
      const target = follow(object["$ref"]).value;
      // 3.1: a Reference Object's own summary and description replace the target's.
      object = siblings && isObject(target) ? { ...target, ...omit(object, "$ref") } : target;
    }
    if (isObject(object)) return object;
    throw new Skip("unresolvable_ref", "a reference or entry is no object");
  }

  return { follow, deref, siblings };
}

function at(root: Json, ref: string): unknown {
  if (!ref.startsWith("#")) {
    throw new Skip("unresolvable_ref", `${quote(ref)} is outside the document; bundle it first`);
  }
  if (ref !== "#" && !ref.startsWith("#/")) {
    throw new Skip("unresolvable_ref", `${quote(ref)} is no JSON pointer; write #/components/…`);
  }
  let value: unknown = root;
  for (const token of ref.slice(1).split("/").slice(1)) {
    const key = unescapeToken(token);
    const inside = typeof value === "object" && value !== null && Object.hasOwn(value, key);
    if (!inside) throw new Skip("unresolvable_ref", `${quote(ref)} leads nowhere`);
    value = (value as Json)[key];
  }
  return value;
}

/** One part of a JSON pointer in a URI fragment: percent-decoded, then `~1` and `~0`. */
export function unescapeToken(token: string): string {
  let text = token;
  try {
    text = decodeURIComponent(token);
  } catch {
    // A stray percent sign: the text is taken as it stands.
  }
  return text.replaceAll("~1", "/").replaceAll("~0", "~");
}

/** The last part of a pointer, unescaped: the name of a component. */
export function lastToken(pointer: string): string {
  return unescapeToken(pointer.slice(pointer.lastIndexOf("/") + 1));
}

function quote(ref: string): string {
  return JSON.stringify(ref.slice(0, 200));
}

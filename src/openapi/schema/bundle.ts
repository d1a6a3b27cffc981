/**
 * One self-contained schema out of components (rule M9): what recurs or is used twice becomes `$defs`, the rest is
 * inlined, only what is reachable comes along, and the whole keeps to a budget of bytes.
 */
import type { Schema } from "../ir.ts";
import { byCodeUnit, omit } from "../json.ts";
import { lastToken } from "../refs.ts";
import { sha256 } from "../sha256.ts";
import { createGraph, type Reached } from "./graph.ts";
import { join } from "./merge.ts";
import { DERIVED, type Schemas } from "./normalise.ts";
import { hasParts, mapParts, ordered, toReference } from "./walk.ts";

/** A finished schema, whether parts of it were cut, and whether it fits its budget now. */
export interface Bundle {
  readonly schema: Schema;
  readonly truncated: boolean;
  readonly fits: boolean;
}

/** Puts schemas together; one per document and direction. */
export interface Bundler {
  /** The schema, cut until it fits. */
  bundle(root: Schema, budgetBytes: number): Bundle;
  /** The schema with nothing cut, or undefined when it has more bytes than that. */
  whole(root: Schema, maxBytes: number): Schema | undefined;
}

/** How much is left out: descriptions below one depth, definitions and structure below another. */
interface Cut {
  readonly describe: number;
  readonly define: number;
}

const ALL = Number.POSITIVE_INFINITY;
const UNCUT: Cut = { describe: ALL, define: ALL };
const CUTS: readonly Cut[] = [
  UNCUT,
  { describe: 3, define: ALL },
  ...[4, 3, 2, 1].map((define) => ({ describe: Math.min(define, 3), define })),
  { describe: -1, define: 1 },
  { describe: -1, define: 0 },
];
/** A component that is used twice and no larger than this is cheaper to repeat than to name. */
const MIN_DEFINITION_BYTES = 120;
const MAX_LEVELS = 400;
/** Larger roots are hardly ever the same twice. */
const MAX_KEY_LENGTH = 2_000;

/** Creates the bundler over a document's schemas. */
export function createBundler(schemas: Schemas): Bundler {
  const graph = createGraph(schemas);
  /** Many operations take the same arguments and give the same answer; their schemas are made once and shared. */
  const made = new Map<string, Bundle>();

  function bundle(root: Schema, budgetBytes: number): Bundle {
    const key = `${budgetBytes} ${JSON.stringify(root)}`;
    const known = made.get(key) ?? fit(root, budgetBytes);
    if (key.length <= MAX_KEY_LENGTH) made.set(key, known);
    return known;
  }

  function fit(root: Schema, budgetBytes: number): Bundle {
    let smallest: Bundle = { schema: {}, truncated: true, fits: false };
    for (const cut of CUTS) {
      // What is reached is written at least once: far over the budget, there is no need to write it to know.
      const last = cut === CUTS.at(-1);
      const reached = graph.reach(root, cut.define, last ? ALL : budgetBytes * 4);
      if (reached === undefined) continue;
      const written = write(root, reached, cut);
      smallest = { ...written, fits: isWithin(written.schema, budgetBytes) };
      if (smallest.fits) break;
    }
    return smallest;
  }

  function whole(root: Schema, maxBytes: number): Schema | undefined {
    const reached = graph.reach(root, ALL, maxBytes * 4);
    const written = reached && write(root, reached, UNCUT);
    return written !== undefined && !written.truncated && isWithin(written.schema, maxBytes)
      ? written.schema
      : undefined;
  }

  function write(root: Schema, reached: Reached, cut: Cut): Omit<Bundle, "fits"> {
    let truncated = false;
    const isShared = (id: string, uses: number): boolean =>
      graph.isRecursive(id) || (uses > 1 && graph.exceeds(id, MIN_DEFINITION_BYTES));
    const shared = [...reached.uses].filter(([id, uses]) => isShared(id, uses)).map(([id]) => id);
    const names = nameDefinitions(shared);
    const schema = emit(root, 0, 0);
    if (names.size === 0) return { schema, truncated };
    const definitions = [...names]
      .map(([id, name]): [string, Schema] => [name, emit(schemas.component(id), reached.depths.get(id) ?? 0, 0)])
      .toSorted(([a], [b]) => byCodeUnit(a, b));
    return { schema: { ...schema, $defs: Object.fromEntries(definitions) }, truncated };

    function emit(part: Schema, depth: number, level: number): Schema {
      const described = depth > cut.describe && "description" in part ? omit(part, "description") : part;
      const id = described["$ref"];
      if (typeof id === "string") return emitReference(omit(described, "$ref"), schemas.canonical(id), depth, level);
      if ((depth > cut.define || level > MAX_LEVELS) && hasParts(described)) return cutTo(described);
      // A negation that is cut would refuse more than it did, so it goes as a whole.
      const kept = cut.define === ALL || described["not"] === undefined ? described : omit(described, "not");
      return mapParts(kept, (sub, deeper) => emit(sub, depth + deeper, level + 1));
    }

    function cutTo(part: Schema): Schema {
      truncated = true;
      return stub(part);
    }

    function emitReference(siblings: Schema, id: string, depth: number, level: number): Schema {
      const name = names.get(id);
      const rest = Object.keys(siblings).length === 0 ? siblings : emit(siblings, depth, level + 1);
      if (name !== undefined) return ordered({ $ref: toReference(name), ...rest });
      const target = schemas.component(id);
      const tooFar = !reached.uses.has(id) || depth > cut.define || level > MAX_LEVELS;
      const opened = tooFar && hasParts(target) ? cutTo(target) : emit(target, depth, level + 1);
      return Object.keys(rest).length === 0 ? opened : ordered(join(opened, rest));
    }
  }

  return { bundle, whole };
}

/** What is left of a schema that was cut: its type, where it has one. */
function stub(schema: Schema): Schema {
  if (schema["type"] === "array") return { type: "array", items: {} };
  return schema["type"] === undefined ? {} : { type: schema["type"] };
}

/** The last part of each pointer, made safe; the hash of the pointer behind it when the name is taken. */
function nameDefinitions(ids: readonly string[]): Map<string, string> {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  for (const id of ids) {
    const plain = plainName(id);
    const name = taken.has(plain) ? `${plain}_${sha256(id).slice(0, 6)}` : plain;
    taken.add(name);
    names.set(id, name);
  }
  return names;
}

function plainName(id: string): string {
  const name = lastToken(id.split(DERIVED)[0] ?? id).replace(/[^A-Za-z0-9._-]+/g, "_");
  return name === "" || name === "__proto__" ? "Schema" : name;
}

/** Whether a schema's JSON has at most `max` bytes of UTF-8; most are told by their length alone. */
function isWithin(schema: Schema, max: number): boolean {
  const text = JSON.stringify(schema);
  if (text.length > max) return false;
  return text.length * 3 <= max || new TextEncoder().encode(text).length <= max;
}

/**
 * How components refer to each other: what a schema reaches and how deep, what recurs, and what no value could ever
 * satisfy. Walks without recursion, because a document decides how long the chains are.
 */
import type { Schema } from "../ir.ts";
import { Skip } from "../skip.ts";
import { DERIVED, type Schemas } from "./normalise.ts";
import { forEachPart } from "./walk.ts";

/** A reference from one schema to a component: `depth` levels of values below it. */
interface Edge {
  readonly to: string;
  readonly depth: number;
}

interface Facts {
  readonly bytes: number;
  readonly edges: readonly Edge[];
}

/** Components reached from a root: how often each is referred to, and how deep it is met first. */
export interface Reached {
  readonly uses: ReadonlyMap<string, number>;
  readonly depths: ReadonlyMap<string, number>;
}

/** The graph of a document's components in one direction. */
export interface Graph {
  /** Everything within `maxDepth` of the root, or undefined when it has more than `maxBytes`. @throws {Skip} */
  reach(root: Schema, maxDepth: number, maxBytes: number): Reached | undefined;
  isRecursive(id: string): boolean;
  /** Whether a component and all that would be inlined with it has more than `bytes`. */
  exceeds(id: string, bytes: number): boolean;
}

/** Creates the graph over a document's schemas; facts about components are remembered. */
export function createGraph(schemas: Schemas): Graph {
  const known = new Map<string, Facts>();
  const recursive = new Map<string, boolean>();
  const endless = new Map<string, boolean>();

  function facts(id: string): Facts {
    let found = known.get(id);
    if (found === undefined) {
      found = measure(schemas.component(id), schemas);
      known.set(id, found);
    }
    return found;
  }

  function edgesOf(id: string): readonly Edge[] {
    try {
      return facts(id).edges;
    } catch {
      // What cannot be resolved leads nowhere; the operation that needs it is skipped when it gets there.
      return [];
    }
  }

  function reach(root: Schema, maxDepth: number, maxBytes: number): Reached | undefined {
    const uses = new Map<string, number>();
    const depths = new Map<string, number>();
    const levels: string[][] = [];
    let bytes = 0;
    const meet = (edges: readonly Edge[], from: number): void => {
      for (const { to, depth } of edges) {
        const at = from + depth;
        if (at > maxDepth) continue;
        uses.set(to, (uses.get(to) ?? 0) + 1);
        if (at >= (depths.get(to) ?? Number.POSITIVE_INFINITY)) continue;
        depths.set(to, at);
        (levels[at] ??= []).push(to);
      }
    };
    meet(measure(root, schemas).edges, 0);
    const done = new Set<string>();
    for (let level = 0; level < levels.length; level++) {
      for (const id of levels[level] ?? []) {
        if (done.has(id)) continue;
        done.add(id);
        refuseEndless(id);
        bytes += facts(id).bytes;
        if (bytes > maxBytes) return undefined;
        meet(facts(id).edges, level);
      }
    }
    return { uses, depths };
  }

  /** No value is ever decided by a schema that asks the same value to satisfy the schema itself. */
  function refuseEndless(id: string): void {
    let verdict = endless.get(id);
    if (verdict === undefined) {
      const seen = new Set<string>();
      const pending = [id];
      for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
        for (const { to, depth } of edgesOf(next)) {
          if (depth > 0 || seen.has(to)) continue;
          seen.add(to);
          pending.push(to);
        }
      }
      verdict = seen.has(id);
      endless.set(id, verdict);
    }
    if (!verdict) return;
    throw new Skip("unresolvable_ref", `${JSON.stringify(id.split(DERIVED)[0])} is defined by nothing but itself`);
  }

  function exceeds(id: string, bytes: number): boolean {
    let room = bytes;
    const pending = [id];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      room -= facts(next).bytes;
      if (room < 0) return true;
      for (const { to } of facts(next).edges) pending.push(to);
    }
    return false;
  }

  /** Tarjan's strongly connected components, with a stack of its own. */
  function isRecursive(id: string): boolean {
    if (!recursive.has(id)) connect(id);
    return recursive.get(id) ?? false;
  }

  function connect(start: string): void {
    const index = new Map<string, number>();
    const low = new Map<string, number>();
    const stack: string[] = [];
    const frames: { id: string; next: number }[] = [];
    const enter = (id: string): void => {
      index.set(id, index.size);
      low.set(id, index.size - 1);
      stack.push(id);
      frames.push({ id, next: 0 });
    };
    const lower = (id: string, to: number): void => void low.set(id, Math.min(low.get(id) ?? to, to));
    enter(start);
    for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
      const { id } = frame;
      const edge = edgesOf(id)[frame.next++];
      if (edge !== undefined) {
        if (recursive.has(edge.to)) continue;
        const seen = index.get(edge.to);
        if (seen === undefined) enter(edge.to);
        else lower(id, seen);
        continue;
      }
      frames.pop();
      const parent = frames.at(-1);
      if (parent !== undefined) lower(parent.id, low.get(id) ?? 0);
      if (low.get(id) !== index.get(id)) continue;
      const members = stack.splice(stack.lastIndexOf(id));
      const loops = members.length > 1 || edgesOf(id).some(({ to }) => to === id);
      for (const member of members) recursive.set(member, loops);
    }
  }

  return { reach, isRecursive, exceeds };
}

function measure(schema: Schema, schemas: Schemas): Facts {
  const edges: Edge[] = [];
  const pending: [Schema, number][] = [[schema, 0]];
  let described = 0;
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [part, depth] = next;
    if (typeof part["$ref"] === "string") edges.push({ to: schemas.canonical(part["$ref"]), depth });
    if (typeof part["description"] === "string") described += part["description"].length + '"description":"",'.length;
    const found: [Schema, number][] = [];
    forEachPart(part, (sub, deeper) => found.push([sub, depth + deeper]));
    pending.push(...found.toReversed());
  }
  return { bytes: JSON.stringify(schema).length - described, edges };
}

/** A ledger within a size: writes and failures before reads, the rest counted. */
import { isNotable, type LedgerEntry } from "../contract/ledger.ts";

/** Longest path that is kept where there is little room, in characters. */
const MAX_PATH = 200;

/** The entries that fit into `max` characters of JSON, in their order. Long paths are cut before an entry is left out. */
export function fitLedger(ledger: readonly LedgerEntry[], max: number): readonly LedgerEntry[] {
  if (sizeOf(ledger) <= max) return ledger;
  const short = ledger.map((entry) => ({ ...entry, path: cutPath(entry.path) }));
  const kept: LedgerEntry[] = [];
  let size = sizeOf([]);
  for (const entry of [...short.filter(isNotable), ...short.filter((entry) => !isNotable(entry))]) {
    size += sizeOf(entry) + 1;
    if (size > max) break;
    kept.push(entry);
  }
  return kept.toSorted((a, b) => a.seq - b.seq);
}

function cutPath(path: string): string {
  return path.length <= MAX_PATH ? path : `${path.slice(0, MAX_PATH - 1)}…`;
}

function sizeOf(value: unknown): number {
  return JSON.stringify(value).length;
}

/** What came of a document, in lines for a terminal. Text of the document is printed as data. */
import type { Imported } from "./import-document.ts";
import { printable } from "./printable.ts";

const MAX_LINES = 12;

/** How many operations were mapped and why the others were not; `report` is where all of it is written. */
export function describeImport({ ir, leftOut, unresolved }: Imported, report: string): string[] {
  const reasons = new Map<string, { count: number; example: string }>();
  for (const { method, path, rule, reason } of ir.skipped) {
    const id = `${rule}: ${reason}`;
    const group = reasons.get(id) ?? { count: 0, example: `${method} ${path}` };
    reasons.set(id, { ...group, count: group.count + 1 });
  }
  const groups = [...reasons].toSorted(([, a], [, b]) => b.count - a.count);
  const lines = groups.map(([id, { count, example }]) =>
    printable(count === 1 ? `  ${example}: ${id}` : `  ${count} operations, such as ${example}: ${id}`),
  );
  return [
    `mapped ${ir.operations.length}, skipped ${ir.skipped.length}${leftOut === 0 ? "" : `, left out by --include and --exclude ${leftOut}`}`,
    ...atMost(lines, report),
    ...atMost(
      unresolved.map((text) => `  ${printable(text)}`),
      report,
    ),
    ...(ir.skipped.some(({ rule }) => rule === "host_not_allowed") ? ["--allow-host <host> opens another host."] : []),
    ...(ir.warnings.length === 0 ? [] : [`${ir.warnings.length} warnings: ${report}`]),
  ];
}

function atMost(lines: readonly string[], report: string): string[] {
  return lines.length <= MAX_LINES
    ? [...lines]
    : [...lines.slice(0, MAX_LINES), `  and ${lines.length - MAX_LINES} more: ${report}`];
}

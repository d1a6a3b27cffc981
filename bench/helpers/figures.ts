/** What every measurement prints: percentiles, plain tables, and how busy the machine was. */
import { loadavg } from "node:os";

/** The value that `share` of the (unsorted) samples do not exceed: 0.5 is the median. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/** Prints rows under a head; the first column is text, the others are figures. */
export function printTable(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = head.map((cell, column) => Math.max(cell.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join("   ");
  for (const row of [head, ...rows]) console.log(line(row));
}

/** Prints how many processes have wanted to run in the last minute. Absolute figures of a busy machine say little. */
export function printLoad(): void {
  console.log(`load average ${loadavg()[0]?.toFixed(1)}`);
}

/** A figure with so many digits after the point. */
export function fixed(value: number, digits = 2): string {
  return value.toFixed(digits);
}

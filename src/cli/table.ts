/** Lays rows of text out in columns. */
import { stripVTControlCharacters, styleText } from "node:util";

/** A table whose columns are as wide as their widest cell; the head is dimmed where the terminal can. */
export function toTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => widthOf(row[column] ?? ""))));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => cell + " ".repeat(Math.max(0, (widths[column] ?? 0) - widthOf(cell))))
      .join("  ")
      .trimEnd();
  return [styleText("dim", line(head)), ...rows.map(line)].join("\n");
}

function widthOf(cell: string): number {
  return stripVTControlCharacters(cell).length;
}

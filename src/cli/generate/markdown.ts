/** Text from a document in Markdown: it is shown as it is, and makes no heading, link, image, tag or table cell. */

/** Text on one line, every character that could mean something escaped (CommonMark §2.4). */
export function toMarkdown(text: string): string {
  return text
    .replace(/\s+/g, " ")
    .trim()
    .replace(/[!-/:-@[-`{-~]/g, "\\$&");
}

/** Text as code, in a fence longer than any run of backticks in it; in a table, where a bar would end the cell. */
export function toCode(text: string): string {
  const line = text.replace(/\s+/g, " ").trim().replaceAll("|", "\\|");
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return longest === 0 ? `${fence}${line}${fence}` : `${fence} ${line} ${fence}`;
}

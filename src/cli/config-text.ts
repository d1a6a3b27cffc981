/** How a `config.json` that a command writes looks: a line per field, a list broken up only when it is too long. */

const LINE_WIDTH = 120;

/** The text of a config, in the layout that the formatter of this project leaves as it is. */
export function toConfigText(config: object): string {
  const fields = Object.entries(config).filter(([, value]) => value !== undefined);
  return `{\n${fields.map(([name, value]) => field(name, value)).join(",\n")}\n}\n`;
}

function field(name: string, value: unknown): string {
  const line = `  ${JSON.stringify(name)}: ${inline(value)}`;
  if (line.length < LINE_WIDTH || !Array.isArray(value)) return line;
  return `  ${JSON.stringify(name)}: [\n${value.map((item) => `    ${inline(item)}`).join(",\n")}\n  ]`;
}

function inline(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inline).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${inline(member)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

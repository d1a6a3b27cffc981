/** Writes a `SKILL.md` for a skill that is described by its parts, as code does that saves itself. */
import { stringify } from "yaml";

export interface ManifestParts {
  readonly name: string;
  readonly description: string;
  readonly apis?: readonly string[] | undefined;
  /** A JSON Schema. */
  readonly input?: Readonly<Record<string, unknown>> | undefined;
  readonly version?: string | undefined;
  /** Markdown below the front matter. */
  readonly instructions?: string | undefined;
}

/**
 * The text of a `SKILL.md`. Its YAML keeps to what every reader of the format knows: blocks, no references, one line a
 * text, so that the text that other clients compare is the one that was meant.
 */
export function writeManifest({ instructions, ...head }: ManifestParts): string {
  const yaml = stringify(withoutUndefined(head), {
    aliasDuplicateObjects: false,
    lineWidth: 0,
    doubleQuotedAsJSON: true,
    blockQuote: false,
    defaultStringType: "QUOTE_DOUBLE",
    defaultKeyType: "PLAIN",
  });
  return `---\n${yaml}---\n\n${instructions ?? head.description}\n`;
}

function withoutUndefined(parts: object): object {
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined));
}

/**
 * `apis/<name>/source.json`: where an API's document came from and what was chosen, so that `codeforge add --update`
 * asks for neither again.
 */
import { isAbsolute, join, relative, resolve } from "node:path";

import { z } from "zod";

import { readIfThere } from "../files.ts";
import { parseJson } from "../json.ts";
import type { Choices } from "./import-document.ts";

const Filter = z.strictObject({
  tags: z.array(z.string()).exactOptional(),
  groups: z.array(z.string()).exactOptional(),
  paths: z.array(z.string()).exactOptional(),
  methods: z.array(z.string()).exactOptional(),
  operationIds: z.array(z.string()).exactOptional(),
  deprecated: z.boolean().exactOptional(),
});

const SourceFile = z.strictObject({
  /** An https URL, or a path relative to the API's folder. */
  document: z.string(),
  include: z.array(Filter).default([]),
  exclude: z.array(Filter).default([]),
  server: z.string().exactOptional(),
  scheme: z.string().exactOptional(),
  /** `NAME@scheme`, or `NAME`. */
  credentials: z.array(z.string()).default([]),
});

/** The document's location and the choices. */
export interface DocumentSource extends Choices {
  readonly location: string;
}

/** Where the file is. */
export function sourcePath(apiFolder: string): string {
  return join(apiFolder, "source.json");
}

/** What was chosen when the API was added; undefined when it has no such file, or one that nobody can read. */
export function readSource(apiFolder: string): DocumentSource | undefined {
  const text = readIfThere(sourcePath(apiFolder));
  const json = text === undefined ? undefined : parseJson(text);
  const parsed = SourceFile.safeParse(json?.ok === true ? json.value : undefined);
  if (!parsed.success) return undefined;
  const { document, ...choices } = parsed.data;
  return { location: isUrl(document) ? document : resolve(apiFolder, document), ...choices };
}

/** The text of the file. */
export function toSourceText(
  apiFolder: string,
  { location, include, exclude, server, scheme, credentials }: DocumentSource,
): string {
  const path = isUrl(location) || isAbsolute(relative(apiFolder, resolve(location))) ? location : undefined;
  const document = path ?? relative(apiFolder, resolve(location)).replaceAll("\\", "/");
  const file: z.input<typeof SourceFile> = {
    document,
    ...(include.length > 0 ? { include: [...include] as z.input<typeof Filter>[] } : {}),
    ...(exclude.length > 0 ? { exclude: [...exclude] as z.input<typeof Filter>[] } : {}),
    ...(server === undefined ? {} : { server }),
    ...(scheme === undefined ? {} : { scheme }),
    ...(credentials.length > 0 ? { credentials: [...credentials] } : {}),
  };
  return `${JSON.stringify(file, null, 2)}\n`;
}

function isUrl(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
}

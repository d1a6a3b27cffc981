/**
 * A document to its intermediate representation: the one place where the rules meet. Pure and deterministic: the same
 * document and options give the same bytes, whatever order its paths are in. One bad operation is skipped with its rule
 * and never costs the others.
 */
import { readBody } from "./body.ts";
import { needsConfirmation, toAnnotations } from "./hints.ts";
import { MAPPING_VERSION, type ApiIr, type CredentialUse, type Operation, type Skipped } from "./ir.ts";
import { byCodeUnit, defined, isObject, omit, toList, toObject, toStrings, toText, type Json } from "./json.ts";
import { layOut } from "./layout.ts";
import { assignNames, groupPath, maxNameLength, nameWords, type NameOptions } from "./names.ts";
import { listOperations, type Candidate } from "./operations.ts";
import { readAnswer } from "./output.ts";
import { paginationNote, readPagination } from "./pagination.ts";
import { readParameters } from "./parameters.ts";
import type { SourceDocument } from "./parse.ts";
import { createRefs, type Refs } from "./refs.ts";
import { createBundler, type Bundler } from "./schema/bundle.ts";
import { createSchemas, type Schemas } from "./schema/normalise.ts";
import { createSecurity, noteCredentials, type SecurityOptions, type SecurityReader } from "./security.ts";
import { selectServer, type ServerOptions } from "./servers.ts";
import { sha256 } from "./sha256.ts";
import { Skip } from "./skip.ts";
import { upgradeSwagger } from "./swagger2.ts";
import { cleanText, oneLine, toDescription, toTitle } from "./text.ts";

/** An input schema has at most this many bytes of JSON. */
export const MAX_INPUT_BYTES = 16 * 1024;

/** A schema that was cut is kept whole beside it up to this size, for descriptions and checks. */
const MAX_COMPLETE_BYTES = 64 * 1024;

/** Everything that is not in the document. */
export interface CompileOptions extends ServerOptions, SecurityOptions {
  /** The MCP server's name: clients put it before a tool's name. Default `codeforge`. */
  readonly serverName?: string | undefined;
  /** Where the client is narrower than the model APIs: the longest tool name. */
  readonly maxNameLength?: number | undefined;
  /** Put the API's name before every tool's, for a server with several APIs. */
  readonly prefixNames?: boolean | undefined;
  /** New names by operationId or `METHOD /path`. */
  readonly rename?: Readonly<Record<string, string>> | undefined;
  /** Methods that are left out unless named: `HEAD`, `OPTIONS`. */
  readonly methods?: readonly string[] | undefined;
}

interface Context {
  readonly root: Json;
  readonly options: CompileOptions;
  readonly refs: Refs;
  readonly names: NameOptions;
  readonly security: SecurityReader;
  readonly input: { readonly schemas: Schemas; readonly bundler: Bundler };
  readonly output: { readonly schemas: Schemas; readonly bundler: Bundler };
}

/** Compiles a document. Everything that is left out is listed, with the rule that says so. */
export function compile(source: SourceDocument, options: CompileOptions): ApiIr {
  const document = source.dialect === "2.0" ? upgradeSwagger(source, options.docUrl) : source;
  const { root } = document;
  const refs = createRefs(document);
  const names: NameOptions = defined({
    maxLength: options.maxNameLength ?? maxNameLength(options.serverName ?? "codeforge"),
    prefix: options.prefixNames === true ? options.api : undefined,
    rename: options.rename,
  });
  const [input, output] = (["input", "output"] as const).map((direction) => {
    const schemas = createSchemas(refs, direction);
    return { schemas, bundler: createBundler(schemas) };
  }) as [Context["input"], Context["output"]];
  const context: Context = { root, options, refs, names, security: createSecurity(root, refs, options), input, output };

  const listed = listOperations(root, refs, options.methods ?? []);
  const assigned = assignNames(listed.candidates, names);
  const named = listed.candidates
    .map((candidate, i) => ({ candidate, name: assigned[i] ?? "" }))
    .toSorted((a, b) => byCodeUnit(a.name, b.name));
  const operations: Operation[] = [];
  const skipped: Skipped[] = [...listed.skipped];
  const warnings: string[] = [...document.warnings];
  for (const { candidate, name } of named) {
    const { method, path } = candidate;
    try {
      operations.push(toOperation(candidate, name, context, (text) => warnings.push(`${method} ${path}: ${text}`)));
    } catch (error) {
      if (!(error instanceof Skip)) throw error;
      skipped.push({ method, path, rule: error.rule, reason: error.message });
    }
  }
  const info = toObject(root["info"]);
  const description = cleanText(toText(info["description"]) ?? "");
  return defined({
    "x-codeforge-mapping": MAPPING_VERSION,
    api: options.api,
    title: oneLine(toText(info["title"]) ?? "") || options.api,
    description: description === "" ? undefined : description,
    version: info["version"] === undefined ? undefined : oneLine(String(info["version"])),
    openapi: source.version,
    sha256: digest(source.root),
    servers: mostUsed(operations.map((operation) => operation.server)),
    credentials: noteCredentials(operations.flatMap((operation): readonly CredentialUse[] => operation.security)),
    tags: describeTags(root, new Set(operations.flatMap(({ tags }) => tags))),
    operations,
    skipped: skipped.toSorted((a, b) => byCodeUnit(`${a.path} ${a.method}`, `${b.path} ${b.method}`)),
    warnings: [...new Set(warnings)].toSorted(byCodeUnit),
    ignored: { callbacks: listed.callbacks, webhooks: listed.webhooks },
  });
}

function describeTags(root: Json, used: ReadonlySet<string>): Record<string, string> | undefined {
  const described = toList(root["tags"]).flatMap((tag) => {
    const name = oneLine(toText(toObject(tag)["name"]) ?? "");
    const text = cleanText(toText(toObject(tag)["description"]) ?? "");
    return used.has(name) && text !== "" ? [[name, text] as const] : [];
  });
  return described.length === 0 ? undefined : Object.fromEntries(described);
}

function toOperation(candidate: Candidate, name: string, context: Context, warn: (text: string) => void): Operation {
  const { method, path, item, operation } = candidate;
  const { refs, options, input } = context;
  const server = selectServer(operation, item, context.root, options);
  const security = context.security.select(operation);
  const drafts = readParameters(candidate, { refs, schemas: input.schemas, covered: security.covered }, warn);
  const body = readBody(operation, method, refs, input.schemas);
  const layout = layOut(drafts, body, input.schemas);
  const bundle = input.bundler.bundle(layout.schema, MAX_INPUT_BYTES);
  const complete = bundle.truncated ? input.bundler.whole(layout.schema, MAX_COMPLETE_BYTES) : undefined;
  const answer = readAnswer(operation, { refs, ...context.output }, warn);
  const pagination = readPagination(layout.parameters, answer.output, answer.link);
  const summary = toText(operation["summary"]);
  const deprecated = operation["deprecated"] === true;
  const confirm = needsConfirmation(operation);
  const group = groupPath(operation).join(".");
  return defined({
    name,
    group: group === "" ? undefined : group,
    tags: toStrings(operation["tags"]).map(oneLine),
    operationId: toText(operation["operationId"]),
    title: toTitle(summary),
    description: toDescription({
      summary,
      description: toText(operation["description"]),
      method,
      path,
      deprecated,
      confirm,
      notes: pagination === undefined ? [] : [paginationNote(pagination)],
    }),
    deprecated: deprecated ? (true as const) : undefined,
    confirm: confirm ? (true as const) : undefined,
    pinned: operation["x-mcp"] === true ? (true as const) : undefined,
    method,
    path,
    server,
    annotations: toAnnotations(method, nameWords(candidate, context.names), operation),
    inputSchema: bundle.schema,
    truncated: bundle.truncated ? (true as const) : undefined,
    completeSchema: complete,
    parameters: layout.parameters,
    body: layout.body,
    security: security.uses,
    output: answer.output,
    pagination,
  });
}

/**
 * The digest of a document: of its parts' digests, paths and their methods sorted, so that moving a path is no change.
 * Part by part, because the text of a whole document is as large as the document.
 */
function digest(root: Json): string {
  const sorted = (value: unknown): [string, unknown][] =>
    Object.entries(toObject(value)).toSorted(([a], [b]) => byCodeUnit(a, b));
  const parts = [
    ...Object.entries(omit(root, "paths")),
    ...sorted(root["paths"]).map(([path, item]): [string, unknown] => [path, isObject(item) ? sorted(item) : item]),
  ];
  return sha256(JSON.stringify(parts.map(([name, part]) => [name, sha256(JSON.stringify(part) ?? "")])));
}

function mostUsed(values: readonly string[]): string[] {
  const count = new Map<string, number>();
  for (const value of values) count.set(value, (count.get(value) ?? 0) + 1);
  return [...count].toSorted(([a, m], [b, n]) => n - m || byCodeUnit(a, b)).map(([value]) => value);
}

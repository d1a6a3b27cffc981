/** Documents in a few words, for the tests of single rules. */
import { compile, type CompileOptions } from "../../src/openapi/compile.ts";
import type { ApiIr, Operation } from "../../src/openapi/ir.ts";
import { readDocument } from "../../src/openapi/parse.ts";
import { buildRequest, type BuiltRequest } from "../../src/openapi/request.ts";

export type Loose = Record<string, unknown>;

/** Compiles a document given as an object; `paths` and the like replace the defaults. */
export function compileDocument(document: Loose, options: Partial<CompileOptions> = {}): ApiIr {
  const base = { openapi: "3.1.0", info: { title: "T", version: "1" }, servers: [{ url: "https://t.test" }] };
  const parsed = readDocument({ ...base, ...document });
  if (!parsed.ok) throw new Error(parsed.error.message);
  return compile(parsed.document, { api: "t", ...options });
}

/** Compiles one operation, `GET /x` unless said otherwise. */
export function compileOperation(
  operation: Loose,
  where: { method?: string; path?: string; document?: Loose; options?: Partial<CompileOptions> } = {},
): Operation {
  const { method = "get", path = "/x", document = {}, options = {} } = where;
  const ir = compileDocument({ ...document, paths: { [path]: { [method]: operation } } }, options);
  const [only] = ir.operations;
  if (only === undefined) throw new Error(`skipped: ${JSON.stringify(ir.skipped)}`);
  return only;
}

/** An operation that takes a JSON body of this schema. */
export function withBody(schema: unknown, more: Loose = {}): Loose {
  return { requestBody: { required: true, content: { "application/json": { schema } }, ...more } };
}

/** The request a call becomes; fails when the arguments are refused. */
export function request(operation: Operation, args: unknown = {}): BuiltRequest {
  const built = buildRequest(operation, args);
  if (!built.ok) throw new Error(JSON.stringify(built.problems));
  return built.request;
}

/** What is wrong with a call, as `path: message`. */
export function problems(operation: Operation, args: unknown): string[] {
  const built = buildRequest(operation, args);
  return built.ok ? [] : built.problems.map(({ path, message }) => `${path}: ${message}`);
}

/** The schema of one argument. */
export function argument(operation: Operation, key: string): unknown {
  return (operation.inputSchema["properties"] as Loose)[key];
}

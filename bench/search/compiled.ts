/** The documents that questions are about, compiled; kept in a cache of their own for the next run. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { compile } from "../../src/openapi/compile.ts";
import type { ApiIr } from "../../src/openapi/ir.ts";
import { parseDocument } from "../../src/openapi/parse.ts";
import { CACHE, figmaDocument, githubDocument, listDocuments } from "../openapi/documents.ts";

/** Compiles a document by its name; with `isCached`, what an earlier run made of it will do. */
export function compileDocument(name: string, isCached: boolean): ApiIr {
  const cached = join(CACHE, `../search/${name.replaceAll("/", "-")}.json`);
  if (isCached && existsSync(cached)) return JSON.parse(readFileSync(cached, "utf8")) as ApiIr;
  const named = new Map([
    ["github", githubDocument],
    ["figma", figmaDocument],
  ]).get(name);
  const document = named?.() ?? listDocuments(name).find((each) => each.name === name);
  const parsed = document === undefined ? undefined : parseDocument(document.read());
  if (parsed?.ok !== true) throw new Error(`no document ${name}`);
  const ir = compile(parsed.document, { api: "bench", server: "https://api.example.com" });
  mkdirSync(join(CACHE, "../search"), { recursive: true });
  writeFileSync(cached, JSON.stringify(ir));
  return ir;
}

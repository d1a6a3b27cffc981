/** What is stored of an API's compiled operations, as the command line finds it in `apis/<name>/operations/`. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import type { OperationsNote } from "../../contract/catalog.ts";
import type { ApiIr } from "../../openapi/ir.ts";
import { INDEX_FILE, OPERATIONS_FOLDER, readCards, readIndex, type ApiIndex } from "../../openapi/storage.ts";
import { readIfThere } from "../files.ts";

/** As much of a stored document as a comparison needs. */
export interface StoredDocument extends Pick<ApiIr, "operations"> {
  readonly digest: string;
}

/** The index in an API's folder; undefined when the API was added without a document. @throws {Error} when it is broken. */
export function readStoredIndex(apiFolder: string): ApiIndex | undefined {
  const text = readIfThere(join(apiFolder, OPERATIONS_FOLDER, INDEX_FILE));
  return text === undefined ? undefined : readIndex(text);
}

/** What the catalog notes of an API's operations, or why that cannot be said. */
export function readOperationsNote(apiFolder: string): { readonly note?: OperationsNote; readonly problem?: string } {
  try {
    const index = readStoredIndex(apiFolder);
    return index === undefined ? {} : { note: { digest: index.digest, count: index.operations.length } };
  } catch {
    return {
      problem: `${OPERATIONS_FOLDER}/${INDEX_FILE} cannot be read; write it again with codeforge add --update, or remove the folder`,
    };
  }
}

/** The compiled document in an API's folder, put together again from its files; undefined when there is none. */
export function readStored(apiFolder: string): StoredDocument | undefined {
  const index = readStoredIndex(apiFolder);
  if (index === undefined) return undefined;
  const cards = join(apiFolder, OPERATIONS_FOLDER, "cards");
  const files = existsSync(cards) ? readdirSync(cards) : [];
  const known = new Map(files.flatMap((file) => [...readCards(readFileSync(join(cards, file), "utf8"))]));
  return { digest: index.digest, operations: index.operations.flatMap(({ name }) => known.get(name) ?? []) };
}

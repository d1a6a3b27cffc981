/**
 * `npm run corpus [-- filter] [-- --reasons]`: compiles every public document and counts what is mapped, what is skipped by which rule,
 * and what must never happen. Ends with an error if anything did.
 */
import { compile } from "../../src/openapi/compile.ts";
import { toList, toObject, toText, type Json } from "../../src/openapi/json.ts";
import { parseDocument } from "../../src/openapi/parse.ts";
import { check } from "./check.ts";
import { listDocuments, type CorpusDocument } from "./documents.ts";

interface Tally {
  documents: number;
  operations: number;
  mapped: number;
  truncated: number;
  flat: number;
  whole: number;
  hashed: number;
  inputBytes: number;
  readonly refused: Map<string, number>;
  readonly skipped: Map<string, { operations: number; documents: Set<string> }>;
  readonly violations: Map<string, string[]>;
}

function docUrlOf(root: Json): string | undefined {
  const origins = toList(toObject(root["info"])["x-origin"]);
  return toText(toObject(origins.at(-1))["url"]);
}

function run(document: CorpusDocument, tally: Tally): void {
  tally.documents++;
  const parsed = parseDocument(document.read());
  if (!parsed.ok) {
    tally.refused.set(parsed.error.kind, (tally.refused.get(parsed.error.kind) ?? 0) + 1);
    console.log(`refused ${document.name}: ${parsed.error.message}`);
    return;
  }
  const ir = compile(parsed.document, { api: "corpus", docUrl: docUrlOf(parsed.document.root) });
  tally.mapped += ir.operations.length;
  tally.operations += ir.operations.length + ir.skipped.length;
  for (const operation of ir.operations) {
    if (operation.truncated) tally.truncated++;
    if (operation.body !== undefined) tally[operation.body.flat === undefined ? "whole" : "flat"]++;
    if (/_[0-9a-f]{6}$/.test(operation.name)) tally.hashed++;
    tally.inputBytes += JSON.stringify(operation.inputSchema).length;
  }
  for (const { rule, method, path, reason } of ir.skipped) {
    if (process.argv.includes("--reasons")) console.log(`${rule}\t${document.name}\t${method} ${path}\t${reason}`);
    const count = tally.skipped.get(rule) ?? { operations: 0, documents: new Set() };
    count.operations++;
    count.documents.add(document.name);
    tally.skipped.set(rule, count);
  }
  for (const { kind, where } of check(ir)) {
    tally.violations.set(kind, [...(tally.violations.get(kind) ?? []), `${document.name} ${where}`]);
  }
}

const tally: Tally = {
  documents: 0,
  operations: 0,
  mapped: 0,
  truncated: 0,
  flat: 0,
  whole: 0,
  hashed: 0,
  inputBytes: 0,
  refused: new Map(),
  skipped: new Map(),
  violations: new Map(),
};
const started = performance.now();
for (const document of listDocuments(process.argv.slice(2).find((argument) => !argument.startsWith("--")))) {
  try {
    run(document, tally);
  } catch (error) {
    const where = `${document.name}: ${error instanceof Error ? error.stack : String(error)}`;
    tally.violations.set("crash", [...(tally.violations.get("crash") ?? []), where]);
  }
}
const seconds = ((performance.now() - started) / 1000).toFixed(1);
console.log(
  `\n${tally.documents} documents, ${tally.operations} operations, ${tally.mapped} mapped, ${seconds} s\n` +
    `bodies: ${tally.flat} flat, ${tally.whole} whole; names with a hash: ${tally.hashed}; ` +
    `input schemas: ${(tally.inputBytes / 1e6).toFixed(1)} MB, ${tally.truncated} truncated`,
);
console.log("\n| rule | operations | documents |\n| --- | ---: | ---: |");
for (const [rule, count] of [...tally.skipped].toSorted(([, a], [, b]) => b.operations - a.operations)) {
  console.log(`| \`${rule}\` | ${count.operations} | ${count.documents.size} |`);
}
for (const [kind, places] of tally.violations) {
  console.log(`\n${kind}: ${places.length}\n  ${places.slice(0, 5).join("\n  ")}`);
}
process.exitCode = tally.violations.size > 0 ? 1 : 0;

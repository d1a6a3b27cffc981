/** Rule M0 where it touches the disk: documents in several files, and what is never read. */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { readDocument } from "../../src/cli/openapi/read-document.ts";
import { replaceFolder } from "../../src/cli/openapi/write-files.ts";
import { compile } from "../../src/openapi/compile.ts";
import { toFiles } from "../../src/openapi/storage.ts";
import { compileDocument } from "./openapi-helpers.ts";

let root = "";
let folder = "";

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "codeforge-openapi-"));
  folder = join(root, "docs");
  mkdirSync(join(folder, "schemas"), { recursive: true });
  writeFileSync(join(root, "secret.yaml"), "type: string\ndescription: SECRET");
  writeFileSync(
    join(folder, "schemas/bin.yaml"),
    "type: object\nproperties:\n  name: { type: string }\n  inner: { $ref: './bin.yaml' }\n",
  );
  writeFileSync(
    join(folder, "schemas/bomb.yaml"),
    `a: &a [x,x,x,x,x,x,x,x,x]\n${"bcdefgh"
      .split("")
      .map((key, i) => `${key}: &${key} [${`*${"abcdefg"[i]},`.repeat(9)}]`)
      .join("\n")}`,
  );
  symlinkSync(join(root, "secret.yaml"), join(folder, "link.yaml"));
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

function write(name: string, ref: string): string {
  const path = join(folder, name);
  const operation = (schema: string): string =>
    `post: { requestBody: { required: true, content: { application/json: { schema: ${schema} } } } }`;
  writeFileSync(
    path,
    `openapi: 3.1.0\ninfo: { title: T, version: '1' }\nservers: [{ url: https://t.test }]\npaths:\n  /x: { ${operation(`{ $ref: '${ref}' }`)} }\n  /good: { get: {} }\n`,
  );
  return path;
}

describe("M0: references that leave the document", () => {
  test("a file below the document's folder is bundled in, one that holds itself too", async () => {
    const { document, unresolved } = await readDocument(write("good.yaml", "./schemas/bin.yaml"));
    const ir = compile(document, { api: "a" });
    expect(unresolved).toEqual([]);
    expect(ir.skipped).toEqual([]);
    expect(ir.operations.find(({ path }) => path === "/x")?.inputSchema).toMatchObject({
      properties: { name: { type: "string" } },
    });
  });

  test.each([
    ["a file outside the folder", "../secret.yaml", "is outside the document's folder"],
    ["a link that leads outside", "./link.yaml", "is outside the document's folder"],
    ["an absolute path", "/etc/passwd", "is outside the document's folder"],
    ["a file: URL", "file:///etc/passwd", "only https: references are"],
    ["plain http", "http://127.0.0.1:1/schema.json", "only https: references are"],
    ["a host nobody named", "https://example.test/schema.json", "name example.test with --allow-remote-refs"],
    ["a file that is not there", "./missing.yaml", "does not exist"],
    ["a YAML bomb", "./schemas/bomb.yaml", undefined],
  ])("%s is not read: its operation is skipped and the other one stays", async (_, ref, reason) => {
    const { document, unresolved } = await readDocument(write("bad.yaml", ref));
    const ir = compile(document, { api: "a" });
    expect(ir.skipped).toMatchObject([{ path: "/x", rule: "unresolvable_ref" }]);
    if (reason !== undefined) expect(unresolved[0]).toContain(reason);
    expect(ir.operations.map(({ path }) => path)).toEqual(["/good"]);
    expect(JSON.stringify(ir)).not.toContain("SECRET");
  });

  test.each([
    ["a file that is not there", "missing.yaml", "cannot be read"],
    ["a folder", "schemas", "is no file"],
    ["a web page", "page.html", "HTML"],
    ["two gigabytes", "huge.json", "at most 64 MiB"],
  ])("%s is refused with what to do about it", async (_, name, message) => {
    writeFileSync(join(folder, "page.html"), "<!doctype html>");
    writeFileSync(join(folder, "huge.json"), "{");
    truncateSync(join(folder, "huge.json"), 2 * 1024 ** 3);
    await expect(readDocument(join(folder, name))).rejects.toThrow(message);
  });

  test.each(["http://127.0.0.1:1/openapi.json", "file:///etc/passwd", "ftp://a.test/x"])(
    "%s is not read",
    async (url) => {
      await expect(readDocument(url)).rejects.toThrow("only files and https:// URLs are");
    },
  );
});

describe("M17: files on disk", () => {
  test("a folder is replaced as a whole, and nothing is left beside it", () => {
    const out = join(root, "out");
    const files = toFiles(compileDocument({ paths: { "/x": { get: {} } } }));
    replaceFolder(out, files);
    writeFileSync(join(out, "cards/fff.json"), "{}");
    replaceFolder(out, files);
    expect(readdirSync(join(out, "cards"))).toEqual(["000.json"]);
    expect(readFileSync(join(out, "index.json")).equals(files.get("index.json") ?? new Uint8Array())).toBe(true);
    expect(readdirSync(root).filter((name) => name.startsWith("."))).toEqual([]);
  });

  test("a folder stays as it was when the new one cannot be written", () => {
    const out = join(root, "out");
    const before = readdirSync(out);
    expect(() =>
      replaceFolder(
        out,
        new Map([
          ["a", "1"],
          ["a/b", "2"],
        ]),
      ),
    ).toThrow();
    expect(readdirSync(out)).toEqual(before);
    expect(readdirSync(root).filter((name) => name.startsWith("."))).toEqual([]);
  });
});

/** Rules M12 to M16: answers, hints, confirmation, instructions, pagination, problems and selection. */
import { describe, expect, test } from "vitest";

import { toExample } from "../../src/openapi/describe.ts";
import { toInstructions } from "../../src/openapi/instructions.ts";
import { select, type Selection } from "../../src/openapi/select.ts";
import { toTool } from "../../src/openapi/tool.ts";
import { compileDocument, compileOperation, problems, withBody, type Loose } from "./openapi-helpers.ts";

const json = (schema: unknown): Loose => ({ description: "", content: { "application/json": { schema } } });
const query = (name: string, schema: unknown = { type: "string" }): Loose => ({ name, in: "query", schema });

describe("M12: answers", () => {
  test("no tool has an output schema; the first success answer is noted beside it", () => {
    const schema = { type: "object", properties: { id: { type: "string" } } };
    const operation = compileOperation({ responses: { 404: json({}), 201: json(schema), 202: json({}) } });
    expect(Object.keys(toTool(operation))).not.toContain("outputSchema");
    expect(operation.output).toEqual({ status: "201", mediaType: "application/json", schema });
  });

  test.each<[string, Loose, unknown]>([
    ["nothing", { 204: { description: "" } }, { status: "204" }],
    [
      "a range",
      { "2XX": json({ type: "string" }) },
      { status: "2XX", mediaType: "application/json", schema: { type: "string" } },
    ],
    ["the default", { default: json({}) }, { status: "default", mediaType: "application/json" }],
    ["bytes", { 200: { description: "", content: { "image/png": {} } } }, { status: "200", mediaType: "image/png" }],
    ["only failures", { 500: json({}) }, undefined],
  ])("%s", (_, responses, output) => {
    expect(compileOperation({ responses }).output).toEqual(output);
  });

  test("an answer that cannot be resolved costs the note and not the operation", () => {
    const ir = compileDocument({ paths: { "/x": { get: { responses: { 200: { $ref: "#/nowhere" } } } } } });
    expect(ir.operations[0]?.output).toEqual({ status: "200" });
    expect(ir.warnings[0]).toContain("#/nowhere");
  });
});

describe("M13: hints", () => {
  test.each([
    ["get", "read", true, false, true],
    ["query", "read", true, false, true],
    ["post", "make", false, false, false],
    ["put", "change", false, true, true],
    ["patch", "change", false, true, false],
    ["delete", "drop", false, true, true],
    ["get", "deleteAll", false, true, true],
    ["post", "cancelOrder", false, true, false],
    ["get", "listArchives", true, false, true],
  ])(
    "%s %s: readOnly %s, destructive %s, idempotent %s",
    (method, operationId, readOnlyHint, destructiveHint, idempotentHint) => {
      const { annotations } = compileOperation({ operationId }, { method });
      expect(annotations).toEqual({ readOnlyHint, destructiveHint, idempotentHint, openWorldHint: true });
    },
  );

  test("a word that was cut out of the name still counts", () => {
    const operationId = "getTheVeryLongNameOfSomethingThatWillDeleteAllOfTheThingsInTheWorldWhenItIsCalled";
    const { name, annotations } = compileOperation({ operationId });
    expect(name).not.toContain("delete");
    expect(annotations).toMatchObject({ readOnlyHint: false, destructiveHint: true });
  });

  test("x-mcp.annotations override", () => {
    const { annotations } = compileOperation(
      { "x-mcp": { annotations: { readOnlyHint: true, openWorldHint: false } } },
      { method: "post" },
    );
    expect(annotations).toEqual({
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: false,
      openWorldHint: false,
    });
  });
});

describe("M13a: confirmation", () => {
  test.each<[string, Loose]>([
    ["x-forge-require-confirmation", { "x-forge-require-confirmation": true }],
    ["x-mcp.confirm", { "x-mcp": { confirm: true, annotations: { readOnlyHint: true, destructiveHint: false } } }],
  ])("%s: destructive, marked, and told at the end of the description", (_, extension) => {
    const operation = compileOperation({ summary: "Pay", ...extension });
    expect(operation.confirm).toBe(true);
    expect(operation.annotations).toMatchObject({ readOnlyHint: false, destructiveHint: true });
    expect(operation.description).toBe("Pay\n\nGET /x\n\nAsk the user to confirm before calling this.");
  });
});

describe("M13b: a server's instructions", () => {
  test("title, first paragraph, base URL, how many are listed and how to find the rest", () => {
    const description = `One\nparagraph.\n\n${"More. ".repeat(200)}`;
    const ir = compileDocument({
      info: { title: "Shop", description },
      paths: { "/a": { get: {} }, "/b": { get: {} } },
    });
    expect(toInstructions(ir, 1, "Use search_operations for the others.")).toBe(
      "Shop\n\nOne paragraph.\n\nBase URL: https://t.test\n\n1 of 2 operations are listed. Use search_operations for the others.",
    );
    expect(toInstructions(ir, 2, "")).toContain("2 operations, all of them listed.");
  });

  test("the paragraph has at most 500 characters", () => {
    const ir = compileDocument({ info: { title: "T", description: "word ".repeat(500) } });
    expect(toInstructions(ir, 0, "").length).toBeLessThan(600);
  });
});

describe("M14: pagination is noted and never followed", () => {
  const link = { 200: { ...json({}), headers: { Link: { schema: { type: "string" } } } } };

  test.each<[string, Loose, unknown]>([
    ["a page", { parameters: [query("page")] }, { style: "page", parameter: "page" }],
    ["an offset", { parameters: [query("$skip")] }, { style: "offset", parameter: "skip" }],
    [
      "a cursor and the field that holds the next one",
      {
        parameters: [query("page_token")],
        responses: { 200: json({ type: "object", properties: { items: {}, nextPageToken: {} } }) },
      },
      { style: "cursor", parameter: "page_token", next: "nextPageToken" },
    ],
    ["a Link header", { parameters: [query("page")], responses: link }, { style: "link", parameter: "page" }],
    ["a Link header alone", { responses: link }, { style: "link" }],
    ["nothing of the kind", { parameters: [query("limit"), query("start"), query("Start<")] }, undefined],
  ])("%s", (_, operation, pagination) => {
    const compiled = compileOperation(operation);
    expect(compiled.pagination).toEqual(pagination);
    expect(compiled.description.includes("One page per call")).toBe(pagination !== undefined);
  });
});

describe("M15: bad arguments are told all at once, with their paths, and no request is built", () => {
  const schema = {
    type: "object",
    required: ["name", "tags"],
    properties: {
      name: { type: "string", minLength: 2 },
      kind: { enum: ["a", "b"] },
      tags: {
        type: "array",
        items: {
          type: "object",
          required: ["id"],
          properties: { id: { type: "integer" } },
          additionalProperties: false,
        },
      },
      choice: {
        oneOf: [
          { type: "object", required: ["x"] },
          { type: "object", required: ["y"] },
        ],
      },
      when: { type: "string", format: "date" },
    },
  };
  const operation = compileOperation(withBody(schema), { method: "post" });

  test("every problem has its path", () => {
    const args = { name: "a", kind: "c", tags: [{ id: "x" }, { id: 1, no: 1 }, {}], choice: {}, wrong: 1 };
    expect(problems(operation, args)).toEqual([
      "wrong: is not an argument of post_x; accepted: name, kind, tags, choice, when",
      "name: String is too short (1 < 2).",
      'kind: is none of ["a","b"].',
      "tags[0].id: is string; expected integer",
      "tags[1].no: is not a known property",
      'tags[2]: lacks "id"',
      "choice: fits none of the alternatives",
    ]);
  });

  test.each<[string, unknown, string[]]>([
    ["nothing at all", undefined, [': lacks "name"', ': lacks "tags"']],
    ["a list instead of an object", [], [": arguments have to be one JSON object"]],
    ["a text instead of an object", "x", [": arguments have to be one JSON object"]],
  ])("%s", (_, args, expected) => {
    expect(problems(operation, args)).toEqual(expected);
  });

  test("a document's regular expressions are never run on arguments", () => {
    const trap = {
      type: "object",
      properties: {
        a: { type: "string", pattern: "^(a+)+$" },
        b: { type: "object", patternProperties: { "^(a+)+$": {} }, additionalProperties: false },
      },
    };
    const text = `${"a".repeat(60)}!`;
    const trapped = compileOperation(withBody(trap), { method: "post" });
    expect(problems(trapped, { a: text, b: { [text]: 1 } })).toEqual([]);
    expect(toExample(trapped)).toContain("fetch(");
  });

  test("arguments nested too deep are refused and overflow nothing", () => {
    let deep: unknown = 1;
    for (let i = 0; i < 100_000; i++) deep = [deep];
    expect(problems(compileOperation(withBody({}), { method: "post" }), { body: deep })).toEqual([
      ": is nested more than 200 levels deep",
    ]);
  });

  test("a format is a note, and branches that overlap are the API's to tell apart", () => {
    expect(problems(operation, { name: "ab", tags: [], when: "tomorrow", choice: { x: 1, y: 2 } })).toEqual([]);
  });
});

describe("M16: selection", () => {
  const paths = {
    "/users": {
      get: { tags: ["users"], operationId: "listUsers" },
      post: { tags: ["users"], operationId: "addUser", deprecated: true },
    },
    "/users/{id}/keys": {
      get: { tags: ["keys"], "x-fern-sdk-group-name": "users.keys", "x-fern-sdk-method-name": "list" },
    },
    "/admin": { get: { tags: ["admin"], "x-mcp": true, operationId: "admin" } },
    "/hidden": { get: { "x-mcp": false } },
  };
  const ir = compileDocument({ paths });
  const names = (selection: Selection): string[] => {
    const selected = select(ir, selection);
    return selected.ok ? selected.operations.map(({ name }) => name) : [selected.message];
  };

  test.each<[string, Selection, string[]]>([
    ["everything", {}, ["add_user", "admin", "list_users", "users_keys_list"]],
    ["a tag; x-mcp: true stays", { include: [{ tags: ["users"] }] }, ["add_user", "admin", "list_users"]],
    ["a group", { include: [{ groups: ["users"] }] }, ["admin", "users_keys_list"]],
    ["a path glob over one segment", { include: [{ paths: ["/users/*/keys"] }] }, ["admin", "users_keys_list"]],
    [
      "a path glob over all",
      { include: [{ paths: ["/users**"] }] },
      ["add_user", "admin", "list_users", "users_keys_list"],
    ],
    ["a method and a tag", { include: [{ tags: ["users"], methods: ["get"] }] }, ["admin", "list_users"]],
    ["an operationId", { include: [{ operationIds: ["listUsers"] }] }, ["admin", "list_users"]],
    [
      "exclude wins over include",
      { include: [{ tags: ["users"] }], exclude: [{ deprecated: true }] },
      ["admin", "list_users"],
    ],
    ["x-mcp wins over exclude", { exclude: [{ paths: ["/**"] }] }, ["admin"]],
  ])("%s", (_, selection, expected) => {
    expect(names(selection)).toEqual(expected);
  });

  test("over the limit it says how many each tag has", () => {
    expect(names({ limit: 3 })).toEqual([
      '4 operations are selected, at most 3 are listed. Select some (by tag: users 2, admin 1, keys 1), or use the surface "search" or "code".',
    ]);
  });
});

/** Rule M9: what becomes of schemas. */
import { describe, expect, test } from "vitest";

import { PLAIN } from "../../src/openapi/profile.ts";
import { toTool } from "../../src/openapi/tool.ts";
import { toCardText } from "../../src/openapi/describe.ts";
import { argument, compileDocument, compileOperation, problems, withBody, type Loose } from "./openapi-helpers.ts";

const ref = (name: string): Loose => ({ $ref: `#/components/schemas/${name}` });

/** The schema of the argument `a`, given as a raw schema. */
function normal(schema: unknown, schemas: Loose = {}, openapi = "3.0.3"): unknown {
  return argument(tool(schema, schemas, openapi), "a");
}

function tool(schema: unknown, schemas: Loose = {}, openapi = "3.0.3"): ReturnType<typeof compileOperation> {
  const body = withBody({ type: "object", properties: { a: schema } });
  return compileOperation(body, { method: "post", document: { openapi, components: { schemas } } });
}

describe("M9: keywords", () => {
  test.each<[string, unknown, unknown]>([
    [
      "foreign keywords go",
      {
        type: "string",
        example: 1,
        examples: [],
        xml: {},
        externalDocs: {},
        "x-a": 1,
        $schema: "s",
        $id: "i",
        title: "t",
      },
      { type: "string" },
    ],
    ["nullable beside a type", { type: "string", nullable: true }, { type: ["string", "null"] }],
    [
      "nullable beside an enum",
      { type: "string", enum: ["a"], nullable: true },
      { type: ["string", "null"], enum: ["a", null] },
    ],
    [
      "nullable beside a union",
      { oneOf: [{ type: "string" }], nullable: true },
      { oneOf: [{ type: "string" }, { type: "null" }] },
    ],
    [
      "nullable beside an allOf",
      { allOf: [{ type: "object", properties: { b: {} } }], nullable: true },
      { type: ["object", "null"], properties: { b: {} } },
    ],
    [
      "a boolean exclusive bound",
      { type: "number", minimum: 1, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false },
      { type: "number", exclusiveMinimum: 1, maximum: 9 },
    ],
    ["format byte", { type: "string", format: "byte" }, { type: "string", contentEncoding: "base64" }],
    ["an integer stays one", { type: "integer", format: "int64" }, { type: "integer", format: "int64" }],
    ["a type that does not exist", { type: "any" }, {}],
    ["an unsaid object", { properties: { b: {} } }, { type: "object", properties: { b: {} } }],
    ["a list of anything", { type: "array" }, { type: "array", items: {} }],
    ["a pattern no one can compile", { type: "string", pattern: "(" }, { type: "string" }],
    ["a schema that is false", false, { not: {} }],
    [
      "a property called $ref or items",
      { type: "object", properties: { $ref: { type: "string" }, items: { type: "number" } } },
      { type: "object", properties: { $ref: { type: "string" }, items: { type: "number" } } },
    ],
  ])("%s", (_, raw, expected) => {
    expect(normal(raw)).toEqual(expected);
  });

  test("a tuple of 3.1 stays one", () => {
    expect(normal({ type: "array", prefixItems: [{ type: "string" }] }, {}, "3.1.0")).toEqual({
      type: "array",
      prefixItems: [{ type: "string" }],
    });
  });
});

describe("M9: readOnly and writeOnly", () => {
  const Thing = {
    type: "object",
    required: ["id", "name", "secret"],
    properties: {
      id: { type: "string", readOnly: true },
      name: { type: "string" },
      secret: { type: "string", writeOnly: true },
    },
  };

  test("each leaves one direction, with its required entry", () => {
    const responses = { 200: { description: "", content: { "application/json": { schema: ref("Thing") } } } };
    const operation = compileOperation(
      { ...withBody(ref("Thing")), responses },
      { method: "post", document: { components: { schemas: { Thing } } } },
    );
    expect(operation.inputSchema["required"]).toEqual(["name", "secret"]);
    expect(operation.output?.schema).toEqual({
      type: "object",
      properties: { id: { type: "string" }, name: { type: "string" } },
      required: ["id", "name"],
    });
  });

  test("a field removed in one part of an allOf leaves required of all parts", () => {
    const operation = compileOperation(
      withBody({ allOf: [ref("Thing"), { type: "object", required: ["id", "extra"], properties: { extra: {} } }] }),
      {
        method: "post",
        document: { components: { schemas: { Thing } } },
      },
    );
    expect(operation.inputSchema["required"]).toEqual(["name", "secret", "extra"]);
  });
});

describe("M9: allOf", () => {
  const a = { type: "object", properties: { p: { type: "string" } }, required: ["p"] };

  test.each<[string, unknown, unknown]>([
    [
      "plain objects are merged",
      { allOf: [a, { properties: { q: { type: "number" } } }] },
      { type: "object", properties: { p: { type: "string" }, q: { type: "number" } }, required: ["p"] },
    ],
    [
      "keywords beside it are one more part",
      { ...a, allOf: [{ type: "object", properties: { q: {} } }] },
      { type: "object", properties: { q: {}, p: { type: "string" } }, required: ["p"] },
    ],
    [
      "the same property twice: keywords joined",
      { allOf: [a, { properties: { p: { type: "string", minLength: 2 } } }] },
      { type: "object", properties: { p: { type: "string", minLength: 2 } }, required: ["p"] },
    ],
    [
      "the same property twice, one of them a choice: allOf",
      { allOf: [a, { properties: { p: { oneOf: [{ const: "x" }] } } }] },
      {
        type: "object",
        properties: { p: { allOf: [{ type: "string" }, { oneOf: [{ const: "x" }] }] } },
        required: ["p"],
      },
    ],
    [
      "a choice stays beside the merged rest",
      { allOf: [a, { oneOf: [a, { type: "object", properties: { z: {} } }] }] },
      { allOf: [{ oneOf: [a, { type: "object", properties: { z: {} } }] }], ...a },
    ],
    [
      "one part with a description is that part",
      { allOf: [ref("Color")], description: "Which" },
      { type: "string", enum: ["red"], description: "Which" },
    ],
  ])("%s", (_, raw, expected) => {
    expect(normal(raw, { Color: { type: "string", enum: ["red"] } })).toEqual(expected);
  });

  test("a type may have a property composed of the type itself", () => {
    const Expression = {
      type: "object",
      properties: { not: { allOf: [ref("Expression"), { description: "negated" }] }, value: { type: "string" } },
    };
    const operation = tool(ref("Expression"), { Expression });
    expect(argument(operation, "a")).toEqual({ $ref: "#/$defs/Expression" });
    expect(operation.inputSchema["$defs"]).toEqual({
      Expression: {
        type: "object",
        properties: { not: { $ref: "#/$defs/Expression", description: "negated" }, value: { type: "string" } },
      },
    });
  });
});

describe("M9: discriminators", () => {
  const Cat = { type: "object", properties: { kind: { type: "string" }, lives: { type: "integer" } } };
  const Dog = { type: "object", properties: { kind: { type: "string", enum: ["dog"] } }, required: ["kind"] };
  const tagged = {
    type: "object",
    properties: { kind: { type: "string", const: "cat" }, lives: { type: "integer" } },
    required: ["kind"],
  };

  test("mapped values become const, and a branch that says so already stays as it is", () => {
    const mapping = { cat: "#/components/schemas/Cat", dog: "Dog" };
    const choice = { oneOf: [ref("Cat"), ref("Dog")], discriminator: { propertyName: "kind", mapping } };
    expect(normal(choice, { Cat, Dog })).toEqual({ oneOf: [tagged, Dog] });
  });

  test("without a mapping the value is the schema's name", () => {
    const choice = { oneOf: [ref("Cat")], discriminator: { propertyName: "kind" } };
    expect(normal(choice, { Cat })).toMatchObject({
      oneOf: [{ properties: { kind: { const: "Cat" } }, required: ["kind"] }],
    });
  });

  test("a base type that names its subtypes is any of them", () => {
    const Pet = {
      type: "object",
      properties: { kind: { type: "string" } },
      discriminator: { propertyName: "kind", mapping: { cat: "#/components/schemas/Tom" } },
    };
    const Tom = { allOf: [ref("Pet"), { type: "object", properties: { lives: { type: "integer" } } }] };
    expect(normal(ref("Pet"), { Pet, Tom })).toEqual({ anyOf: [tagged] });
    expect(normal(ref("Tom"), { Pet, Tom })).toEqual({
      type: "object",
      properties: { kind: { type: "string" }, lives: { type: "integer" } },
    });
  });

  test("a base type that lists subtypes which inherit from it lends them its properties only", () => {
    const Pet = {
      type: "object",
      properties: { kind: { type: "string" } },
      oneOf: [ref("Tom")],
      discriminator: { propertyName: "kind", mapping: { cat: "Tom" } },
    };
    const Tom = { allOf: [ref("Pet"), { type: "object", properties: { lives: { type: "integer" } } }] };
    expect(normal(ref("Pet"), { Pet, Tom })).toMatchObject({ oneOf: [tagged] });
  });
});

describe("M9: definitions and roots", () => {
  const Big = {
    type: "object",
    properties: Object.fromEntries(["one", "two", "three", "four", "five"].map((name) => [name, { type: "string" }])),
  };

  test("twice used and large, or recursive: a definition; otherwise inlined, and only what is reachable", () => {
    const Small = { type: "object", properties: { s: { type: "string" } } };
    const { inputSchema } = tool(
      { type: "object", properties: { p: ref("Big"), q: ref("Big"), r: ref("Small"), s: ref("Small") } },
      { Big, Small, Unused: Big },
    );
    expect(Object.keys(inputSchema["$defs"] as Loose)).toEqual(["Big"]);
    expect(JSON.stringify(inputSchema)).not.toContain("Small");
  });

  test("two definitions of one name: the second carries a hash", () => {
    const document = { components: { schemas: { Big }, "x-more": { Big: { ...Big, minProperties: 1 } } } };
    const properties = {
      p: ref("Big"),
      q: ref("Big"),
      r: { $ref: "#/components/x-more/Big" },
      s: { $ref: "#/components/x-more/Big" },
    };
    const { inputSchema } = compileOperation(withBody({ type: "object", properties }), { method: "post", document });
    const names = Object.keys(inputSchema["$defs"] as Loose);
    expect(names).toHaveLength(2);
    expect(names.filter((name) => /^Big_[0-9a-f]{6}$/.test(name))).toHaveLength(1);
  });

  test.each<[string, unknown]>([
    ["a reference", ref("Node")],
    ["oneOf", { oneOf: [Big, Big] }],
    ["anyOf", { anyOf: [Big, Big] }],
    ["allOf", { allOf: [{ oneOf: [Big] }] }],
    ["not", { not: Big }],
    ["an enum", { enum: [1, 2] }],
  ])("%s never stands at the root", (_, schema) => {
    const Node = { type: "object", properties: { next: ref("Node") } };
    const { inputSchema } = compileOperation(withBody(schema), {
      method: "post",
      document: { components: { schemas: { Node } } },
    });
    expect(
      Object.keys(inputSchema).filter(
        (key) => !["type", "properties", "required", "additionalProperties", "$defs"].includes(key),
      ),
    ).toEqual([]);
  });

  test("over 16 KiB descriptions below depth 3 go first, then what is deep, and it is said", () => {
    const deep = (levels: number, text: string): Loose =>
      levels === 0
        ? { type: "string", description: text }
        : {
            type: "object",
            properties: Object.fromEntries("abc".split("").map((key) => [key, deep(levels - 1, text)])),
          };
    const described = tool(deep(4, "word ".repeat(60)));
    expect(described.truncated).toBeUndefined();
    expect(JSON.stringify(described.inputSchema).length).toBeLessThanOrEqual(16_384);
    const cut = tool(deep(7, "w"));
    expect(cut.completeSchema).toBeUndefined();
    expect(cut.truncated).toBe(true);
    expect(JSON.stringify(cut.inputSchema).length).toBeLessThanOrEqual(16_384);
  });

  test("a cut schema is kept whole beside it up to 64 KiB, for checks and descriptions", () => {
    const deep = (levels: number): Loose =>
      levels === 0
        ? { type: "integer" }
        : { type: "object", properties: Object.fromEntries("abc".split("").map((key) => [key, deep(levels - 1)])) };
    const operation = tool(deep(6));
    expect(operation.truncated).toBe(true);
    expect(JSON.stringify(operation.inputSchema).length).toBeLessThanOrEqual(16_384);
    const wrong = { a: { a: { a: { a: { a: { a: { a: "x" } } } } } } };
    expect(problems(operation, wrong)).toEqual(["a.a.a.a.a.a.a: is string; expected integer"]);
    expect(toCardText("t", operation)).not.toContain("Types are shortened");
  });

  test("what is cut from a choice still accepts what the choice accepted", () => {
    const huge = {
      oneOf: Array.from({ length: 400 }, (_, i) => ({
        type: "object",
        properties: { [`key_${i}`]: { type: "object", properties: { x: { type: "string" } } } },
      })),
    };
    const ir = compileDocument({
      paths: {
        "/x": { post: withBody({ type: "object", properties: { a: { type: "object", properties: { b: huge } } } }) },
      },
    });
    expect(JSON.stringify(ir.operations[0]?.inputSchema).length).toBeLessThanOrEqual(16_384);
  });
});

describe("M9: clients that understand less are shown less, and checked all the same", () => {
  const Node = { type: "object", properties: { next: ref("Node"), when: { type: "string", format: "date" } } };
  const shapes = {
    anyOf: [
      {
        type: "object",
        properties: { kind: { const: "a", type: "string" }, x: { type: "integer" } },
        required: ["kind", "x"],
      },
      { type: "object", properties: { kind: { const: "b", type: "string" } }, required: ["kind"] },
    ],
  };
  const properties = {
    node: ref("Node"),
    shape: shapes,
    maybe: { type: ["string", "null"], enum: ["a", null] },
    either: { oneOf: [{ type: "string" }, { type: "integer" }] },
    optional: { oneOf: [{ type: "string", maxLength: 3 }, { type: "null" }], description: "d" },
  };
  const operation = compileOperation(withBody({ type: "object", properties }), {
    method: "post",
    document: { components: { schemas: { Node } } },
  });

  test("no references, no unions, no formats", () => {
    const { inputSchema } = toTool(operation, PLAIN);
    expect(inputSchema["$defs"]).toBeUndefined();
    expect(inputSchema["properties"]).toEqual({
      node: { type: "object", properties: { next: { type: "object" }, when: { type: "string" } } },
      shape: {
        type: "object",
        properties: { kind: { type: "string", enum: ["a", "b"] }, x: { type: "integer" } },
        required: ["kind"],
      },
      maybe: { type: "string", enum: ["a", null] },
      either: {},
      optional: { type: "string", description: "d", maxLength: 3 },
    });
    expect(toTool(operation).inputSchema).toBe(operation.inputSchema);
  });

  test("only formats: references and unions stay", () => {
    const { inputSchema } = toTool(operation, { refs: true, unions: true, formats: false });
    expect(JSON.stringify(inputSchema)).not.toContain('"format"');
    expect(inputSchema["$defs"]).toMatchObject({ Node: { properties: { next: { $ref: "#/$defs/Node" } } } });
  });
});

test("M9: enum values are brought to the type beside them", () => {
  expect(normal({ type: "string", enum: [1, true, "x"] })).toEqual({ type: "string", enum: ["1", "true", "x"] });
  expect(normal({ type: "integer", enum: ["1", 2] })).toEqual({ type: "integer", enum: [1, 2] });
});

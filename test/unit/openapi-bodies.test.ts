/** Rule M8: which media type a body has and how it is written. */
import { describe, expect, test } from "vitest";

import { argument, compileOperation, problems, request, type Loose } from "./openapi-helpers.ts";

const SCHEMA = { type: "object", properties: { a: { type: "string" } } };

function compiled(content: Loose, method = "post"): ReturnType<typeof compileOperation> {
  return compileOperation({ requestBody: { required: true, content } }, { method });
}

function form(
  properties: Loose,
  encoding: Loose = {},
  type = "application/x-www-form-urlencoded",
): ReturnType<typeof compileOperation> {
  return compiled({ [type]: { schema: { type: "object", properties }, encoding } });
}

function parts(operation: ReturnType<typeof compileOperation>, args: Loose): Promise<FormData> {
  const { body, headers } = request(operation, args);
  return new Response(body as Uint8Array<ArrayBuffer>, {
    headers: headers.map(([name, value]): [string, string] => [name, value]),
  }).formData();
}

describe("M8: the preferred media type", () => {
  const types = (names: string[]): Loose => Object.fromEntries(names.map((name) => [name, { schema: SCHEMA }]));

  test.each([
    [["application/xml", "application/json"], "post", "application/json"],
    [["application/json; charset=utf-8"], "post", "application/json; charset=utf-8"],
    [["application/json-patch+json", "application/merge-patch+json"], "patch", "application/merge-patch+json"],
    [["application/vnd.api+json", "multipart/form-data"], "post", "application/vnd.api+json"],
    [["multipart/form-data", "application/x-www-form-urlencoded"], "post", "application/x-www-form-urlencoded"],
    [["text/csv", "multipart/form-data"], "post", "multipart/form-data"],
    [["application/xml", "text/plain"], "post", "text/plain"],
    [["image/png", "application/xml"], "post", "application/xml"],
    [["image/png", "*/*"], "post", "application/json"],
    [["image/*"], "post", "application/octet-stream"],
    [["application/zip"], "post", "application/zip"],
  ])("of %j for %s is %s", (names, method, mediaType) => {
    expect(compiled(types(names), method).body?.mediaType).toBe(mediaType);
  });

  test("the other declared types are kept for the description", () => {
    expect(compiled(types(["application/xml", "application/json"])).body?.alternatives).toEqual(["application/xml"]);
  });
});

describe("M8: JSON", () => {
  test("an explicit null stays", () => {
    const operation = compiled({
      "application/json": { schema: { type: "object", properties: { a: { type: ["string", "null"] } } } },
    });
    expect(request(operation, { a: null }).body).toBe('{"a":null}');
    expect(request(operation, {}).body).toBe("{}");
  });
});

describe("M8: forms", () => {
  test.each<[string, Loose, Loose, Loose, string]>([
    ["a list is repeated", { a: { type: "array" } }, {}, { a: [1, 2] }, "a=1&a=2"],
    ["an object is JSON", { a: { type: "object" } }, {}, { a: { b: 1 } }, "a=%7B%22b%22%3A1%7D"],
    [
      "a style of its own",
      { a: { type: "object" } },
      { a: { style: "deepObject" } },
      { a: { b: { c: 1 } } },
      "a%5Bb%5D%5Bc%5D=1",
    ],
    ["explode false joins", { a: { type: "array" } }, { a: { explode: false } }, { a: [1, 2] }, "a=1,2"],
    [
      "a JSON content type",
      { a: { type: "array" } },
      { a: { contentType: "application/json" } },
      { a: [1] },
      "a=%5B1%5D",
    ],
    ["null is left out", { a: { type: ["string", "null"] }, b: {} }, {}, { a: null, b: "x y" }, "b=x%20y"],
  ])("%s", (_, properties, encoding, args, body) => {
    expect(request(form(properties, encoding), args)).toMatchObject({
      body,
      headers: [["Content-Type", "application/x-www-form-urlencoded"]],
    });
  });
});

test("M8: in a form that is one argument null is left out as well", () => {
  const schema = { type: "object", additionalProperties: true };
  const operation = compiled({ "application/x-www-form-urlencoded": { schema } });
  expect(request(operation, { body: { a: null, b: 1, c: [] } }).body).toBe("b=1");
});

describe("M8: multipart", () => {
  const file = { type: "string", format: "binary" };
  const type = "multipart/form-data";

  test("files are base64 with a name and a type, objects are JSON parts without a file name", async () => {
    const data = await parts(form({ f: file, o: { type: "object" }, n: { type: "integer" } }, {}, type), {
      f: { base64: btoa("hello"), filename: 'a"b\r\nc.txt', content_type: "text/csv" },
      o: { k: 1 },
      n: 3,
    });
    const sent = data.get("f") as unknown as File;
    expect([sent.name.replaceAll("%0D%0A", "\r\n").replaceAll("%22", '"'), sent.type, await sent.text()]).toEqual([
      'a"b\r\nc.txt',
      "text/csv",
      "hello",
    ]);
    expect([data.get("o"), data.get("n")]).toEqual(['{"k":1}', "3"]);
  });

  test("a list of files is one part each", async () => {
    const data = await parts(form({ f: { type: "array", items: file } }, {}, type), {
      f: [{ base64: "QQ==" }, { base64: "Qg==" }],
    });
    expect(await Promise.all(data.getAll("f").map((each) => (each as unknown as File).text()))).toEqual(["A", "B"]);
  });

  test("3.1: contentMediaType makes a file as well", () => {
    const operation = form({ f: { type: "string", contentMediaType: "application/pdf" } }, {}, type);
    expect(argument(operation, "f")).toMatchObject({ required: ["base64"] });
  });

  test("the declared content type wins over the caller's", () => {
    const { body } = request(form({ f: file }, { f: { contentType: "application/pdf" } }, type), {
      f: { base64: "QQ==", content_type: "text/html" },
    });
    expect(new TextDecoder().decode(body as Uint8Array<ArrayBuffer>)).toContain("Content-Type: application/pdf\r\n");
  });

  test("an object part may declare a type of its own", () => {
    const encoding = { o: { contentType: "application/vnd.x+json" } };
    const { body } = request(form({ o: { type: "object" } }, encoding, type), { o: { k: 1 } });
    expect(new TextDecoder().decode(body as Uint8Array<ArrayBuffer>)).toContain(
      "Content-Type: application/vnd.x+json\r\n",
    );
  });

  test("a boundary never occurs in the content, and the same call gives the same bytes", () => {
    const operation = form({ f: { type: "string" } }, {}, type);
    const boundaryFor = (f: string): string =>
      /boundary=(.*)/.exec(request(operation, { f }).headers[0]?.[1] ?? "")?.[1] ?? "";
    // The boundary depends on lengths: a content of the same length that is the boundary has to get another one.
    const first = boundaryFor("y".repeat(42));
    expect(boundaryFor("z".repeat(42))).toBe(first);
    expect(first).toHaveLength(42);
    expect(boundaryFor(first)).not.toBe(first);
  });
});

describe("M8: text and bytes", () => {
  test.each([
    ["text/csv", { body: "a;b" }, "a;b"],
    ["application/xml", { body: "<a/>" }, "<a/>"],
    ["application/soap+xml", { body: "<a/>" }, "<a/>"],
    ["application/pdf", { body: "AAEC" }, Uint8Array.of(0, 1, 2)],
    ["application/pdf", { body: "_-8" }, Uint8Array.of(0xff, 0xef)],
  ])("%s with %j", (type, args, body) => {
    expect(request(compiled({ [type]: { schema: {} } }), args)).toMatchObject({
      body,
      headers: [["Content-Type", type]],
    });
  });

  test("what is no base64 is refused", () => {
    expect(problems(compiled({ "application/pdf": {} }), { body: "%%%" })).toEqual(["body: is not base64"]);
  });
});

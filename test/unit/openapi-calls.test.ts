/** What every surface that calls operations shares: reading answers, redirects, questions, and the three search tools. */
import { describe, expect, test } from "vitest";

import { cutText } from "../../src/code/cut.ts";
import { MAX_ANSWER_BYTES, MAX_STREAM_BYTES, readAnswer } from "../../src/openapi/answer.ts";
import { toQuestion, toUnconfirmedResult } from "../../src/openapi/confirm.ts";
import { nextRequest } from "../../src/openapi/redirect.ts";
import { toFailureResult, toToolResult } from "../../src/openapi/result.ts";
import { createSearch } from "../../src/openapi/search.ts";
import {
  SEARCH_TOOLS,
  serveSearchTool,
  type OperationSource,
  type SearchStep,
} from "../../src/openapi/search-tools.ts";
import { toIndexEntry } from "../../src/openapi/storage.ts";
import { compileDocument, compileOperation, withBody } from "./openapi-helpers.ts";

const URL_READ = "https://t.test/x";

describe("M12: reading an answer", () => {
  const stream = (chunk: Uint8Array, count: number): ReadableStream<Uint8Array> => {
    let sent = 0;
    return new ReadableStream({
      pull(controller) {
        if (sent++ < count) controller.enqueue(chunk);
        else controller.close();
      },
    });
  };

  test("keeps status, headers and bytes", async () => {
    const response = new Response("é", { status: 201, statusText: "Created", headers: { etag: "x" } });
    const answer = await readAnswer(response, URL_READ);
    expect(answer).toMatchObject({ status: 201, statusText: "Created", url: URL_READ });
    expect(answer.headers).toContainEqual(["etag", "x"]);
    expect(new TextDecoder().decode(answer.body)).toBe("é");
    expect(answer.rest).toBeUndefined();
  });

  test("reads an answer without a body", async () => {
    expect((await readAnswer(new Response(null, { status: 204 }), URL_READ)).body).toHaveLength(0);
  });

  test.each([
    ["application/octet-stream", MAX_ANSWER_BYTES],
    ["text/event-stream; charset=utf-8", MAX_STREAM_BYTES],
  ])("stops reading %s, cancels it and says so", async (type, max) => {
    const chunk = new Uint8Array(700_001).fill(65);
    const endless = stream(chunk, Number.POSITIVE_INFINITY);
    const answer = await readAnswer(new Response(endless, { headers: { "content-type": type } }), URL_READ);
    expect(answer.body).toHaveLength(max);
    expect(answer.rest).toContain(`longer than ${max} bytes`);
  });

  test("cuts a text between its characters, so that it stays text", async () => {
    const euros = new TextEncoder().encode("€".repeat(1000));
    const response = new Response(stream(euros, 10_000), { headers: { "content-type": "text/plain" } });
    const answer = await readAnswer(response, URL_READ);
    expect(MAX_ANSWER_BYTES - answer.body.length).toBeLessThan(3);
    expect(new TextDecoder("utf-8", { fatal: true }).decode(answer.body).endsWith("€")).toBe(true);
    const { content } = toToolResult(answer, { cutJson: cutText, cutText });
    expect(content.map(({ type }) => type)).toEqual(["text", "text"]);
    expect(content.at(-1)).toEqual({ type: "text", text: answer.rest });
  });

  test("rejects when the connection breaks", async () => {
    const broken = new ReadableStream({ start: (controller) => controller.error(new Error("reset")) });
    await expect(readAnswer(new Response(broken), URL_READ)).rejects.toThrow("reset");
  });
});

describe("M15: redirects and failures", () => {
  const request = {
    method: "POST",
    url: "https://t.test/a/b?c=d",
    headers: [
      ["Authorization", "Bearer T"],
      ["Content-Type", "text/plain"],
    ] as const,
    body: "x",
  };

  test.each([
    [301, "POST", "GET"],
    [302, "POST", "GET"],
    [303, "PUT", "GET"],
    [302, "PUT", "PUT"],
    [307, "POST", "POST"],
    [308, "DELETE", "DELETE"],
    [303, "HEAD", "HEAD"],
  ])("%i after %s is followed by %s", (status, method, next) => {
    const followed = nextRequest({ ...request, method }, { status, location: "../e" });
    expect(followed?.url).toBe("https://t.test/e");
    expect(followed?.method).toBe(next);
    expect(followed?.body).toBe(next === method ? "x" : undefined);
    expect(followed?.headers.map(([name]) => name)).toEqual(
      next === method ? ["Authorization", "Content-Type"] : ["Authorization"],
    );
  });

  test.each(["https://cdn.t.test/x", "https://t.test:8443/x", "http://t.test/x", "//evil.test/x"])(
    "to another origin, %s, what belongs to the first stays behind",
    (location) => {
      expect(nextRequest(request, { status: 307, location })?.headers).toEqual([["Content-Type", "text/plain"]]);
    },
  );

  test.each([
    [200, "/x"],
    [304, "/x"],
    [302, null],
    [302, "http://[bad"],
    [302, "ftp://files.t.test/x"],
    [302, "javascript:alert(1)"],
  ])("%i to %s is no redirect", (status, location) => {
    expect(nextRequest(request, { status, location })).toBeUndefined();
  });

  test("a redirect that was not followed names its target", () => {
    const headers = [["location", "https://elsewhere.test/"]] as const;
    const answer = { status: 302, statusText: "Found", headers, body: new Uint8Array(), url: URL_READ };
    expect(toToolResult(answer, { cutJson: cutText, cutText })).toMatchObject({
      isError: true,
      content: [{ text: "HTTP 302 Found\nLocation: https://elsewhere.test/ (not followed)" }],
    });
  });

  test("a call without an answer is an error with its reason", () => {
    expect(toFailureResult("no answer")).toEqual({
      content: [{ type: "text", text: "no answer" }],
      isError: true,
      _meta: {},
    });
  });
});

describe("M13a: the question before a call", () => {
  const operation = compileOperation(
    { operationId: "pay", summary: "Pay", "x-mcp": { confirm: true } },
    { method: "post" },
  );

  test("shows method, path and arguments, cut to a bound and without hidden characters", () => {
    expect(toQuestion(operation, { to: "a\u202Eb" }, { cutText }).message).toBe(
      'Call pay (Pay)?\n\nPOST /x\n{\n  "to": "ab"\n}',
    );
    expect(toQuestion(operation, { to: "x".repeat(9_000) }, { cutText }).message.length).toBeLessThan(2_100);
  });

  test("has a key of its own for every call", () => {
    const keys = [{}, { to: "a" }, { to: "b" }].map((input) => toQuestion(operation, input, { cutText }).key);
    expect(new Set(keys).size).toBe(3);
    expect(toQuestion(operation, { to: "a" }, { cutText }).key).toBe(keys[1]);
  });

  test.each(["declined", "cannot_ask"] as const)("says that nothing was sent: %s", (why) => {
    expect(toUnconfirmedResult(operation, why)).toMatchObject({ isError: true });
    expect(JSON.stringify(toUnconfirmedResult(operation, why))).toContain("Nothing was sent.");
  });
});

describe("M17: search, describe, call", () => {
  const paths = {
    "/pets": {
      get: { operationId: "listPets", summary: "List pets" },
      post: {
        operationId: "addPet",
        ...withBody({ type: "object", properties: { "pet-name": { type: "string" } }, required: ["pet-name"] }),
      },
    },
    "/pets/{id}": { get: { operationId: "getPet", summary: "Read one pet" } },
  };
  const { operations } = compileDocument({ paths });
  const source: OperationSource = {
    search: createSearch(operations.map(toIndexEntry)),
    load: (name) => operations.find((operation) => operation.name === name),
  };
  const text = (step: SearchStep): string => {
    const [first] = step.kind === "answer" ? step.result.content : [];
    return first?.type === "text" ? first.text : "";
  };

  test("finds operations, one line each", async () => {
    const step = await serveSearchTool("search", { query: "read pet", limit: 2 }, source);
    expect(text(step).split("\n")).toEqual(["get_pet GET /pets/{id} — Read one pet", expect.stringContaining("pet")]);
  });

  test("says so when nothing is found", async () => {
    expect(text(await serveSearchTool("search", { query: "invoice" }, source))).toContain(
      "No operation has any of these words",
    );
  });

  test("describes the arguments, and shows a call that is accepted", async () => {
    const shown = text(await serveSearchTool("describe", { operation: "add_pet" }, source));
    expect(shown).toContain('"pet-name": string;');
    const [, example = ""] = /Example: (.*)$/.exec(shown) ?? [];
    const step = await serveSearchTool("call", JSON.parse(example), source);
    expect(step).toMatchObject({ kind: "call", operation: { name: "add_pet" }, arguments: { "pet-name": "text" } });
  });

  test("takes a call without arguments", async () => {
    expect(await serveSearchTool("call", { operation: "list_pets" }, source)).toMatchObject({ kind: "call" });
  });

  test.each(["describe", "call"] as const)("%s of an unknown operation names similar ones", async (tool) => {
    const step = await serveSearchTool(tool, { operation: "get_pets" }, source);
    expect(step).toMatchObject({ result: { isError: true } });
    expect(text(step)).toContain("get_pet");
  });

  test.each([
    ["search", {}],
    ["search", { query: "x", limit: 51 }],
    ["describe", { name: "x" }],
    ["call", { operation: 1 }],
  ] as const)("%s refuses %j", async (tool, input) => {
    expect(await serveSearchTool(tool, input, source)).toMatchObject({ result: { isError: true } });
  });

  test("costs a model few tokens, and no key that model APIs refuse", () => {
    expect(JSON.stringify(Object.values(SEARCH_TOOLS)).length).toBeLessThan(1_600);
  });
});

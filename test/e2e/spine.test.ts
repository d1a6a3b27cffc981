import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { canary, plainCanary } from "../helpers/canary.ts";
import { startTestStack, type TestStack } from "../helpers/stack.ts";
import { startUpstream, type Upstream } from "../helpers/upstream.ts";

let upstream: Upstream;
let other: Upstream;
let codeforge: TestStack;

beforeAll(async () => {
  [upstream, other] = await Promise.all([startUpstream(), startUpstream()]);
  codeforge = await startTestStack({
    apis: {
      echo: { description: "Says what it was sent", domains: [upstream.origin], credentials: ["ECHO_TOKEN"] },
      other: { description: "Another one", domains: [other.origin], credentials: ["OTHER_TOKEN"], restricted_methods: ["DELETE"] },
    },
    vars: { ECHO_TOKEN: plainCanary(), OTHER_TOKEN: plainCanary() },
  });
});

afterAll(async () => {
  await codeforge.stop();
  await Promise.all([upstream.stop(), other.stop()]);
});

describe("a block", () => {
  it("returns its value", async () => {
    expect((await codeforge.run("return 6 * 7")).text).toBe("42");
  });

  it("calls an API with a credential that it knows by name only", async () => {
    const { text, isError } = await codeforge.run(`
      const response = await fetch("${upstream.origin}/v1/things?a=1", { headers: { Authorization: "Bearer ECHO_TOKEN" } });
      return (await response.json()).headers.authorization;
    `);
    console.log(codeforge.logs.join("\n"));
    expect(text).toMatch(/^Bearer ECHO_TOKEN\n\n1 request, \d+ ms$/);
    expect(isError).toBe(false);
    expect(upstream.seen.at(-1)?.headers.authorization).not.toContain("ECHO_TOKEN");
  });
});

/** Skills through real clients: what worked is saved, a new session finds it and runs it by its name. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { connect, startTestStack, type TestStack } from "../helpers/stack.ts";
import { startUpstream, type Upstream } from "../helpers/upstream.ts";

let codeforge: TestStack;
let upstream: Upstream;

beforeAll(async () => {
  upstream = await startUpstream(({ method, url }, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ method, url, rows: [1, 2, 3] }));
  });
  codeforge = await startTestStack({
    apis: {
      shop: { description: "Shop", domains: [upstream.origin], credentials: ["SHOP_TOKEN"] },
      other: { description: "Other", domains: ["other.example.com"] },
      unset: { description: "No value", domains: ["unset.example.com"], credentials: ["UNSET_TOKEN"] },
      off: { description: "Inactive", domains: ["off.example.com"], active: false },
    },
    vars: { SHOP_TOKEN: "shop-token-of-the-test" },
  });
});

afterAll(async () => {
  await codeforge.stop();
  await upstream.stop();
});

/** Runs a block that has `skills`, and gives what it returned. */
async function inCode(code: string, args: Record<string, unknown> = {}): Promise<unknown> {
  const { structured, isError, text } = await codeforge.run(`import { skills } from "codeforge";\n${code}`, args);
  return isError ? text : structured?.["result"];
}

describe("a skill that was saved from code", () => {
  it("is listed, read, run and removed from code", async () => {
    const saved = await inCode(`return skills.save({
      name: "sum-rows",
      description: "Sums the rows of the shop",
      input: { type: "object", required: ["times"], properties: { times: { type: "integer" } } },
      apis: ["shop"],
      code: 'const r = await fetch("${upstream.origin}/rows"); const { rows } = await r.json(); return rows.reduce((a: number, b: number) => a + b, 0) * input.times;',
    })`);
    expect(saved).toMatchObject({ name: "sum-rows", action: "create" });
    expect(await inCode(`return (await skills.list("shop sums")).map((s) => [s.name, s.description])`)).toEqual([
      ["sum-rows", "Sums the rows of the shop"],
    ]);
    expect(await inCode(`return skills.run("sum-rows", { times: 7 })`)).toBe(42);
    expect(await inCode(`return skills.read("sum-rows", "main.ts")`)).toContain("input.times");
    const { text } = await codeforge.call("run_skill", { name: "sum-rows", input: { times: 2 } });
    expect(text).toMatch(/^12\n\n1 request, \d+ ms$/);
  });

  it("can be imported, and is found by a new session", async () => {
    await inCode(`return skills.save({
      name: "paging", description: "Pages", files: { "lib/more.ts": "export const more = (n: number) => n + 1;" },
      code: 'import { more } from "./lib/more.ts";\\nexport async function fetchAll(n: number): Promise<number> { return more(n); }\\nexport default () => fetchAll(1);',
    })`);
    expect(await inCode(`import { fetchAll } from "skills/paging"; return fetchAll(3)`)).toBe(4);
    expect(await inCode(`const { fetchAll } = await import("/skills/paging.ts"); return fetchAll(4)`)).toBe(5);
    expect(await inCode(`return skills.run("paging")`)).toBe(2);
    const client = await connect(codeforge.url);
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toContain("skill://paging/SKILL.md");
    await client.close();
  });
});

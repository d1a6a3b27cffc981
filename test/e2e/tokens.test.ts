/** What a session pays before it has done anything: the tool list, in tokens of o200k. */
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { expect, it } from "vitest";

import { startTestStack } from "../helpers/stack.ts";

async function measure(count: number): Promise<number> {
  const names = Array.from({ length: count }, (_, index) => `api-${index}`);
  const apis = Object.fromEntries(
    names.map((name) => [name, { description: `The API ${name}`, domains: [`${name}.example.com`] }]),
  );
  const codeforge = await startTestStack({ apis });
  const { tools } = await codeforge.client.listTools();
  await codeforge.stop();
  return encode(JSON.stringify(tools)).length;
}

it("is at most 1,000 tokens, with one API and with two hundred", async () => {
  const [one, many] = [await measure(1), await measure(200)];
  expect(one).toBeLessThanOrEqual(1_000);
  expect(many).toBe(one);
});

/** One skill joins three services, each with a credential of its own, and one line of JSON comes back. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { afterAll, beforeAll, expect, it } from "vitest";

import { formsOf, plainCanary } from "../helpers/canary.ts";
import { startCommand } from "../helpers/process.ts";
import { startTestStack, type TestStack } from "../helpers/stack.ts";
import { startUpstream, type Upstream } from "../helpers/upstream.ts";
import { startVerdaccio, type Verdaccio } from "../helpers/verdaccio.ts";

const LICENCE_PASSWORD = plainCanary();
const PRICE_KEY = plainCanary();

let registry: Verdaccio;
let licences: Upstream;
let prices: Upstream;
let codeforge: TestStack;

beforeAll(async () => {
  registry = await startVerdaccio();
  licences = await startUpstream(({ url, headers }, response) => {
    const isAllowed = headers.authorization === `Basic ${btoa(`audit:${LICENCE_PASSWORD}`)}`;
    const page = Number(new URL(url, "http://x").searchParams.get("page") ?? "1");
    const next = page < 3 ? { link: `<${licences.origin}/licences?page=${page + 1}>; rel="next"` } : {};
    response.writeHead(isAllowed ? 200 : 401, { "content-type": "application/json", ...next });
    const names = ["left-pad", "is-odd", "gone"].slice(page - 1, page);
    response.end(JSON.stringify(isAllowed ? names.map((name) => ({ package: name, note: "x".repeat(10_000) })) : {}));
  });
  prices = await startUpstream(({ url, headers }, response) => {
    const isAllowed = headers["x-api-key"] === PRICE_KEY;
    response.writeHead(isAllowed ? 200 : 403, { "content-type": "application/json" });
    // An upstream that tells its caller's key again.
    response.end(JSON.stringify({ name: url.slice(1), price: url.length, key: headers["x-api-key"] }));
  });
  codeforge = await startTestStack({
    apis: {
      registry: { description: "Packages", domains: [registry.origin], credentials: ["VERDACCIO_TOKEN"] },
      licences: { description: "Licences", domains: [licences.origin], credentials: ["LICENCE_PASSWORD"] },
      // By another name of this machine: a host of its own.
      prices: { description: "Prices", domains: [`http://localhost:${prices.port}`], credentials: ["PRICE_KEY"] },
    },
    vars: { VERDACCIO_TOKEN: registry.token, LICENCE_PASSWORD, PRICE_KEY },
  });
});

afterAll(async () => {
  await codeforge.stop();
  await Promise.all([registry.stop(), licences.stop(), prices.stop()]);
});

const CODE = `
import { fetchAll } from "skills/paginate-everything";

interface Input { registry: string; licences: string; prices: string }

export default async function main({ registry, licences, prices }: Input) {
  const authorization = "Bearer VERDACCIO_TOKEN";
  const bought = await fetchAll({
    url: licences + "/licences", headers: { Authorization: "Basic " + btoa("audit:LICENCE_PASSWORD") },
  });
  const rows = await Promise.all(bought.map(async ({ package: name }) => {
    const [published, price] = await Promise.all([
      fetch(registry + "/" + name, { headers: { authorization } }),
      fetch(prices + "/" + name, { headers: { "x-api-key": "PRICE_KEY" } }).then((response) => response.json()),
    ]);
    return { name, isPublished: published.ok, price: price.price };
  }));
  return {
    bought: rows.length,
    published: rows.filter((row) => row.isPublished).length,
    wasted: rows.filter((row) => !row.isPublished).reduce((sum, row) => sum + row.price, 0),
  };
}
`;

it("joins three authenticated services and answers one line", async () => {
  const publish = await codeforge.run(`
    for (const name of ["left-pad", "is-odd"]) {
      const version = { name, version: "1.0.0", dist: { tarball: "${registry.origin}/" + name + "/-/" + name + "-1.0.0.tgz" } };
      const response = await fetch("${registry.origin}/" + name, {
        method: "PUT",
        headers: { authorization: "Bearer VERDACCIO_TOKEN", "content-type": "application/json" },
        body: JSON.stringify({
          _id: name, name, "dist-tags": { latest: "1.0.0" }, versions: { "1.0.0": version },
          _attachments: { [name + "-1.0.0.tgz"]: { content_type: "application/octet-stream", data: btoa("tar"), length: 3 } },
        }),
      });
      if (!response.ok) throw new Error(response.status + " " + await response.text());
    }
  `);
  expect(publish.isError, publish.text).toBe(false);

  const saved = await codeforge.run(`
    import { skills } from "codeforge";
    const url = { type: "string" };
    return skills.save({
      name: "licence-report", description: "Which licences that we pay for are of no use", version: "1.0",
      apis: ["registry", "licences", "prices"], code: ${JSON.stringify(CODE)},
      input: { type: "object", required: ["registry", "licences", "prices"], properties: { registry: url, licences: url, prices: url } },
    });
  `);
  expect(saved.isError, saved.text).toBe(false);

  const input = { registry: registry.origin, licences: licences.origin, prices: `http://localhost:${prices.port}` };
  const { text, structured } = await codeforge.call("run_skill", { name: "licence-report", input });
  expect(text).toMatch(/^\{"bought":3,"published":2,"wasted":5\}\n\n9 requests, \d+ ms\n(?:GET .* → 404)$/);
  expect(structured?.["result"]).toEqual({ bought: 3, published: 2, wasted: 5 });
  // No payload came along: of 30,000 characters of licences, nothing.
  expect(text).not.toContain("xxx");
});

it("is recorded by the names of the credentials, and passes without any service", async () => {
  const dir = join(codeforge.dir, "skills");
  const run = async (...args: string[]): Promise<string> => {
    const command = startCommand(["skills", ...args, "--dir", dir, "--server", codeforge.url.href]);
    await command.ended;
    return command.output();
  };
  const input = { registry: registry.origin, licences: licences.origin, prices: `http://localhost:${prices.port}` };
  await run("pull", "licence-report", "paginate-everything");
  expect(await run("record", "licence-report", "three", "--input", JSON.stringify(input))).toContain("9 requests");
  const recording = readFileSync(join(dir, "licence-report/tests/three.json"), "latin1");
  for (const value of [registry.token, LICENCE_PASSWORD, PRICE_KEY])
    for (const form of formsOf(value).values()) expect(recording.includes(form)).toBe(false);
  expect(recording).toContain("PRICE_KEY");
  const before = licences.seen.length + prices.seen.length;
  expect(await run("test", "licence-report")).toBe("1 passed\n");
  expect(licences.seen.length + prices.seen.length).toBe(before);
});

/** A real registry and a second service of another kind, joined in one block: one number comes back. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { afterAll, beforeAll, expect, it } from "vitest";

import { plainCanary } from "../helpers/canary.ts";
import { startTestStack, type TestStack } from "../helpers/stack.ts";
import { startVerdaccio, type Verdaccio } from "../helpers/verdaccio.ts";

const LICENSE_PASSWORD = plainCanary();

let registry: Verdaccio;
let codeforge: TestStack;
/** The licences that a company has bought, behind Basic authentication. */
const licences = createServer((request, response) => {
  const isAllowed = request.headers.authorization === `Basic ${btoa(`audit:${LICENSE_PASSWORD}`)}`;
  response.writeHead(isAllowed ? 200 : 401, { "content-type": "application/json" });
  response.end(JSON.stringify(isAllowed ? [{ package: "left-pad" }, { package: "is-odd" }, { package: "gone" }] : {}));
});
let licenceOrigin: string;

beforeAll(async () => {
  registry = await startVerdaccio();
  await new Promise<void>((done) => licences.listen(0, "127.0.0.1", done));
  licenceOrigin = `http://127.0.0.1:${(licences.address() as AddressInfo).port}`;
  codeforge = await startTestStack({
    apis: {
      registry: { description: "Packages", domains: [registry.origin], credentials: ["VERDACCIO_TOKEN"] },
      licences: { description: "Licences", domains: [licenceOrigin], credentials: ["LICENSE_PASSWORD"] },
    },
    // One by its name, one from a map of several, as hundreds fit into one Worker.
    vars: { VERDACCIO_TOKEN: registry.token, SECRETS_TEAM: JSON.stringify({ LICENSE_PASSWORD }) },
  });
});

afterAll(async () => {
  await codeforge.stop();
  await registry.stop();
  await new Promise((done) => licences.close(done));
});

it("is known to the registry by the user's token, which it does not hold", async () => {
  const { text } = await codeforge.run(`
    const response = await fetch("${registry.origin}/-/whoami", { headers: { Authorization: "Bearer VERDACCIO_TOKEN" } });
    return (await response.json()).username;
  `);
  expect(text).toMatch(/^ada\n/);
});

it("is nobody to the registry without it", async () => {
  const { text } = await codeforge.run(`return (await fetch("${registry.origin}/left-pad")).status`);
  expect(text).toMatch(/^401\n/);
});

it("publishes packages, joins them with the licences, and returns one number", async () => {
  const { text, isError } = await codeforge.run(`
    const registry = "${registry.origin}";
    const authorization = "Bearer VERDACCIO_TOKEN";
    const publish = async (name: string) => {
      const version = { name, version: "1.0.0", dist: { tarball: \`\${registry}/\${name}/-/\${name}-1.0.0.tgz\` } };
      const body = {
        _id: name, name, "dist-tags": { latest: "1.0.0" }, versions: { "1.0.0": version },
        _attachments: { [\`\${name}-1.0.0.tgz\`]: { content_type: "application/octet-stream", data: btoa("tar"), length: 3 } },
      };
      const response = await fetch(\`\${registry}/\${name}\`, {
        method: "PUT", headers: { authorization, "content-type": "application/json" }, body: JSON.stringify(body),
      });
      if (!response.ok) throw new Error(\`publish \${name}: \${response.status} \${await response.text()}\`);
    };
    await Promise.all(["left-pad", "is-odd"].map(publish));

    const licences: { package: string }[] = await fetch("${licenceOrigin}/", {
      headers: { Authorization: "Basic " + btoa("audit:LICENSE_PASSWORD") },
    }).then((response) => response.json());
    const published = await Promise.all(
      licences.map(({ package: name }) => fetch(\`\${registry}/\${name}\`, { headers: { authorization } })),
    );
    return published.filter((response) => response.ok).length;
  `);
  expect(text).toMatch(/^2\n\n6 requests, 2 writes, \d+ ms\n/);
  expect(isError).toBe(false);
});

it("has nothing to tell to a block that tries to print the key", async () => {
  const { text } = await codeforge.run(`
    console.log(process.env.VERDACCIO_TOKEN, JSON.stringify(process.env), Object.keys(globalThis).join());
    const response = await fetch("${registry.origin}/-/whoami", { headers: { Authorization: "Bearer VERDACCIO_TOKEN" } });
    return [...response.headers].concat([[await response.text(), response.statusText]]);
  `);
  expect(text).toContain("VERDACCIO_TOKEN");
  expect(text).not.toContain(registry.token);
});

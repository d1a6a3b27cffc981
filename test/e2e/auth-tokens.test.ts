/** Tokens: what each opens, in both eras, and that a revoked one opens nothing from then on. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { admin, changeToken, createToken } from "../helpers/admin.ts";
import { post, postModern } from "../helpers/clients.ts";
import { startTestStack, type TestStack } from "../helpers/stack.ts";

const ADMIN = "an-admin-token-for-tests-only";

let codeforge: TestStack;

beforeAll(async () => {
  codeforge = await startTestStack({ adminToken: ADMIN, connect: false });
});
afterAll(() => codeforge.stop());

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

async function statusOf(response: Promise<Response>): Promise<number> {
  const { status, body } = await response;
  await body?.cancel();
  return status;
}

describe("a token", () => {
  it("is answered once, listed without its text, and tells who its holder is", async () => {
    const token = await createToken(codeforge.url, ADMIN, { name: "laptop", principal: "ada", apis: ["payments"] });
    expect(token).toMatch(/^codeforge_[0-9a-f]{16}_[0-9a-f]{64}$/);
    const listed = await (await admin(codeforge.url, ADMIN, "tokens")).text();
    expect(JSON.parse(listed)).toMatchObject({
      tokens: [
        { name: "laptop", principal: "ada", scopes: ["run"], apis: ["payments"], state: "active", usedMs: null },
      ],
    });
    expect(listed).not.toContain(token.slice(-64));
    const whoami = await (await admin(codeforge.url, token, "whoami")).json();
    expect(whoami).toMatchObject({ principal: "ada", scopes: ["run"], apis: ["payments"], token: "laptop" });
    const used = await (await admin(codeforge.url, ADMIN, "tokens")).json();
    expect(used).toMatchObject({ tokens: [{ name: "laptop", usedMs: expect.any(Number) }] });
  });

  it("opens both eras until it is revoked, and then neither", async () => {
    const token = await createToken(codeforge.url, ADMIN, { name: "short-lived" });
    const ask = (): Promise<number[]> =>
      Promise.all([
        statusOf(postModern(codeforge.url, "tools/list", {}, bearer(token))),
        statusOf(post(codeforge.url, { id: 1, method: "ping" }, bearer(token))),
      ]);
    expect(await ask()).toEqual([200, 400]);
    await changeToken(codeforge.url, ADMIN, "short-lived", "disabled");
    expect(await ask()).toEqual([401, 401]);
    await changeToken(codeforge.url, ADMIN, "short-lived", "active");
    expect(await ask()).toEqual([200, 400]);
    await changeToken(codeforge.url, ADMIN, "short-lived", "revoked");
    expect(await ask()).toEqual([401, 401]);
    expect((await admin(codeforge.url, ADMIN, "tokens/short-lived", { state: "active" })).status).toBe(404);
  });

  it("cannot have the name of another that is not revoked", async () => {
    await createToken(codeforge.url, ADMIN, { name: "taken" });
    expect((await admin(codeforge.url, ADMIN, "tokens", { name: "taken" })).status).toBe(409);
    await changeToken(codeforge.url, ADMIN, "taken", "revoked");
    await createToken(codeforge.url, ADMIN, { name: "taken" });
  });
});

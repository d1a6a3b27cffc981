/** Taking over the container edition: where a name goes, what it is called here, and what is reported. */
import { cpSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { nameCredentials } from "../../src/cli/import/names.ts";
import { planImport } from "../../src/cli/import/plan.ts";
import { readSource, type SourceApi } from "../../src/cli/import/read.ts";
import { readUsage } from "../../src/cli/import/usage.ts";
import { createCliFolder } from "../helpers/cli.ts";

const FIXTURE = join(import.meta.dirname, "../fixtures/container-edition");

const placesIn = (code: string, name = "A_KEY"): string[] => {
  const credential = { api: "one", old: name, name, value: "", shared: false };
  const usage = readUsage(code, { credentials: [credential], apiOf: () => "one" });
  return usage?.places.map(({ place }) => place) ?? ["unreadable"];
};

describe("where a name goes", () => {
  it.each<[string, string, string[]]>([
    ["a bearer header", 'fetch("https://a.test/x", { headers: { Authorization: "Bearer A_KEY" } })', ["header"]],
    ["basic authentication", 'fetch(u, { headers: { authorization: "Basic " + btoa("user:A_KEY") } })', ["header"]],
    ["a header by name", 'fetch(u, { headers: { "X-Sign": "v1=A_KEY" } })', ["header:x-sign"]],
    ["headers in a constant", 'const h = { "x-k": "A_KEY" }; await fetch(u, { headers: h })', ["header:x-k"]],
    [
      "headers that are spread",
      'const h = { "x-k": "A_KEY" }; fetch(u, { headers: { ...h, accept: "*/*" } })',
      ["header:x-k"],
    ],
    ["a Headers object", 'const h = new Headers(); h.set("x-k", "A_KEY"); fetch(u, { headers: h })', ["header:x-k"]],
    ["a list of headers", 'fetch(u, { headers: [["x-k", "A_KEY"]] })', ["header:x-k"]],
    [
      "headers that a function makes",
      'const h = () => ({ "x-k": "A_KEY" }); fetch(u, { headers: h() })',
      ["header:x-k"],
    ],
    ["the environment", "fetch(u, { headers: { 'x-k': process.env.A_KEY } })", ["header:x-k"]],
    ["Deno's environment", "fetch(u, { headers: { 'x-k': Deno.env.get('A_KEY') } })", ["header:x-k"]],
    ["a query in a string", 'fetch("https://a.test/x?q=1&api_key=A_KEY&z=2")', ["query:api_key"]],
    ["a query in a template", "const k = 'A_KEY'; fetch(`https://a.test/x?q=${q}&key=${k}`)", ["query:key"]],
    ["a concatenated query", 'fetch(base + "/x?key=" + "A_KEY")', ["query:key"]],
    [
      "search parameters",
      'const u = new URL("https://a.test/x"); u.searchParams.set("key", "A_KEY"); fetch(u)',
      ["query:key"],
    ],
    ["parameters in a template", 'fetch(`https://a.test/x?${new URLSearchParams({ key: "A_KEY" })}`)', ["query:key"]],
    [
      "parameters as text",
      'const p = new URLSearchParams({ key: "A_KEY" }); fetch("https://a.test/?" + p.toString())',
      ["query:key"],
    ],
    [
      "the search of a URL",
      'const u = new URL("https://a.test/"); u.search = new URLSearchParams({ key: "A_KEY" }); fetch(u)',
      ["query:key"],
    ],
    ["a path", "fetch(`https://a.test/botA_KEY/send`)", ["path"]],
    ["a path in a constant", 'const b = "https://a.test/A_KEY"; fetch(`${b}/x?y=1`)', ["path"]],
    ["a JSON body", 'fetch(u, { method: "POST", body: JSON.stringify({ a: { key: "A_KEY" } }) })', ["body:a.key"]],
    ["JSON as text", `fetch(u, { method: "POST", body: '{"key":"A_KEY"}' })`, ["body:key"]],
    ["a form", 'fetch(u, { method: "POST", body: new URLSearchParams({ secret: "A_KEY" }) })', ["body:secret"]],
    ["a form as text", 'fetch(u, { method: "POST", body: "a=b&secret=A_KEY" })', ["body:secret"]],
    [
      "form data",
      'const f = new FormData(); f.append("secret", "A_KEY"); fetch(u, { method: "POST", body: f })',
      ["body:secret"],
    ],
    ["a field that is set later", 'const b = {}; b.key = "A_KEY"; fetch(u, { body: JSON.stringify(b) })', ["body:key"]],
    [
      "an argument",
      'async function get(k) { return fetch("https://a.test/?key=" + k); } await get("A_KEY")',
      ["query:key"],
    ],
    ["nowhere that can be told", 'sendSomehow("A_KEY")', []],
    ["nothing, in a longer word", 'fetch("https://a.test/?key=A_KEY_2")', []],
  ])("is found in %s", (_, code, expected) => {
    expect(placesIn(code)).toEqual(expected);
  });

  it("says so where it cannot be told", () => {
    const known = {
      credentials: [{ api: "one", old: "A_KEY", name: "A_KEY", value: "", shared: false }],
      apiOf: () => null,
    };
    expect(readUsage('\n\nsendSomehow("A_KEY")', known)?.undecided).toEqual([expect.stringContaining("line 3")]);
    expect(readUsage("this is no script {", known)).toBeNull();
  });
});

describe("names", () => {
  const api = (name: string, credentials: Record<string, string>): SourceApi => ({
    name,
    config: {},
    credentials: new Map(Object.entries(credentials)),
  });

  it("become valid, are told apart where values differ, and stay one where they do not", () => {
    const naming = nameCredentials([
      api("one", { "my-key": "v1", SAME_KEY: "s", TWO_KEY: "a" }),
      api("two", { SAME_KEY: "s", TWO_KEY: "b", ADMIN_TOKEN: "x" }),
    ]);
    expect(naming.credentials.map(({ api: owner, name, shared }) => [owner, name, shared])).toEqual([
      ["one", "MY_KEY", false],
      ["one", "SAME_KEY", true],
      ["one", "ONE_TWO_KEY", false],
      ["two", "SAME_KEY", true],
      ["two", "TWO_TWO_KEY", false],
      ["two", "TWO_ADMIN_TOKEN", false],
    ]);
    expect(naming.renamed).toHaveLength(4);
  });

  it("that are values by mistake are reported, and not shown", () => {
    const { left, credentials } = nameCredentials([api("one", { aBcDeF0123456789aBcDeF0123456789: "NAME" })]);
    expect(credentials).toEqual([]);
    expect(left).toEqual([expect.stringContaining("credential 1")]);
    expect(left.join()).not.toContain("aBcDeF");
  });
});

describe("a folder of the container edition", () => {
  const plan = planImport(readSource(FIXTURE));

  it("becomes configs that open the places the scripts use, and no others", () => {
    expect(Object.fromEntries(plan.apis.map(({ name, config }) => [name, config.credentials]))).toEqual({
      billing: ["BILLING_TOKEN", { name: "BILLING_API_KEY", in: ["body:client_secret", "header:x-billing-signature"] }],
      chat: [
        { name: "BOT_TOKEN", in: ["path"] },
        { name: "CLIENT_SECRET", in: ["body:auth.client_secret"] },
        "SIGNING_KEY",
      ],
      maps: [{ name: "MAPS_API_KEY", in: ["query:key"] }],
    });
    expect(plan.apis.find(({ name }) => name === "billing")?.config).toMatchObject({
      restricted_methods: ["DELETE"],
      reference: "https://docs.billing.example/api",
    });
  });

  it("keeps every value, the server's variables among them, and out of everything that is committed", () => {
    expect([...plan.values.keys()].toSorted()).toEqual([
      "BILLING_API_KEY",
      "BILLING_TOKEN",
      "BOT_TOKEN",
      "CLIENT_SECRET",
      "DEBUG_MODE",
      "MAPS_API_KEY",
      "REDACTING_STRINGS",
      "USER_AGENT",
      "YOLO_MODE",
    ]);
    const committed = JSON.stringify([plan.apis, plan.skills, plan.changed, plan.undecided, plan.left]);
    for (const [name, value] of plan.values) if (value.length > 8) expect(committed.includes(value), name).toBe(false);
  });

  it("becomes skills that are narrowed to the APIs they use", () => {
    expect(plan.skills.map(({ name }) => name)).toEqual(["geocode", "list-invoices", "notify-team", "sync-addresses"]);
    const [geocode, , , sync] = plan.skills;
    expect(geocode?.manifest).toContain("Finds the coordinates of an address.");
    expect(geocode?.main).toContain('key: "MAPS_API_KEY"');
    expect(sync?.main).toContain('form.set("client_secret", "BILLING_API_KEY")');
    expect(sync?.main).toContain('url.searchParams.append("key", "MAPS_API_KEY")');
    expect(sync?.manifest).toMatch(/apis:\n\s+- "?billing"?\n\s+- "?maps"?/);
  });

  it("says what is different, what is to be decided, and what is left", () => {
    expect(plan.changed.join("\n")).toContain("apis/chat: client-secret is CLIENT_SECRET now");
    expect(plan.undecided).toEqual(["apis/chat: SIGNING_KEY has no value yet"]);
    expect(plan.left).toEqual([expect.stringContaining("skills/README.md"), ".env: PORT means nothing here"]);
  });

  it("turns a value that stands in a script into its name", () => {
    const source = readSource(FIXTURE);
    const text = 'await fetch("http://127.0.0.1:9102/x?key=maps-key-0a8b7c6d5e4f3a2b1c")';
    const { skills, changed } = planImport({ ...source, scripts: [{ file: "raw.js", text }] });
    expect(skills[0]?.main).toContain("key=MAPS_API_KEY");
    expect(changed.join()).toContain("Replace that value");
  });
});

describe("codeforge import", () => {
  const prepare = () => {
    const folder = createCliFolder();
    cpSync(FIXTURE, join(folder.dir, "old"), { recursive: true });
    return folder;
  };

  it("only says what it would do, until it is told to write", () => {
    const folder = prepare();
    const dry = folder.run(["import", "old", "--skills", "skills"]);
    expect(dry.output).toContain("Nothing is written yet");
    expect(dry.code).toBe(0);
    expect(existsSync(join(folder.dir, "apis"))).toBe(false);
    const done = folder.run(["import", "old", "--skills", "skills", "--write"]);
    expect(done.code).toBe(0);
    expect(folder.read("apis/maps/config.json")).toContain("MAPS_API_KEY");
    expect(folder.read(".dev.vars")).toContain("MAPS_API_KEY=maps-key-0a8b7c6d5e4f3a2b1c");
    expect(folder.read("skills/notify-team/main.ts")).toContain("CLIENT_SECRET");
    expect(done.output).not.toContain("maps-key-0a8b7c6d5e4f3a2b1c");
    expect(folder.run(["check"]).output).toContain("0 errors");
    // The old folder is as it was.
    expect(readFileSync(join(folder.dir, "old/.env"))).toEqual(readFileSync(join(FIXTURE, ".env")));
    // And what is there is never written over.
    const again = folder.run(["import", "old", "--skills", "skills", "--write"]);
    expect(again.code).toBe(1);
    expect(again.output).toContain("is there already");
  });

  it("writes values for a deployment to another file, and never to one that git would take", () => {
    const folder = prepare();
    const outside = folder.run(["import", "old", "--skills", "skills", "--write", "--secrets", "production.env"]);
    expect(outside.code).toBe(0);
    expect(folder.read("production.env")).toContain("BOT_TOKEN");
    expect(folder.read(".dev.vars")).toBeUndefined();
    const inside = join(import.meta.dirname, "../../values.env");
    const refused = prepare().run(["import", "old", "--skills", "skills", "--write", "--secrets", inside]);
    expect(refused.output).toContain(".dev.vars.");
    expect(existsSync(inside)).toBe(false);
  });
});

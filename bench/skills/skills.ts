/**
 * `npm run bench:skills`: what 2,000 saved skills cost a client, beside none: the start of a session (bytes and time),
 * a page of the listing, completing a name. Through MCP over HTTP, as `npm start` serves it.
 */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

import { readSkill } from "../../src/skills/format.ts";
import { writeManifest } from "../../src/skills/manifest.ts";
import { EMPTY_INDEX, type SkillIndex } from "../../src/skills/records.ts";
import { messagesOf, postModern } from "../../test/helpers/clients.ts";
import { startTestStack, type TestStack } from "../../test/helpers/stack.ts";
import { fixed, percentile, printLoad, printTable } from "../helpers/figures.ts";

const COUNT = 2_000;
const ROUNDS = 100;
const PAGES = COUNT / 100;

const stack = await startTestStack({ connect: false });
try {
  const none = await measure(stack);
  await fill(stack);
  const many = await measure(stack);
  printTable(
    ["", "no skill saved", `${COUNT} saved`],
    Object.keys(none).map((name) => [name, none[name] ?? "", many[name] ?? ""]),
  );
  printLoad();
} finally {
  await stack.stop();
}

/** Puts the index of so many skills into the store, as so many saves would have left it. */
async function fill({ stack: { server } }: TestStack): Promise<void> {
  const encoder = new TextEncoder();
  const skills: SkillIndex["skills"] = {};
  for (let n = 0; n < COUNT; n++) {
    const name = `report-${String(n).padStart(4, "0")}`;
    const input = {
      type: "object",
      required: ["day"],
      properties: { day: { type: "string" }, limit: { type: "integer" } },
    };
    const description = `Joins the orders of a day with the invoices of service ${n} and tells what is missing in either`;
    const manifest = encoder.encode(writeManifest({ name, description, input, apis: ["shop", "books"] }));
    const read = await readSkill(
      name,
      new Map([
        ["SKILL.md", manifest],
        ["main.ts", encoder.encode("return 1")],
      ]),
    );
    if (!read.ok) throw new Error("the skill is not valid");
    const version = {
      id: "0123456789abcdef-01234567",
      digest: "sha256:0",
      by: "ada",
      at: "2026-11-30T12:00:00.000Z",
      run: null,
    };
    skills[name] = { entry: read.entry, versions: [version] };
  }
  const bucket = await server.getR2Bucket("STORAGE", "codeforge");
  const text = JSON.stringify({ ...EMPTY_INDEX, skills });
  await bucket.put("skills/index.json", text);
  console.log(`the index of ${COUNT} skills has ${fixed(text.length / 1e6)} MB`);
}

/** Figures by what they are of. */
async function measure({ url }: TestStack): Promise<Record<string, string>> {
  const starts: number[] = [];
  for (let round = 0; round < ROUNDS / 10; round++) {
    const begun = performance.now();
    const client = new Client({ name: "bench", version: "1.0.0" }, { versionNegotiation: { mode: "legacy" } });
    await client.connect(new StreamableHTTPClientTransport(url));
    await client.listTools();
    await client.listPrompts();
    starts.push(performance.now() - begun);
    await client.close();
  }
  const client = new Client({ name: "bench", version: "1.0.0" }, { versionNegotiation: { mode: "legacy" } });
  await client.connect(new StreamableHTTPClientTransport(url));
  const start = JSON.stringify([client.getInstructions(), await client.listTools(), await client.listPrompts()]).length;
  const resources = await client.listResources();
  const completions = await timed(ROUNDS, () =>
    client.complete({ ref: { type: "ref/prompt", name: "run_skill" }, argument: { name: "name", value: "report-01" } }),
  );
  let cursor: string | undefined;
  const pages = await timed(PAGES, async () => {
    const answer = await messagesOf(await postModern(url, "skills/list", cursor === undefined ? {} : { cursor }));
    cursor = answer[0]?.result?.["nextCursor"] as string | undefined;
  });
  await client.close();
  const both = (times: readonly number[]): string =>
    `${fixed(percentile(times, 0.5), 1)} / ${fixed(percentile(times, 0.95), 1)}`;
  return {
    "session start, bytes": String(start),
    "session start, ms p50 / p95": both(starts),
    "resources listed": String(resources.resources.length),
    "completing a name, ms p50 / p95": both(completions),
    "a page of skills/list, ms p50 / p95": both(pages),
  };
}

async function timed(rounds: number, work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  await work();
  for (let round = 0; round < rounds; round++) {
    const begun = performance.now();
    await work();
    times.push(performance.now() - begun);
  }
  return times;
}

import { describe, expect, test } from "vitest";

import { collectSecrets } from "../../src/contract/secrets.ts";

const collect = (env: Record<string, unknown>): { values: Record<string, string>; problems: string[] } => {
  const { values, problems } = collectSecrets(env);
  return { values: Object.fromEntries(values), problems };
};

describe("collectSecrets", () => {
  test("takes single variables and the members of every SECRETS map", () => {
    const env = { A_KEY: "a", SECRETS: '{"B_KEY":"b"}', SECRETS_TWO: '{"C_KEY":"c","B_KEY":"b"}' };
    expect(collect(env)).toEqual({ values: { A_KEY: "a", B_KEY: "b", C_KEY: "c" }, problems: [] });
  });

  test("passes over bindings, the server's own variables and what is not set", () => {
    const env = {
      RUNS: {},
      YOLO_MODE: "true",
      REDACTING_STRINGS: "x",
      lower: "x",
      OTHER: { get() {} },
      EMPTY: "",
      SECRETS: "",
    };
    expect(collect(env)).toEqual({ values: {}, problems: [] });
  });

  test.each([
    { title: "a variable and a map", env: { A_KEY: "canary-1", SECRETS: '{"A_KEY":"canary-2","B_KEY":"b"}' } },
    { title: "two maps", env: { SECRETS_1: '{"A_KEY":"canary-1","B_KEY":"b"}', SECRETS_2: '{"A_KEY":"canary-2"}' } },
  ])("uses neither of two different values in $title", ({ env }) => {
    const { values, problems } = collect(env);
    expect(values).toEqual({ B_KEY: "b" });
    expect(problems).toEqual([expect.stringMatching(/^A_KEY has different values in .+ and SECRETS/)]);
    expect(problems.join()).not.toContain("canary");
  });

  test.each([
    { text: "{'A_KEY':'canary'}", problem: "SECRETS is not a JSON object" },
    { text: '["canary"]', problem: "SECRETS is not a JSON object" },
    { text: '"canary"', problem: "SECRETS is not a JSON object" },
    { text: "null", problem: "SECRETS is not a JSON object" },
    { text: '{"A_KEY":12}', problem: "SECRETS: A_KEY is not a text" },
    { text: '{"A_KEY":{"x":"canary"}}', problem: "SECRETS: A_KEY is not a text" },
    { text: '{"canary-value":"A_KEY"}', problem: "SECRETS: the key of member 1 is not a credential's name" },
    {
      text: '{"YOLO_MODE":"true"}',
      problem: "SECRETS: the key of member 1 is not a credential's name, or is reserved",
    },
  ])("refuses $text and shows nothing of it", ({ text, problem }) => {
    const { values, problems } = collect({ SECRETS: text });
    expect(values).toEqual({});
    expect(problems).toEqual([expect.stringContaining(problem)]);
    expect(problems.join()).not.toContain("canary");
  });

  test("keeps the good members of a map that has bad ones", () => {
    expect(collect({ SECRETS: '{"A_KEY":"a","b":"x"}' }).values).toEqual({ A_KEY: "a" });
  });
});

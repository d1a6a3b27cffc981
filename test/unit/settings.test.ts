/** The server's variables: read in any form that makes sense, refused by name and never by value. */
import { describe, expect, it } from "vitest";

import { isReservedName } from "../../src/contract/names.ts";
import { readSettings, SETTING_NAMES } from "../../src/contract/settings.ts";

const DEFAULTS = readSettings({}).settings;

describe("the settings", () => {
  it("have defaults, also for what is set to nothing", () => {
    const empty = Object.fromEntries(SETTING_NAMES.map((name) => [name, " "]));
    expect(readSettings(empty)).toEqual({ settings: DEFAULTS, problems: [] });
    expect(DEFAULTS).toMatchObject({ MAX_CONCURRENT_RUNS: 8, RESULT_TTL_HOURS: 24, HISTORY_RUNS: 500 });
  });

  it.each([
    ["a text", "12"],
    ["a text with room around it", " 12\n"],
    ["a number, as wrangler.toml may have it", 12],
  ])("take %s", (_, value) => {
    expect(readSettings({ MAX_CONCURRENT_RUNS: value }).settings.MAX_CONCURRENT_RUNS).toBe(12);
  });

  it.each(["0", "101", "-1", "1.5", "1e2", "0x10", "eight", 0.5, -1, true, null, {}])("refuse %j", (value) => {
    const { settings, problems } = readSettings({ MAX_CONCURRENT_RUNS: value });
    expect(settings).toEqual(DEFAULTS);
    expect(problems).toEqual(["MAX_CONCURRENT_RUNS: use a whole number from 1 to 100; without it, 8 is used"]);
  });

  it.each([
    ["true", true],
    [" TRUE ", true],
    ["1", true],
    [true, true],
    ["false", false],
    ["0", false],
    [false, false],
  ])("take %j as on or off", (value, isOn) => {
    expect(readSettings({ SKILLS_READ_ONLY: value })).toMatchObject({
      settings: { SKILLS_READ_ONLY: isOn },
      problems: [],
    });
  });

  it("refuse for on and off what is neither", () => {
    expect(readSettings({ SKILLS_READ_ONLY: "yes" }).problems).toEqual([
      "SKILLS_READ_ONLY: use true or false; without it, false is used",
    ]);
  });

  it("report all problems at once, keep what is valid, and never repeat a value", () => {
    const given = { HISTORY_DAYS: "sk_pasted", RESULT_TTL_HOURS: "sk_pasted", HISTORY_RUNS: "7", FORGE: {} };
    const { settings, problems } = readSettings(given);
    expect(problems.map((problem) => problem.split(":")[0])).toEqual(["RESULT_TTL_HOURS", "HISTORY_DAYS"]);
    expect(problems.join()).not.toContain("sk_pasted");
    expect(settings).toEqual({ ...DEFAULTS, HISTORY_RUNS: 7 });
  });

  it("reserve their names, so that no credential can be called like one", () => {
    expect(SETTING_NAMES.filter((name) => !isReservedName(name))).toEqual([]);
  });
});

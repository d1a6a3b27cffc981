/** Globs over paths, against the plainest reading of what they mean. */
import { expect, test } from "vitest";

import { matchesPaths, readPath } from "../../outbound-proxy/paths.ts";
import { createRandom } from "../helpers/random.ts";

const matches = (glob: string, path: string): boolean => {
  const readings = readPath(path);
  return readings !== null && matchesPaths([glob], readings);
};

/** What a glob means, as a regular expression; of `a`, `b`, `*` and `**` only. */
function toPattern(glob: string): RegExp {
  const parts = glob.split("/").filter((segment) => segment !== "");
  return new RegExp(
    `^${parts.map((part) => (part === "**" ? "(?:/[^/]+)*" : `/${part.replace("*", "[^/]*")}`)).join("")}$`,
  );
}

test("globs of all shapes match what they mean and nothing else", () => {
  const random = createRandom(41);
  const pick = (from: readonly string[], most: number): string =>
    Array.from({ length: random.below(most + 1) }, () => `/${random.pick(from)}`).join("");
  let matched = 0;
  for (let round = 0; round < 20_000; round++) {
    const glob = pick(["a", "b", "a*", "**", "**"], 5);
    const path = pick(["a", "b", "ab"], 6);
    expect(matches(glob, path), `${glob} on ${path}`).toBe(toPattern(glob).test(path));
    if (matches(glob, path)) matched++;
  }
  expect(matched).toBeGreaterThan(2_000);
});

test("T22: a path of many segments costs the proxy, which others share, no more than it is long", () => {
  const path = `/v1${"/a".repeat(100_000)}`;
  expect(matches("/v1/**", path)).toBe(true);
  expect(matches("/v1/**/z", path)).toBe(false);
  expect(matches("/**/a/**/a/**/z", path)).toBe(false);
});

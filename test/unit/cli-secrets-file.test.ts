import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { unstable_getVarsForDev } from "wrangler";

import { parseVars, setVar } from "../../src/cli/secrets-file.ts";
import { createRandom } from "../helpers/random.ts";

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "codeforge-vars-"));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** What wrangler itself makes of a `.dev.vars` file. */
function readWithWrangler(text: string): Record<string, unknown> {
  writeFileSync(join(dir, ".dev.vars"), text);
  const bindings = unstable_getVarsForDev(join(dir, "wrangler.toml"), undefined, {}, undefined, true);
  return Object.fromEntries(
    Object.entries(bindings).map(([name, binding]) => [name, "value" in binding && binding.value]),
  );
}

const VALUES = [
  "sk_live_4eC39HqLyjWDarjtT1zdp7dc",
  "two words",
  " edges ",
  "\ttab\t",
  "with#hash",
  "#",
  "it's",
  'say "hi"',
  "back`tick",
  `it's "both"`,
  "it's `both`",
  `'quoted'`,
  `"quoted"`,
  "`quoted`",
  "all ' three \" of ` them",
  "$HOME ${HOME} \\$HOME $$",
  "back\\slash",
  "ends in a backslash\\",
  "it's a backslash\\",
  "literal \\n and \\r",
  "line one\nline two\n",
  "-----BEGIN PRIVATE KEY-----\nMIIEvQ==\n-----END PRIVATE KEY-----\n",
  'line\'s one\nline "two"\n',
  "windows\r\nlines",
  "carriage\rreturn",
  '{"type":"service_account","private_key":"-----BEGIN-----\\nabc\\n"}',
  "a=b=c==",
  "KEY: value",
  "export X=1",
  "Grüße 🔑 \u2028",
  "\u0000\u0001",
  "x".repeat(6000),
];

describe("setVar", () => {
  test.each(VALUES)("writes %j so that wrangler reads it back, beside every other value", (value) => {
    const before = "# keep me\r\nA='it''s'\n\nexport B = \"x\\ny\" # note\nKEY=old # why\nC: `multi\nline`\n";
    for (const text of ["", "A=1", before, `${before}KEY = "second"\n`]) {
      const after = setVar(text, "KEY", value);
      expect(after).toBeDefined();
      expect(readWithWrangler(after!)).toEqual({ ...readWithWrangler(text), KEY: value });
    }
  });

  test.each([
    { text: "KEY=old # why\n", after: "KEY=new # why\n" },
    { text: "# top\n\n  export KEY = 'old'   # why\nB=2", after: "# top\n\n  export KEY = new   # why\nB=2" },
    { text: "KEY=\nB=2\n", after: "KEY=new\nB=2\n" },
    { text: "KEY= \nB=2\n", after: "KEY= new\nB=2\n" },
    { text: "KEY: old\r\nB=2\r\n", after: "KEY: new\r\nB=2\r\n" },
    { text: "B=2\r\n", after: "B=2\r\nKEY=new\r\n" },
    { text: "B=2", after: "B=2\nKEY=new\n" },
    { text: "KEY='a\nb'\nB=2\n", after: "KEY=new\nB=2\n" },
    { text: "KEY=first\nKEY=last\n", after: "KEY=first\nKEY=new\n" },
    { text: "#KEY=old\nMY_KEY=x\n", after: "#KEY=old\nMY_KEY=x\nKEY=new\n" },
  ])("changes the value in $text and not a byte more", ({ text, after }) => {
    expect(setVar(text, "KEY", "new")).toBe(after);
  });

  test("says so when the format cannot hold a value", () => {
    expect(setVar("", "KEY", "' \" ` #")).toBeUndefined();
  });

  test("never changes another value, whatever the file looks like", () => {
    const random = createRandom(7);
    const pick = (count: number, from: readonly string[]): string =>
      Array.from({ length: count }, () => random.pick(from)).join("");
    const pieces = [
      "A=",
      "KEY=",
      "B: ",
      "export C = ",
      "'",
      '"',
      "`",
      "\\",
      "#",
      "\n",
      "\r\n",
      " ",
      "$A",
      "x",
      "\\n",
      "=",
    ];
    let written = 0;
    for (let round = 0; round < 3_000; round++) {
      const text = pick(random.below(14), pieces);
      const value = pick(1 + random.below(6), pieces);
      expect(Object.fromEntries(parseVars(text)), JSON.stringify(text)).toEqual(readWithWrangler(text));
      const after = setVar(text, "KEY", value);
      if (after === undefined) continue;
      written++;
      expect(readWithWrangler(after), JSON.stringify({ text, value })).toEqual({
        ...readWithWrangler(text),
        KEY: value,
      });
    }
    expect(written).toBeGreaterThan(1_500);
  });
});

/**
 * Loops that ask, once in a while, whether the run's time is up. The platform ends a loop that never yields; the local
 * runtime does not, and would stand still for every run in its process. Recursion and regular expressions are out of
 * reach here.
 */
import type { Node, Program } from "acorn";
import { simple } from "acorn-walk";
import type { MagicString } from "magic-string";

/** Puts a check into the body of every loop and returns the module text that the checks need. */
export function guardLoops(program: Program, javascript: string, code: MagicString): string {
  const bodies: Node[] = [];
  const collect = ({ body }: { body: Node }): void => {
    bodies.push(body);
  };
  simple(program, {
    DoWhileStatement: collect,
    ForInStatement: collect,
    ForOfStatement: collect,
    ForStatement: collect,
    WhileStatement: collect,
  });
  if (bodies.length === 0) return "";

  let name = "turn";
  while (javascript.includes(name)) name += "_";
  // A check that throws leaves the count below zero: from then on every turn of every loop throws, caught or not.
  const check = `if (--${name} < 0) ${name} = ${name}Check();`;
  for (const body of bodies) {
    if (body.type === "BlockStatement") code.appendRight(body.start + 1, check);
    else {
      code.appendRight(body.start, `{${check}`);
      code.appendLeft(body.end, "}");
    }
  }
  return `import { check as ${name}Check } from "./clock.js"; let ${name} = 0;`;
}

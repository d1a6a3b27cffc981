/**
 * Loops and functions that ask, once in a while, whether the run's time is up: what ends a block that never yields
 * where nothing else would. Every loop passes its body, and every recursion, generator or chain of callbacks the
 * beginning of a function. A regular expression and other work inside the runtime pass neither and are out of reach.
 */
import type { ArrowFunctionExpression, Function, Node, Program } from "acorn";
import { simple } from "acorn-walk";
import type { MagicString } from "magic-string";

/** Puts a check into every loop and function, and returns the module text that the checks need. */
export function guard(program: Program, javascript: string, code: MagicString): string {
  let name = "turn";
  while (javascript.includes(name)) name += "_";
  // A check that throws leaves the count below zero: from then on every check throws, caught or not.
  const statement = `if (--${name} < 0) ${name} = ${name}Check();`;
  const expression = `--${name} < 0 && (${name} = ${name}Check())`;
  let count = 0;

  const guardStatement = (body: Node): void => {
    count += 1;
    if (body.type === "BlockStatement") code.appendRight(body.start + 1, statement);
    else {
      code.appendRight(body.start, `{${statement}`);
      code.appendLeft(body.end, "}");
    }
  };
  const guardLoop = ({ body }: { body: Node }): void => guardStatement(body);
  const guardFunction = ({ body }: Function | ArrowFunctionExpression): void => {
    if (body.type === "BlockStatement") return guardStatement(body);
    count += 1;
    code.appendRight(body.start, `(${expression}, `);
    code.appendLeft(body.end, ")");
  };
  simple(program, {
    DoWhileStatement: guardLoop,
    ForInStatement: guardLoop,
    ForOfStatement: guardLoop,
    ForStatement: guardLoop,
    WhileStatement: guardLoop,
    ArrowFunctionExpression: guardFunction,
    FunctionDeclaration: guardFunction,
    FunctionExpression: guardFunction,
  });
  return count === 0 ? "" : `import { check as ${name}Check } from "./clock.js"; let ${name} = 0;`;
}

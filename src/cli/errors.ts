/**
 * How a command fails. A `UserError` is something its user can put right: its message is all that is printed. Everything
 * else that is thrown is a fault of ours and is printed as one.
 */

/** Says what is wrong and what to do about it; exit code 1, no stack trace. Its message never carries a value. */
export class UserError extends Error {
  override readonly name = "UserError";
}

/** The `code` of an error of Node's (`ENOENT`, `EACCES`), or undefined for any other thrown thing. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

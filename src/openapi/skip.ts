/**
 * Why an operation is not mapped. A rule is thrown where it is met, deep inside one operation, and caught in exactly
 * one place, the loop over operations: one bad operation never costs the others.
 */

/** The closed set of rules by which an operation is skipped. */
export const SKIP_RULES = [
  "method_unsupported",
  "method_not_useful",
  "body_on_get",
  "security_unsupported",
  "host_not_allowed",
  "server_unresolvable",
  "unresolvable_ref",
  "excluded",
] as const;
export type SkipRule = (typeof SKIP_RULES)[number];

/** Thrown to skip the operation that is being compiled. */
export class Skip extends Error {
  readonly rule: SkipRule;

  constructor(rule: SkipRule, reason: string) {
    super(reason);
    this.name = "Skip";
    this.rule = rule;
  }
}

/**
 * The settings of the Worker `codeforge`: its variables, parsed once, all problems at once. It serves nothing until they
 * are mended; what is stored is kept by the defaults meanwhile.
 */
import { z } from "zod";

/** Every setting with its default. A variable is a text; what is empty counts as not set. */
const FIELDS = {
  /** Runs of one principal at the same time; more wait in line. */
  MAX_CONCURRENT_RUNS: wholeNumber(1, 100, 8),
  /** Runs of one principal that may wait in line. */
  MAX_QUEUED_RUNS: wholeNumber(0, 1_000, 100),
  /** Milliseconds that a run may compute: in one go where a supervisor enforces it, in all on the platform. */
  CPU_LIMIT_MS: wholeNumber(100, 300_000, 10_000),
  /** Requests that one run may send. */
  MAX_REQUESTS_PER_RUN: wholeNumber(1, 10_000, 1_000),
  /** Hours for which a result that was cut is kept whole; 0 keeps none. */
  RESULT_TTL_HOURS: wholeNumber(0, 8_760, 24),
  /** Runs of one principal that its history holds; 0 keeps none. */
  HISTORY_RUNS: wholeNumber(0, 10_000, 500),
  /** Days after which a run leaves the history. */
  HISTORY_DAYS: wholeNumber(1, 3_650, 30),
  /** Rows that the audit holds, and days after which they leave it. */
  AUDIT_ROWS: wholeNumber(1_000, 1_000_000, 100_000),
  AUDIT_DAYS: wholeNumber(1, 3_650, 90),
  /** Whether nobody may save, change or remove skills. */
  SKILLS_READ_ONLY: onOff(false),
} as const;

const Settings = z.object(FIELDS);
export type Settings = z.infer<typeof Settings>;
export type SettingName = keyof Settings;

/** The variables' names, in the order of the documentation. */
export const SETTING_NAMES: readonly string[] = Object.keys(FIELDS);

export interface SettingsResult {
  /** Defaults stand in for what is not valid. */
  readonly settings: Settings;
  /** One line for each variable that is not valid: its name and what it takes, never the value. */
  readonly problems: readonly string[];
}

/** Reads the settings among other variables and bindings. */
export function readSettings(env: Readonly<Record<string, unknown>>): SettingsResult {
  const given = Object.fromEntries(SETTING_NAMES.map((name) => [name, env[name]]));
  const parsed = Settings.safeParse(given);
  if (parsed.success) return { settings: parsed.data, problems: [] };
  const broken = new Set(parsed.error.issues.map(({ path }) => path[0]));
  const valid = Object.fromEntries(Object.entries(given).filter(([name]) => !broken.has(name)));
  return {
    settings: Settings.parse(valid),
    problems: parsed.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`),
  };
}

/** Takes what a variable may hold: a text, or a number of `wrangler.toml`. */
function wholeNumber(min: number, max: number, byDefault: number): z.ZodType<number> {
  const error = `use a whole number from ${min} to ${max}; without it, ${byDefault} is used`;
  const text = z.union([z.string(), z.number()], error).transform((value) => String(value).trim() || String(byDefault));
  const number = z
    .string()
    .regex(/^\d{1,9}$/, error)
    .transform(Number)
    .pipe(z.number().min(min, error).max(max, error));
  return text.default(String(byDefault)).pipe(number);
}

/** Takes `true` or `false`, in any case, or 1 or 0. */
function onOff(byDefault: boolean): z.ZodType<boolean> {
  const error = `use true or false; without it, ${byDefault} is used`;
  return z
    .union([z.string(), z.boolean()], error)
    .transform((value) => String(value).trim().toLowerCase())
    .pipe(z.enum(["true", "1", "false", "0", ""], error))
    .transform((word) => (word === "" ? byDefault : word === "true" || word === "1"))
    .default(byDefault);
}

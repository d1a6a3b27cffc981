/**
 * `apis/<name>/config.json`: the one description of an API that people write. The schema is strict and reports every
 * issue at once; `toApi` turns a valid config into the form the Workers use. Values of credentials have no place here.
 */
import { z } from "zod";

import { parseDomain, toDomainText, type DomainPattern } from "./domains.ts";
import { CredentialName } from "./names.ts";

/** Methods a run may send wherever no rule of an API says otherwise. */
export const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;

/**
 * Methods that leave only where `methods` of an API names them; any other is never let out. Not among them are COPY and
 * MOVE, which name a second resource in a header, where no rule for hosts and paths would see it.
 */
export const FURTHER_METHODS = [
  "QUERY",
  "PROPFIND",
  "PROPPATCH",
  "REPORT",
  "SEARCH",
  "MKCOL",
  "LOCK",
  "UNLOCK",
  "PURGE",
] as const;

const Method = oneOf(METHODS);
const AnyMethod = oneOf([...METHODS, ...FURTHER_METHODS]);

function oneOf<const M extends string>(methods: readonly M[]) {
  const message = `use one of ${methods.join(", ")}`;
  return z
    .string(message)
    .meta({ enum: [...methods] })
    .transform((method) => method.toUpperCase())
    .pipe(z.enum(methods, message));
}

const Flag = z.boolean("use true or false");

const PLACE_FORM = 'use "header", "header:<name>", "query:<key>", "path" or "body:<field>"';
const PLACE = /^(?:header|path|header:[A-Za-z0-9!#$%&'*+.^_`|~-]+|query:[^\s&=#]+|body:[^\s]+)$/;

/**
 * Where a credential's name may be replaced by its value. `header` is the default: `Authorization` (Basic decoded and
 * encoded again) and key-like headers whose whole value is `[scheme ]NAME`. Every other place is opened by naming it.
 */
export const Place = z
  .string(PLACE_FORM)
  .regex(PLACE, PLACE_FORM)
  .meta({ examples: ["header", "header:x-api-key", "query:api_key", "path", "body:client_secret"] });

/** A path rule: literal segments, `*` inside a segment, `**` as a segment for any number of them, none included. */
const PathGlob = z
  .string()
  .regex(/^\/[^\s?#\\%;]*$/, "write a path such as /v1/customers/** (decoded, without query)")
  .refine((glob) => !/\/\/|\/\.\.?(?:\/|$)/.test(glob), 'leave "//", "." and ".." out of the path')
  .refine((glob) => !/[^/]\*\*|\*\*[^/]/.test(glob), '"**" stands for whole segments: /v1/**, not /v1**');

const CredentialEntry = z.strictObject({
  name: CredentialName,
  in: z
    .array(Place, 'use a list of places: ["header"]')
    .min(1, 'name at least one place, or leave "in" away for the default')
    .default(["header"])
    .describe("Where the name is replaced by its value; the default is Authorization and key-like headers."),
  kind: z.literal("static", 'only "static" is known').default("static"),
  shared: Flag.default(false).describe("A name has one owner; a second API may use it only when both configs say so."),
  sensitive: Flag.default(true).describe(
    "False for user names and account ids: sent, but not looked for in responses.",
  ),
});

const Credential = z.union([CredentialName.transform((name) => CredentialEntry.parse({ name })), CredentialEntry], {
  error: (issue) =>
    typeof issue.input === "string"
      ? "use the credential's NAME (3 to 64 of A-Z, 0-9 and _), never its value, and no name of the server's own"
      : 'use "NAME" or { "name": "NAME", "in": […] } (also known: "kind", "shared", "sensitive")',
});

const Credentials = z.array(Credential, {
  error: (issue) =>
    typeof issue.input === "object" && issue.input !== null
      ? "values do not belong in this file: run `npx codeforge secret move <api>`, which moves them to outbound-proxy/.dev.vars and leaves their names"
      : 'use a list of names: ["STRIPE_AUTH_TOKEN"]',
});

const Domain = z
  .string('write a host in quotes, such as "api.example.com"')
  .transform((text, context): DomainPattern => {
    const parsed = parseDomain(text);
    if (parsed.ok) return parsed.pattern;
    context.addIssue({ code: "custom", message: parsed.reason });
    return z.NEVER;
  });

const DESCRIBE_IT = "say in a few words what the API is for";

const Names = z.array(z.string().min(1)).min(1, "name at least one, or leave it away");

/** Conditions on an operation: every one that is given has to hold, by one of its values. */
const OperationFilter = z.strictObject({
  tags: Names.optional(),
  groups: Names.optional(),
  paths: Names.optional().describe("Globs: * is one segment, ** any number."),
  methods: Names.optional(),
  operationIds: Names.optional(),
  deprecated: Flag.optional(),
});

const OperationFilters = z.array(OperationFilter, 'use a list of filters: [{ "tags": ["issues"] }]');

/** Most operations that one list may be allowed to have. */
const MAX_TOOL_LIMIT = 5_000;

const Tools = z.strictObject({
  include: OperationFilters.min(1, "name at least one filter, or leave it away").optional(),
  exclude: OperationFilters.optional(),
  limit: z
    .number()
    .int()
    .min(1)
    .max(MAX_TOOL_LIMIT, `use at most ${MAX_TOOL_LIMIT}`)
    .optional()
    .describe("Most operations that are listed as tools; more are behind search, describe and call. Default 40."),
});

const RedirectHost = Domain.refine(
  ({ scheme }) => scheme === "https",
  "redirects are followed to https hosts only; leave http:// out",
);

/** The schema of `config.json`. Its input side is what people write; its output has every default filled in. */
export const ApiConfig = z.strictObject(
  {
    $schema: z.string("use the address of the JSON Schema").optional(),
    description: z
      .string(DESCRIBE_IT)
      .min(1, DESCRIBE_IT)
      .max(1_000, "use 1,000 characters at most")
      .describe("What the API is for, in a few words; models read it."),
    domains: z
      .array(Domain, 'use a list of hosts: ["api.example.com"]')
      .min(1, "name at least one host")
      .describe('Hosts the API is at: "api.example.com", "*.example.com", "http://127.0.0.1:9000".'),
    credentials: Credentials.default([]).describe("Names of credentials; their values are kept elsewhere."),
    reference: z
      .url({ protocol: /^https$/, error: "use an https:// URL, or null" })
      .nullable()
      .default(null)
      .describe("Documentation; its host may be read (GET, HEAD) without credentials."),
    restricted_methods: z
      .array(Method, 'use a list of methods: ["DELETE"]')
      .default([])
      .describe("Methods that may not be used; none named means all may."),
    methods: z
      .array(AnyMethod, 'use a list of methods: ["GET", "POST"]')
      .default([])
      .describe("The only methods that are let out; none named lets out all that are not restricted."),
    paths: z
      .array(PathGlob, 'use a list of paths: ["/v1/**"]')
      .default([])
      .describe("The only paths that are let out, as globs; none named lets out all."),
    read_only_paths: z
      .array(PathGlob, 'use a list of paths: ["/v1/search"]')
      .default([])
      .describe("Paths where POST is a read (a search, a query), so that read-only runs may send it."),
    graphql: PathGlob.refine((path) => !path.includes("*"), 'name one path, such as "/graphql"')
      .nullable()
      .default(null)
      .describe("The path of a GraphQL endpoint: read-only runs may POST queries to it, and nothing else."),
    redirect_hosts: z
      .array(RedirectHost, 'use a list of hosts: ["*.example-cdn.com"]')
      .default([])
      .describe("Hosts that this API's answers may redirect to; they are read (GET, HEAD) without credentials."),
    mask_new_secrets: Flag.default(false).describe(
      "True replaces what looks like a freshly made key or token (GitHub, Stripe, AWS, JWT, …) by [SECRET:kind] in answers; code cannot use it then.",
    ),
    tools: Tools.default({}).describe("Which operations of its OpenAPI document are tools at /mcp/<api>; default all."),
    active: Flag.default(true).describe("False hides the API and closes its domains."),
  },
  {
    error: (issue) =>
      issue.code === "invalid_type" ? 'use an object: { "description": "…", "domains": ["…"] }' : undefined,
  },
);
export type ApiConfig = z.infer<typeof ApiConfig>;

/** What may be written in `config.json`. */
export type ApiConfigInput = z.input<typeof ApiConfig>;

/** One credential of an API, with its defaults filled in. */
export type Credential = z.infer<typeof CredentialEntry>;

/** One thing wrong with a config: where, and what to do about it. Never carries what was written there. */
export interface ConfigIssue {
  readonly path: string;
  readonly message: string;
}

export type ConfigResult =
  | { readonly ok: true; readonly config: ApiConfig }
  | { readonly ok: false; readonly issues: readonly ConfigIssue[] };

/** Parses one config and reports every issue at once, each with its path. */
export function parseConfig(input: unknown): ConfigResult {
  const parsed = ApiConfig.safeParse(input);
  if (!parsed.success) return { ok: false, issues: parsed.error.issues.flatMap(toIssues) };
  const seen = new Set<string>();
  const issues: ConfigIssue[] = [];
  for (const [index, { name }] of parsed.data.credentials.entries()) {
    if (seen.has(name)) issues.push({ path: `credentials[${index}]`, message: `${name} is listed twice` });
    seen.add(name);
  }
  return issues.length > 0 ? { ok: false, issues } : { ok: true, config: parsed.data };
}

const UNKNOWN = "unrecognized_keys";

function toIssues(issue: z.core.$ZodIssue): ConfigIssue[] {
  if (issue.code === "invalid_union") {
    // Of the two ways to write a credential, the one that was meant: its issues are inside what was written.
    const meant = issue.errors.find((errors) => errors.every(({ path, code }) => path.length > 0 || code === UNKNOWN));
    if (meant) return meant.flatMap((nested) => toIssues({ ...nested, path: [...issue.path, ...nested.path] }));
  }
  const path = issue.path.reduce<string>(
    (text, key) => (typeof key === "number" ? `${text}[${key}]` : text === "" ? String(key) : `${text}.${String(key)}`),
    "",
  );
  if (issue.code !== UNKNOWN) return [{ path, message: issue.message }];
  const known = Object.keys((issue.path[0] === "credentials" ? CredentialEntry : ApiConfig).shape).join(", ");
  const message = `unknown ${issue.keys.map((key) => JSON.stringify(key)).join(", ")}; known: ${known}`;
  return [{ path, message }];
}

/** The domains of a config as text, for people and models. */
export function domainTexts(config: ApiConfig): string[] {
  return config.domains.map(toDomainText);
}

/**
 * What the command line and the routes under `/admin` say to each other, as JSON. Nothing here holds a value of a
 * credential; a token's text is answered once, when it is made.
 */
import { z } from "zod";

import { ApiName } from "./names.ts";
import { SCOPES } from "./scopes.ts";

const NAME = /^[a-z0-9][a-z0-9._@-]{0,63}$/;
const NAME_FORM = "use 1 to 64 lower-case letters, digits and . _ @ -, starting with a letter or digit";

/** The name of a token or a principal. */
export const PersonName = z.string().regex(NAME, NAME_FORM);

/** Longest life of a token that expires, in days. */
const MAX_DAYS = 3_650;

/** `POST /admin/tokens`. */
export const NewToken = z.strictObject({
  name: PersonName,
  /** Whose it is; the name if absent. */
  principal: PersonName.optional(),
  scopes: z
    .array(z.enum(SCOPES))
    .min(1, `name at least one of ${SCOPES.join(", ")}`)
    .default(["run"]),
  /** Null: every active API. */
  apis: z.array(ApiName).min(1, "name at least one API, or leave it out for all").nullable().default(null),
  expiresInDays: z.number().positive().max(MAX_DAYS).nullable().default(null),
});
export type NewToken = z.infer<typeof NewToken>;

/** `active` tokens open; `disabled` ones can be enabled again, `revoked` ones cannot. */
export const TOKEN_STATES = ["active", "disabled", "revoked"] as const;
export type TokenState = (typeof TOKEN_STATES)[number];

/** A token as it is listed. Times are epoch milliseconds. */
export const TokenRecord = z.object({
  id: z.string(),
  name: z.string(),
  principal: z.string(),
  scopes: z.array(z.enum(SCOPES)),
  apis: z.array(z.string()).nullable(),
  createdMs: z.number(),
  expiresMs: z.number().nullable(),
  /** Ten minutes coarse. */
  usedMs: z.number().nullable(),
  state: z.enum(TOKEN_STATES),
});
export type TokenRecord = z.infer<typeof TokenRecord>;

/** What `POST /admin/tokens` answers: the only time that the token itself is seen. */
export const CreatedToken = z.object({ token: z.string(), record: TokenRecord });
export type CreatedToken = z.infer<typeof CreatedToken>;

/** `GET /admin/tokens`. */
export const TokenList = z.object({ tokens: z.array(TokenRecord) });

/** `POST /admin/tokens/<name>`: the kill switch of a token. Revoking is for good. */
export const TokenChange = z.strictObject({ state: z.enum(TOKEN_STATES) });

/** `GET /admin/apis`: every API that is part of the deployment, and whether the kill switch has closed it. */
export const ApiList = z.object({ apis: z.array(z.object({ name: z.string(), disabled: z.boolean() })) });
export type ApiList = z.infer<typeof ApiList>;

/** `POST /admin/apis/<name>`: the kill switch of an API. */
export const ApiChange = z.strictObject({ disabled: z.boolean() });

/** What the audit knows of. */
export const AUDIT_ACTIONS = ["run", "token.create", "token.change", "api.switch", "skill.change"] as const;

/** One row of the audit. `token` and `credentials` are names; `address` is null where nobody vouches for one. */
export const AuditRow = z.object({
  id: z.number().int(),
  atMs: z.number(),
  principal: z.string(),
  token: z.string().nullable(),
  address: z.string().nullable(),
  action: z.enum(AUDIT_ACTIONS),
  subject: z.string(),
  run: z.string().nullable(),
  credentials: z.array(z.string()),
  detail: z.string().nullable(),
});
export type AuditRow = z.infer<typeof AuditRow>;

/** `GET /admin/audit?limit&after`: the oldest first. */
export const AuditList = z.object({ rows: z.array(AuditRow) });
export type AuditList = z.infer<typeof AuditList>;

/** `GET /admin/whoami`: any token may ask. */
export const WhoAmI = z.object({
  principal: z.string(),
  scopes: z.array(z.enum(SCOPES)),
  apis: z.array(z.string()).nullable(),
  token: z.string().nullable(),
  version: z.string(),
});
export type WhoAmI = z.infer<typeof WhoAmI>;

/** Every refusal: `code` is a word of ours, `message` says what to do. */
export const AdminError = z.object({
  error: z.object({ code: z.union([z.string(), z.number()]), message: z.string() }),
});

/**
 * What a deployment's Workers and buckets are called on the account. The names of the `wrangler.toml` files are those of
 * the one usual deployment; a prefix and an environment make others, so that several can live on one account.
 */
import { createHash } from "node:crypto";

import { UserError } from "../errors.ts";

/** Which deployment is meant. */
export interface DeploymentId {
  /** In front of every name. */
  readonly prefix?: string | undefined;
  /** Behind every name, as wrangler does it; `[env.<name>]` of the `wrangler.toml` files is laid over their top level. */
  readonly env?: string | undefined;
}

const PART = /^[a-z0-9](?:[a-z0-9-]{0,14}[a-z0-9])?$/;

/** `codeforge` → `acme-codeforge-staging`. */
export function toDeployedName(base: string, { prefix, env }: DeploymentId): string {
  return [prefix, base, env].filter((part) => part !== undefined).join("-");
}

/** Namespaces of rate limits in a `wrangler.toml` are below this; what is above is a deployment's. */
const NAMESPACES = 10_000;

/** How many deployments can be told apart, so that every number stays within 31 bits. */
const DEPLOYMENTS = 200_000;

/**
 * The namespace of a rate limit's counters, which all Workers of an account share that name the same number: `7301` of
 * the usual deployment, and another number, always the same, for one with a prefix or an environment.
 */
export function toNamespaceId(base: string, id: DeploymentId): string {
  if (id.prefix === undefined && id.env === undefined) return base;
  const hash = createHash("sha256").update(toDeployedName("/", id)).digest().readUInt32BE(0);
  return String(((hash % DEPLOYMENTS) + 1) * NAMESPACES + Number(base));
}

/**
 * Checks what was given on the command line.
 *
 * @throws UserError if a name of a Worker or a bucket could not be made of it.
 */
export function requireDeploymentId({ prefix, env }: DeploymentId): void {
  for (const [flag, part] of Object.entries({ "--prefix": prefix, "--env": env })) {
    if (part === undefined || PART.test(part)) continue;
    throw new UserError(`${flag}: use 1 to 16 lower-case letters, digits and dashes, with no dash at either end`);
  }
}

/** The flags that name this deployment again, for what a user is told to run. */
export function toFlags({ prefix, env }: DeploymentId): string {
  const flags = [prefix === undefined ? "" : ` --prefix ${prefix}`, env === undefined ? "" : ` --env ${env}`];
  return flags.join("");
}

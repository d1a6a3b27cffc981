/**
 * Which headers carry a key by their very name, so that a credential's name as their whole value is meant to be
 * replaced. An allow-list by form, and the well-known names that the form does not reach. What an upstream may store
 * or repeat (`x-amz-meta-token`, `idempotency-key`, `x-csrf-token`) has neither.
 */

/** `[x-][vendor-]<what it opens>-<key|token|secret>`, with one word at most for the vendor. */
const KEY_HEADER =
  /^(?:x-)?(?:(?!meta-)[a-z0-9]+-)?(?:api|auth|access|private|secret|app|application|subscription|service|admin|master|account|server|client)-?(?:key|token|secret)$/;

const WELL_KNOWN = new Set([
  "key",
  "token",
  "x-auth",
  "x-authorization",
  "x-token",
  "circle-token",
  "deploy-token",
  "fastly-key",
  "job-token",
  "ocp-apim-subscription-key",
  "x-bullhorn-rest-token",
  "x-cg-demo-api-key",
  "x-cg-pro-api-key",
  "x-cmc_pro_api_key",
  "x-consul-token",
  "x-figma-token",
  "x-functions-key",
  "x-gitlab-token",
  "x-honeycomb-team",
  "x-nomad-token",
  "x-parse-master-key",
  "x-parse-rest-api-key",
  "x-plex-token",
  "x-rapidapi-key",
  "x-trackertoken",
  "x-vault-token",
]);

/** Whether a header (in lower case) exists to carry a key. */
export function isKeyHeader(name: string): boolean {
  return WELL_KNOWN.has(name) || KEY_HEADER.test(name);
}

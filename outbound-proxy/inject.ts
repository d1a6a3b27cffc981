/**
 * Step 3: credential names become values, only for the APIs this request goes to and only in the places that their
 * configs open. Everywhere else a name is ordinary text and stays. Pure but for reading the body.
 */
import type { Denial } from "./denial.ts";
import type { RequestBody } from "./body.ts";
import { injectBody, type BodyRequest } from "./inject/body.ts";
import { injectHeaders } from "./inject/headers.ts";
import { Substitution, type InjectableCredential, type LeftName } from "./inject/substitution.ts";
import { injectUrl } from "./inject/url.ts";

export type { InjectableCredential, LeftName } from "./inject/substitution.ts";
export { checkValue } from "./inject/values.ts";

/** A request after redaction, with the headers of `buildHeaders`. */
export interface InjectRequest extends BodyRequest {
  readonly url: URL;
  readonly method: string;
}

export type Injection =
  | {
      readonly ok: true;
      readonly url: string;
      readonly headers: Headers;
      /** The stream that was given when nothing was to be looked at; bytes when something was. */
      readonly body: RequestBody;
      readonly injected: readonly string[];
      readonly left: readonly LeftName[];
    }
  | { readonly ok: false; readonly denial: Denial };

/**
 * Puts values in.
 * @param own the credentials of the decision's `grants`
 * @param foreignNames the names of every other API, so that it can be said when one goes out as it stands
 */
export async function inject(
  request: InjectRequest,
  own: readonly InjectableCredential[],
  foreignNames: readonly string[],
): Promise<Injection> {
  // OPTIONS is answered by whatever stands before an API, and asks for nothing that needs a credential.
  const usable = request.method === "OPTIONS" ? own.map(close) : own;
  const substitution = new Substitution(usable, foreignNames);
  const url = injectUrl(request.url, substitution);
  const headers = injectHeaders(request.headers, substitution);
  const body = await injectBody(request, substitution);
  if (substitution.denial !== null) return { ok: false, denial: substitution.denial };
  return { ok: true, url, headers, body, injected: substitution.injected, left: substitution.left };
}

function close({ credential, value }: InjectableCredential): InjectableCredential {
  return { credential: { ...credential, in: [] }, value };
}

/**
 * Domains under which strangers get hosts of their own. A wildcard over one of them would hand an API's credentials to
 * whoever registers a host there. Common ones only: the list warns, it does not decide.
 */
import type { DomainPattern } from "../contract/domains.ts";

/** Anyone can have `<label>.<domain>`; what is below a label belongs to one owner. */
const SHARED = new Set(
  `workers.dev pages.dev r2.dev vercel.app netlify.app onrender.com fly.dev herokuapp.com railway.app up.railway.app
  deno.dev web.app firebaseapp.com appspot.com run.app cloudfunctions.net github.io gitlab.io githubusercontent.com
  azurewebsites.net azureedge.net azure-api.net blob.core.windows.net cloudfront.net digitaloceanspaces.com
  ondigitalocean.app supabase.co ngrok.io ngrok.app ngrok-free.app ngrok-free.dev trycloudflare.com loca.lt surge.sh
  glitch.me repl.co replit.app replit.dev myshopify.com zendesk.com atlassian.net my.salesforce.com
  co.uk org.uk com.au co.jp co.nz com.br co.in co.za com.cn com.mx`.split(/\s+/),
);

/** Anyone can have hosts at any depth below: regions and services come before the owner's label. */
const SHARED_AT_ANY_DEPTH = ["amazonaws.com", "amazonaws.com.cn", "core.windows.net", "googleapis.com", "on.aws"];

/** Whether a pattern is a wildcard that strangers' hosts match too. */
export function coversStrangers({ match, host }: DomainPattern): boolean {
  if (match === "exact") return false;
  return SHARED.has(host) || SHARED_AT_ANY_DEPTH.some((shared) => host === shared || host.endsWith(`.${shared}`));
}

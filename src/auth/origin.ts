/**
 * The defence of a loopback server against pages in the user's browser: DNS rebinding shows in `Host`, other sites in
 * `Origin`. Both must name loopback; a client that is no browser sends no `Origin`.
 */

const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i;

/** Whether a `Host` header names this machine. */
export function isAllowedHost(host: string | undefined): boolean {
  return host !== undefined && LOOPBACK.test(host);
}

/** Whether an `Origin` header is absent or a page served from this machine (the MCP inspector, for one). */
export function isAllowedOrigin(origin: string | undefined): boolean {
  if (origin === undefined) return true;
  const [, authority] = /^https?:\/\/(.+)$/i.exec(origin) ?? [];
  return authority !== undefined && LOOPBACK.test(authority);
}

/** Fetches what it is asked for and sanitizes the answer, in the runtime where that happens. */
import { createScrubber } from "./outbound-proxy/sanitize/scrubber.ts";
import { sanitize } from "./outbound-proxy/sanitize/sanitize.ts";

// oxlint-disable-next-line import/no-default-export -- the shape of a Worker
export default {
  async fetch(request) {
    const url = new URL(request.url);
    const upstream = url.searchParams.get("url");
    const value = url.searchParams.get("value");
    const response = await fetch(upstream, { method: request.method, redirect: "manual" });
    const outcome = await sanitize(response, {
      method: request.method,
      scrubber: value === null ? null : createScrubber([{ name: "THE_NAME", value }]),
      sent: new Set(),
      onNames: () => {},
    });
    return outcome.ok ? outcome.response : Response.json(outcome, { status: 502 });
  },
};

/** Fetches what it is asked for and passes the answer on, sanitized, in the runtime where that happens. */
import { createPump } from "./outbound-proxy/pump.ts";
import { createScrubber } from "./outbound-proxy/sanitize/scrubber.ts";
import { sanitize } from "./outbound-proxy/sanitize/sanitize.ts";

/** How the bodies that streamed have ended, in order. */
const endings = [];

// oxlint-disable-next-line import/no-default-export -- the shape of a Worker
export default {
  async fetch(request, _env, ctx) {
    const url = new URL(request.url);
    if (url.pathname === "/endings") return Response.json(endings.splice(0));
    const upstream = url.searchParams.get("url");
    const value = url.searchParams.get("value");
    const maxBytes = Number(url.searchParams.get("max") ?? Infinity);
    // What else goes on in a request keeps its connections, so that the pump alone can end them.
    ctx.waitUntil(scheduler.wait(Number(url.searchParams.get("hold") ?? 0)));
    const response = await fetch(upstream, { method: request.method, redirect: "manual" });
    const outcome = await sanitize(response, {
      method: request.method,
      scrubber: value === null ? null : createScrubber([{ name: "THE_NAME", value }]),
      sent: new Set(),
      onNames: () => {},
      pass: (body, filter, length) => {
        const { readable, start } = createPump(body, { filter, length, maxBytes });
        start((how, bytes) => endings.push({ how, bytes }));
        return readable;
      },
    });
    return outcome.ok ? outcome.response : Response.json(outcome, { status: 502 });
  },
};

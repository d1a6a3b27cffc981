// Stands in for the proxy: writes down what it is asked for, then asks the upstream itself.
import { WorkerEntrypoint } from "cloudflare:workers";

export class Forwarder extends WorkerEntrypoint {
  async forward(request, runId) {
    await this.env.NOTES.getByName(runId).add(`${request.method} ${request.url}`);
    if (request.headers.has("upgrade")) return new Response("refused", { status: 403 });
    return fetch(request, { redirect: "manual" });
  }
}

export default { fetch: () => new Response(null, { status: 404 }) };

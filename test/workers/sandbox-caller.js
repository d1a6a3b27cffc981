// Calls the sandbox the way the server does, and writes down what came back while the code ran.
import { DurableObject, RpcTarget } from "cloudflare:workers";

class Control extends RpcTarget {
  logs = [];
  progress = [];
  #end;
  #ended = new Promise((resolve) => (this.#end = resolve));
  begun() {}
  ended() {
    return this.#ended;
  }
  async onLogs(lines) {
    // An owner takes its time; what it was given before the outcome, it has when the outcome comes.
    await new Promise((resolve) => setTimeout(resolve, 20));
    this.logs.push(...lines);
  }
  onProgress(text) {
    this.progress.push(text);
  }
  end() {
    this.#end();
  }
}

// What the proxy saw of one run, by the run's id.
export class Notes extends DurableObject {
  #seen = [];
  add(note) {
    this.#seen.push(note);
  }
  all() {
    return this.#seen;
  }
}

export default {
  async fetch(request, env) {
    const { code, timeoutMs = 5_000, credentials = [], debug = false, endAfterMs, lingerMs = 0 } = await request.json();
    const runId = crypto.randomUUID();
    const control = new Control();
    if (endAfterMs !== undefined) setTimeout(() => control.end(), endAfterMs);
    const started = Date.now();
    const outcome = await env.SANDBOX.run({ runId, code, timeoutMs, credentials, debug }, control);
    const ms = Date.now() - started;
    control.end();
    const during = (await env.NOTES.getByName(runId).all()).length;
    if (lingerMs > 0) await new Promise((resolve) => setTimeout(resolve, lingerMs));
    const seen = await env.NOTES.getByName(runId).all();
    return Response.json({
      outcome,
      logs: control.logs,
      progress: control.progress,
      seen,
      after: seen.length - during,
      runId,
      ms,
    });
  },
};

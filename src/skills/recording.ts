/**
 * Recording the requests of a run, and answering them from a recording. Both stand where the code stands: before names
 * become values, and after values became names again. So a recording holds none, and a replay needs no API.
 */
import { HostCallError, type HostCalls } from "../code/host-calls.ts";
import { Exchange, RecordedRequest, type RecordedResponse } from "../contract/skills.ts";

/** Most of one recording, in characters of JSON. */
const MAX_RECORDING = 4 * 1024 * 1024;

/** What a recording leaves out: what is of this one answer, and cookies. */
const LEFT_OUT = new Set([
  "age",
  "cf-ray",
  "connection",
  "date",
  "keep-alive",
  "server",
  "set-cookie",
  "transfer-encoding",
]);

/** Takes what is sent and answered during a run. */
export class Recorder {
  readonly mode = "record";
  readonly exchanges: Exchange[] = [];
  #length = 0;

  record({ request, response }: Exchange): void {
    const headers = Object.fromEntries(Object.entries(response.headers).filter(([name]) => !LEFT_OUT.has(name)));
    const exchange = { request, response: { ...response, headers } };
    this.#length += JSON.stringify(exchange).length;
    if (this.#length > MAX_RECORDING)
      throw new HostCallError(`a recording has ${MAX_RECORDING} characters at most: record a smaller case`);
    this.exchanges.push(exchange);
  }
}

/** Answers what is asked during a run, each exchange once, in the order of the recording. */
export class Replay {
  readonly mode = "replay";
  readonly #left: Exchange[];

  constructor(exchanges: readonly Exchange[]) {
    this.#left = [...exchanges];
  }

  replay(request: RecordedRequest): RecordedResponse {
    const index = this.#left.findIndex((exchange) => isSame(exchange.request, request));
    const [found] = index === -1 ? [] : this.#left.splice(index, 1);
    if (found !== undefined) return found.response;
    const left = this.#left.map((exchange) => `\n  ${exchange.request.method} ${exchange.request.url}`).join("");
    throw new HostCallError(
      `${request.method} ${request.url} is not in the recording${left === "" ? "" : `, which still has:${left}`}`,
    );
  }

  /** What nobody asked for. */
  get left(): readonly Exchange[] {
    return this.#left;
  }
}

function isSame(a: RecordedRequest, b: RecordedRequest): boolean {
  return a.method === b.method && a.url === b.url && (a.body ?? "") === (b.body ?? "");
}

/** What the isolate of a run that is recorded, or replayed, calls. */
export const HTTP_CALLS: HostCalls = {
  "http.record": async (argument, { context }) => {
    if (context.http?.mode === "record") context.http.record(Exchange.parse(argument));
  },
  "http.replay": async (argument, { context }) => {
    if (context.http?.mode !== "replay") throw new HostCallError("nothing is replayed in this run");
    return context.http.replay(RecordedRequest.parse(argument));
  },
};

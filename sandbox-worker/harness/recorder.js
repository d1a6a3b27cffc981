// Stands in for fetch in a run that is recorded, or answered from a recording. Both happen where the code stands, so that
// what is written down holds names of credentials and no value.
import { host } from "./host.js";
import { classes } from "./primordials.js";

const NO_BODY = [101, 204, 205, 304];

/** Replaces fetch; `mode` is "record" or "replay". */
export function installRecorder(scope, mode) {
  const send = scope.fetch;
  scope.fetch = async function fetch(input, init) {
    const request = new classes.Request(input, init);
    const text = await request.clone().text();
    const asked = { method: request.method, url: request.url, ...(text === "" ? {} : { body: text }) };
    if (mode === "replay") return toResponse(await host.call("http.replay", asked), request.url);
    const response = await send(request);
    const { status, headers } = response;
    const body = pack(new classes.Uint8Array(await response.clone().arrayBuffer()));
    await host.call("http.record", {
      request: asked,
      response: { status, headers: Object.fromEntries(headers), body },
    });
    return response;
  };
}

function pack(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    let binary = "";
    for (let index = 0; index < bytes.length; index++) binary += String.fromCharCode(bytes[index]);
    return { base64: btoa(binary) };
  }
}

function toResponse({ status, headers, body }, url) {
  const content = typeof body === "string" ? body : classes.Uint8Array.from(atob(body.base64), (c) => c.charCodeAt(0));
  const response = new classes.Response(NO_BODY.includes(status) ? null : content, { status, headers });
  Object.defineProperty(response, "url", { value: url });
  return response;
}

export interface RetryOptions {
  attempts?: number;
  idempotencyKey?: string;
  idempotencyHeader?: string;
}

const PASSING = new Set([408, 425, 429, 500, 502, 503, 504]);
const SAFE = new Set(["GET", "HEAD", "PUT", "DELETE", "OPTIONS"]);
const FIRST_WAIT_MS = 250;
const MAX_WAIT_MS = 20_000;

/** Like fetch, but tries again what fails for a while. The last answer is returned, whatever it is. */
export async function fetchWithRetry(url: string | URL, init: RequestInit = {}, options: RetryOptions = {}) {
  const { attempts = 4, idempotencyKey = crypto.randomUUID(), idempotencyHeader = "Idempotency-Key" } = options;
  const headers = new Headers(init.headers);
  const isSafe = SAFE.has((init.method ?? "GET").toUpperCase());
  if (!isSafe && !headers.has(idempotencyHeader)) headers.set(idempotencyHeader, idempotencyKey);
  for (let attempt = 1; ; attempt++) {
    const response = await send(url, { ...init, headers });
    if (attempt >= attempts || (response !== null && !isPassing(response))) {
      if (response === null) throw new Error(`no answer after ${attempt} attempts`);
      return { response, attempts: attempt, idempotencyKey: isSafe ? null : headers.get(idempotencyHeader) };
    }
    await response?.body?.cancel();
    await new Promise((resolve) => setTimeout(resolve, waitMs(attempt, response)));
  }
}

/** A refusal or a failure of the proxy itself is no passing one, except where it says that the host did not answer. */
function isPassing(response: Response): boolean {
  return PASSING.has(response.status);
}

async function send(url: string | URL, init: RequestInit): Promise<Response | null> {
  try {
    return await fetch(url, init);
  } catch {
    return null;
  }
}

function waitMs(attempt: number, response: Response | null): number {
  const after = response?.headers.get("retry-after") ?? null;
  if (after !== null) {
    const ms = /^\d+$/.test(after) ? Number(after) * 1_000 : Date.parse(after) - Date.now();
    if (!Number.isNaN(ms)) return Math.min(Math.max(0, ms), MAX_WAIT_MS);
  }
  return Math.min(FIRST_WAIT_MS * 2 ** (attempt - 1) * (0.5 + Math.random()), MAX_WAIT_MS);
}

interface Input extends RetryOptions {
  url: string;
  method?: string;
  headers?: Record<string, string>;
  body?: unknown;
}

export default async function main({ url, method, headers = {}, body, ...options }: Input) {
  const isText = typeof body === "string";
  const init: RequestInit = {
    ...(method === undefined ? {} : { method }),
    headers: body === undefined || isText ? headers : { "content-type": "application/json", ...headers },
    ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
  };
  const { response, ...rest } = await fetchWithRetry(url, init, options);
  const text = await response.text();
  let parsed: unknown = text;
  try {
    parsed = JSON.parse(text);
  } catch {
    // It stays text.
  }
  return { status: response.status, ...rest, body: parsed };
}

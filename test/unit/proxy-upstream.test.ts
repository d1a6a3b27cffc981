import { expect, test, vi } from "vitest";

import { classifyFailure, type Dialer } from "../../outbound-proxy/upstream.ts";

type Attempt = "open" | "closed" | "silent";

/** A network on which an attempt to connect ends as given. */
function networkWhere(attempt: Attempt, asked: unknown[] = []): Dialer {
  const opened: Record<Attempt, () => Promise<unknown>> = {
    open: () => Promise.resolve({}),
    closed: () => Promise.reject(new Error("a text of the runtime's, with SECRET in it")),
    silent: () => new Promise(() => {}),
  };
  return {
    connect(address) {
      asked.push(address);
      return { opened: opened[attempt](), close: () => Promise.resolve() };
    },
  };
}

const LOST = new Error("Network connection lost.");
const OTHER = new Error("internal error; reference = 1");

test.each<[cause: string, error: Error, attempt: Attempt, url: string]>([
  ["refused", LOST, "closed", "https://a.example/"],
  ["reset", LOST, "open", "https://a.example/"],
  ["dns", OTHER, "closed", "https://a.example/"],
  ["tls", OTHER, "open", "https://a.example/"],
  ["protocol", OTHER, "open", "http://a.example:80/"],
  ["timeout", new DOMException("", "TimeoutError"), "open", "https://a.example/"],
])("%s is told from the others", async (cause, error, attempt, url) => {
  expect(await classifyFailure(error, new URL(url), networkWhere(attempt))).toBe(cause);
});

test("a host that does not even refuse has timed out", async () => {
  vi.useFakeTimers();
  const cause = classifyFailure(OTHER, new URL("https://a.example/"), networkWhere("silent"));
  await vi.advanceTimersByTimeAsync(1_000);
  vi.useRealTimers();
  expect(await cause).toBe("timeout");
});

test.each([
  ["https://a.example/", 443],
  ["http://127.0.0.1/", 80],
  ["http://127.0.0.1:9000/", 9000],
])("%s is tried at port %i, on the network that failed", async (url, port) => {
  const asked: unknown[] = [];
  await classifyFailure(LOST, new URL(url), networkWhere("open", asked));
  expect(asked).toEqual([{ hostname: new URL(url).hostname, port }]);
});

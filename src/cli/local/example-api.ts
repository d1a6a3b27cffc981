/**
 * The example API: a small shop with bearer authentication on loopback, so that the first call works offline. It is a
 * real HTTP service that knows its token, and answers 401 to everybody else.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { timingSafeEqual } from "node:crypto";

interface Order {
  readonly id: string;
  readonly customer: string;
  /** In cents. */
  readonly total: number;
  status: "paid" | "open" | "refunded";
}

const CUSTOMERS = [
  { id: "c1", name: "Ada Analytics", country: "GB" },
  { id: "c2", name: "Borges Books", country: "AR" },
  { id: "c3", name: "Curie Chemicals", country: "FR" },
] as const;

const ORDERS: readonly Order[] = [
  { id: "o1", customer: "c1", total: 12_900, status: "paid" },
  { id: "o2", customer: "c2", total: 4_250, status: "open" },
  { id: "o3", customer: "c1", total: 99_000, status: "open" },
  { id: "o4", customer: "c3", total: 7_800, status: "paid" },
  { id: "o5", customer: "c2", total: 15_000, status: "open" },
];

/** Starts the shop on a loopback port and resolves when it listens; rejects with Node's error when the port is taken. */
export async function startExampleApi(port: number, token: string): Promise<Server> {
  const orders = ORDERS.map((order) => ({ ...order }));
  const server = createServer((request, response) => {
    void answer(request, orders, token).then(({ status, body }) => send(response, status, body));
  });
  await new Promise<void>((done, fail) => {
    server.once("error", fail);
    server.listen(port, "127.0.0.1", done);
  });
  return server;
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

async function answer(request: IncomingMessage, orders: readonly Order[], token: string): Promise<Answer> {
  if (!isAuthorized(request.headers.authorization, token))
    return { status: 401, body: { error: "a bearer token is needed" } };
  const url = new URL(request.url ?? "/", "http://localhost");
  const [, collection, id, action] = url.pathname.split("/");
  const route = `${request.method} ${collection}${id === undefined ? "" : "/id"}${action === undefined ? "" : `/${action}`}`;
  const order = orders.find((candidate) => candidate.id === id);
  switch (route) {
    case "GET customers":
      return { status: 200, body: CUSTOMERS };
    case "GET orders": {
      const customer = url.searchParams.get("customer");
      return { status: 200, body: orders.filter((candidate) => customer === null || candidate.customer === customer) };
    }
    case "GET orders/id":
      return order === undefined ? notFound() : { status: 200, body: order };
    case "POST orders/id/refunds": {
      if (order === undefined) return notFound();
      const reason = readReason(await readText(request));
      if (reason === undefined) return { status: 422, body: { error: 'send JSON: {"reason": "…"}' } };
      order.status = "refunded";
      return { status: 201, body: { order: order.id, reason, amount: order.total } };
    }
    default:
      return notFound();
  }
}

function notFound(): Answer {
  return { status: 404, body: { error: "no such thing here" } };
}

function isAuthorized(header: string | undefined, token: string): boolean {
  const given = Buffer.from(header ?? "");
  const expected = Buffer.from(`Bearer ${token}`);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function readReason(text: string): string | undefined {
  try {
    const body: unknown = JSON.parse(text);
    const reason = typeof body === "object" && body !== null && "reason" in body ? body.reason : undefined;
    return typeof reason === "string" ? reason : undefined;
  } catch {
    return undefined;
  }
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks).toString();
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

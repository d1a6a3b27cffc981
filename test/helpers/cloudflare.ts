/**
 * A stand-in for Cloudflare's HTTP API, as far as deploying and reading logs ask for it: it keeps Workers, versions,
 * deployments, secrets, buckets and tails, records every call, refuses a binding to a Worker that does not exist (10143),
 * and fails where a test wants it to.
 */
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";

import { acceptWebSocket, type TextSocket } from "./websocket.ts";

export const ACCOUNT = "0123456789abcdef0123456789abcdef";
export const TOKEN = "stand-in-api-token";

interface Binding {
  readonly type: string;
  readonly name: string;
  readonly text?: string;
  readonly service?: string;
}

interface Version {
  readonly id: string;
  readonly annotations: Record<string, string>;
  readonly bindings: readonly Binding[];
  readonly modules: readonly string[];
}

interface Script {
  migrationTag: string | null;
  versions: Version[];
  live: { version_id: string; percentage: number }[];
  isPublic: boolean;
}

export interface StandIn {
  readonly url: string;
  /** Everything that changes something, as `METHOD /path`, with the account left out. */
  readonly writes: string[];
  /** Requests that it has no answer for: a test looks that there are none. */
  readonly unknown: string[];
  readonly scripts: Map<string, Script>;
  readonly buckets: Set<string>;
  /** Open tails, by the name of the Worker. */
  readonly tails: Map<string, TextSocket>;
  /** Makes the next call of this `METHOD /path` fail. */
  failNext(call: string): void;
  /** What wrangler and the command line need in their environment. */
  readonly env: Record<string, string>;
  stop(): Promise<void>;
}

class ApiError extends Error {
  readonly status: number;
  readonly code: number;
  constructor(status: number, code: number, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

const NOT_FOUND = new ApiError(404, 10_007, "This Worker does not exist on your account.");

/** Starts one with an empty account. */
export async function startCloudflare(): Promise<StandIn> {
  const scripts = new Map<string, Script>();
  const buckets = new Set<string>();
  const writes: string[] = [];
  const unknown: string[] = [];
  const tails = new Map<string, TextSocket>();
  let url = "";
  let failing: string | undefined;

  const scriptOf = (name = ""): Script => {
    const script = scripts.get(name);
    if (script === undefined) throw NOT_FOUND;
    return script;
  };

  const addVersion = (name: string, form: UploadForm): Version => {
    const { metadata, modules } = form;
    for (const { type, service } of metadata.bindings) {
      if (type === "service" && service !== undefined && service !== name && !scripts.has(service)) {
        throw new ApiError(400, 10_143, `Could not resolve service binding. Target script '${service}' not found.`);
      }
    }
    const before = scripts.get(name)?.versions[0]?.bindings ?? [];
    const kept = before.filter(
      (old) => (metadata.keep_bindings ?? []).includes(old.type) && !metadata.bindings.some((b) => b.name === old.name),
    );
    const annotations = { "workers/triggered_by": "upload", ...metadata.annotations };
    return { id: randomUUID(), annotations, bindings: [...metadata.bindings, ...kept], modules };
  };

  const serviceOf = (name: string) => ({
    id: name,
    default_environment: {
      environment: "production",
      script: {
        id: name,
        tag: `tag-${name}`,
        tags: [],
        last_deployed_from: "wrangler",
        migration_tag: scriptOf(name).migrationTag,
      },
    },
  });

  const toItem = ({ id, annotations, bindings }: Version, index: number) => ({
    id,
    number: index + 1,
    annotations,
    metadata: {
      created_on: "2026-11-02T00:00:00Z",
      modified_on: "2026-11-02T00:00:00Z",
      source: "wrangler",
      author_email: "",
    },
    resources: {
      bindings: bindings.map(withoutSecret),
      script: { etag: id, handlers: ["fetch"] },
      script_runtime: { usage_model: "standard" },
    },
    startup_time_ms: 5,
  });

  /** Answers a call with its result; throws an `ApiError` otherwise. */
  const answer = (method: string, path: string, body: Buffer, type: string): unknown => {
    const [root, ...rest] = path.split("/").filter(Boolean);
    const [kind, name = "", part, id] = rest;
    if (root === "r2" && kind === "buckets") {
      if (method === "GET" && name === "") return { buckets: [...buckets].map((bucket) => ({ name: bucket })) };
      if (method === "GET" && buckets.has(name))
        return { name, creation_date: "2026-11-02T00:00:00Z", location: "WEUR" };
      if (method === "GET") throw new ApiError(404, 10_006, "The specified bucket does not exist.");
      if (method === "POST") {
        const wanted = (JSON.parse(body.toString()) as { name: string }).name;
        buckets.add(wanted);
        return { name: wanted };
      }
      if (method === "DELETE" && buckets.delete(name)) return {};
    }
    if (root === "storage") return [];
    if (root !== "workers") return undefined;
    if (kind === "workers" && part === undefined) {
      return { id: name, name, subdomain: { enabled: scriptOf(name).isPublic, previews_enabled: false } };
    }
    if (kind === "subdomain" && name === "") return { subdomain: "acme" };
    if (kind === "services") {
      if (method === "GET") return serviceOf(name);
      scriptOf(name);
      for (const [user, { versions }] of scripts) {
        const bound = versions[0]?.bindings.some(({ service }) => service === name) ?? false;
        if (bound && user !== name) writes.push(`(${user} lost ${name})`);
      }
      scripts.delete(name);
      return null;
    }
    if (kind === "scripts" && name === "") {
      return [...scripts].map(([script, { migrationTag }]) => ({ id: script, migration_tag: migrationTag }));
    }
    if (kind === "domains" || kind === "tails") return [];
    if (kind === "scripts" && part === "tails") {
      scriptOf(name);
      if (method === "DELETE") return {};
      return {
        id: `tail-of-${name}`,
        url: `${url.replace("http", "ws")}/tail/${name}`,
        expires_at: "2026-11-03T00:00:00Z",
      };
    }
    if (kind !== "scripts") return undefined;
    switch (`${method} ${part ?? ""}`) {
      case "PUT ": {
        const form = readForm(body, type);
        const version = addVersion(name, form);
        const old = scripts.get(name);
        scripts.set(name, {
          migrationTag: form.metadata.migrations?.new_tag ?? old?.migrationTag ?? null,
          versions: [version, ...(old?.versions ?? [])],
          live: [{ version_id: version.id, percentage: 100 }],
          isPublic: old?.isPublic ?? false,
        });
        return {
          id: name,
          etag: version.id,
          deployment_id: version.id.replaceAll("-", ""),
          startup_time_ms: 5,
          tags: [],
        };
      }
      case "POST versions": {
        const version = addVersion(name, readForm(body, type));
        scriptOf(name).versions.unshift(version);
        return { ...toItem(version, 0), metadata: { has_preview: false } };
      }
      case "GET versions": {
        const items = scriptOf(name).versions.map(toItem);
        if (id === undefined) return { items };
        const item = items.find((version) => version.id === id);
        if (item === undefined) throw new ApiError(404, 10_021, "There is no such version.");
        return item;
      }
      case "POST deployments": {
        const script = scriptOf(name);
        const { versions } = JSON.parse(body.toString()) as { versions: Script["live"] };
        script.live = versions;
        return { id: randomUUID() };
      }
      case "GET deployments": {
        const { live } = scriptOf(name);
        const deployment = {
          id: randomUUID(),
          source: "wrangler",
          strategy: "percentage",
          author_email: "",
          versions: live,
        };
        return { deployments: [{ ...deployment, created_on: "2026-11-02T00:00:00Z", annotations: {} }] };
      }
      case "GET settings":
      case "GET secrets":
        return part === "settings" ? { bindings: (scriptOf(name).versions[0]?.bindings ?? []).map(withoutSecret) } : [];
      case "GET subdomain":
        return { enabled: scriptOf(name).isPublic, previews_enabled: false };
      case "POST subdomain":
        scriptOf(name).isPublic = (JSON.parse(body.toString()) as { enabled: boolean }).enabled;
        return { enabled: scriptOf(name).isPublic, previews_enabled: false };
      // No file is wanted: it has them all.
      case "POST assets-upload-session":
        return { jwt: "stand-in-assets", buckets: [] };
      case "GET schedules":
      case "PUT schedules":
        return { schedules: [] };
      case "PATCH script-settings":
      case "GET script-settings":
        return { logpush: false, tail_consumers: [], tags: [] };
      default:
        return undefined;
    }
  };

  const server = createServer((request, response) => {
    void (async () => {
      const body = await readBody(request);
      const method = request.method ?? "GET";
      const { pathname } = new URL(request.url ?? "/", "http://stand-in");
      const path = pathname.replace(`/accounts/${ACCOUNT}`, "");
      const call = `${method} ${path}`;
      const reply = (status: number, envelope: object): void => {
        response.writeHead(status, { "content-type": "application/json" });
        response.end(JSON.stringify({ errors: [], messages: [], ...envelope }));
      };
      try {
        if (request.headers.authorization !== `Bearer ${TOKEN}`)
          throw new ApiError(403, 10_000, "Authentication error");
        if (failing === call) {
          failing = undefined;
          throw new ApiError(400, 10_999, "The stand-in was told to fail here.");
        }
        if (path === pathname) throw new ApiError(404, 7_003, `No route for ${call}`);
        const result = answer(method, path, body, request.headers["content-type"] ?? "");
        if (result === undefined) {
          unknown.push(call);
          throw new ApiError(404, 7_003, `No route for ${call}`);
        }
        if (method !== "GET") writes.push(call);
        reply(200, { success: true, result, result_info: { page: 1, per_page: 100, total_pages: 1, count: 0 } });
      } catch (error) {
        const { status, code, message } =
          error instanceof ApiError ? error : new ApiError(500, 1, error instanceof Error ? error.message : "unknown");
        reply(status, { success: false, result: null, errors: [{ code, message }] });
      }
    })();
  });
  server.on("upgrade", (request, socket) => {
    tails.set((request.url ?? "").replace("/tail/", ""), acceptWebSocket(request, socket));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port was assigned");
  url = `http://127.0.0.1:${address.port}`;
  return {
    url,
    writes,
    unknown,
    scripts,
    buckets,
    tails,
    failNext: (call) => (failing = call),
    env: { CLOUDFLARE_API_BASE_URL: url, CLOUDFLARE_ACCOUNT_ID: ACCOUNT, CLOUDFLARE_API_TOKEN: TOKEN },
    stop: async () => {
      for (const tail of tails.values()) tail.end();
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/** A secret's text is never shown again. */
function withoutSecret(binding: Binding): object {
  return binding.type === "secret_text" ? { type: binding.type, name: binding.name } : binding;
}

interface UploadForm {
  readonly metadata: {
    readonly bindings: readonly Binding[];
    readonly keep_bindings?: readonly string[];
    readonly annotations?: Record<string, string>;
    readonly migrations?: { readonly new_tag: string };
  };
  readonly modules: readonly string[];
}

/** The parts of a multipart upload: its metadata, and the names of its modules. */
function readForm(body: Buffer, type: string): UploadForm {
  const boundary = /boundary=(.+)$/.exec(type)?.[1] ?? "";
  const parts = body.toString("latin1").split(`--${boundary}`).slice(1, -1);
  const named = parts.map((part) => {
    const [head = "", ...content] = part.split("\r\n\r\n");
    return { name: /name="([^"]*)"/.exec(head)?.[1] ?? "", content: content.join("\r\n\r\n").replace(/\r\n$/, "") };
  });
  const metadata = named.find(({ name }) => name === "metadata")?.content ?? "{}";
  return {
    metadata: JSON.parse(metadata) as UploadForm["metadata"],
    modules: named.map(({ name }) => name).filter((name) => name !== "metadata"),
  };
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

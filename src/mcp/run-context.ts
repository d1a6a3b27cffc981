/** A tool call as the origin of a run: who asks, who is told how far it is, and what ends it. */
import type { McpServer, ServerContext } from "@modelcontextprotocol/server";

import type { RunContext } from "../code/run-context.ts";
import type { LedgerEntry } from "../contract/ledger.ts";

/** Longest name or version of a client that is kept, in characters. */
const MAX_CLIENT_CHARS = 100;

export interface ToolCall {
  readonly tool: string;
  readonly server: McpServer;
  readonly ctx: ServerContext;
}

/** The origin of a run in one call of `tool`. */
export function toRunContext({ tool, server, ctx }: ToolCall): RunContext {
  const { name = "unknown", version = "" } = server.server.getClientVersion() ?? {};
  const client = { name: toLabel(name), version: toLabel(version) };
  const progress = createProgress(ctx);
  return {
    tool,
    client: { ...client, id: ctx.sessionId ?? `${client.name} ${client.version}` },
    signal: ctx.mcpReq.signal,
    onRequest: progress === null ? undefined : (entry) => progress(describeRequest(entry)),
    onProgress: progress ?? (() => {}),
    onListChanged: ctx.sessionId === undefined ? undefined : () => void notify(ctx, LIST_CHANGED),
  };
}

/** In the 2025 era such news travel on a stream that is open, which is that of the request itself. */
const LIST_CHANGED = { method: "notifications/resources/list_changed" } as const;

type Notification = Parameters<ServerContext["mcpReq"]["notify"]>[0];

/** A client that went away in between is not an error of the run. */
async function notify(ctx: ServerContext, notification: Notification): Promise<void> {
  try {
    await ctx.mcpReq.notify(notification);
  } catch {
    // Nobody listens.
  }
}

/** A client's word for itself on one line of text. */
function toLabel(text: string): string {
  return text.replaceAll(/\p{C}/gu, "").slice(0, MAX_CLIENT_CHARS);
}

function describeRequest(entry: LedgerEntry): string {
  return `${entry.method} ${entry.host}${entry.path}`;
}

/** Sends one `notifications/progress` per step; null unless the client asked for it by sending a token. */
function createProgress(ctx: ServerContext): ((message: string) => void) | null {
  const progressToken = ctx.mcpReq._meta?.progressToken;
  if (progressToken === undefined) return null;
  let progress = 0;
  return (message) => {
    progress += 1;
    void notify(ctx, { method: "notifications/progress", params: { progressToken, progress, message } });
  };
}

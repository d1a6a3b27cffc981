#!/usr/bin/env node
/** The server over stdio: a client starts it as a process of its own and speaks to it through its input and output. */
import { serveStdio } from "@modelcontextprotocol/server/stdio";

import { createServer } from "./runtime.ts";
import { missingVariables, readSettings } from "./settings.ts";
import { SERVER, SURFACE, TOOLS } from "./tools.ts";

const read = readSettings(process.env);
if (read.ok) {
  // Standard output belongs to the protocol; people are told on the other one.
  for (const line of missingVariables(read.settings)) console.error(line);
  if (process.stdin.isTTY) {
    const how = SURFACE === "search" ? "behind three tools" : "as tools";
    console.error(
      `${SERVER.name} ${SERVER.version}: ${TOOLS.length} operations ${how}; waiting for an MCP client on standard input.`,
    );
  }
  serveStdio(() => createServer(read.settings));
} else {
  console.error(read.message);
  process.exitCode = 1;
}

/** `codeforge demo`: starts a server, connects a client, and shows what three blocks do: code, requests, log, result. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { Command } from "commander";

import { VERSION } from "../../contract/version.ts";
import { UserError } from "../errors.ts";
import { demoBlocks, type DemoBlock } from "../local/demo-blocks.ts";
import { launch } from "../local/launch.ts";
import { prepareExample } from "../local/vars.ts";
import { openProject, type ProjectOptions } from "../project.ts";

/** Adds the command's action. */
export function define(command: Command): void {
  command.action(() => demo(command.optsWithGlobals<ProjectOptions>()));
}

async function demo(options: ProjectOptions): Promise<void> {
  const project = openProject(options);
  const example = prepareExample(project);
  if (example === null)
    throw new UserError("the demo needs the example API: set it active in apis/example/config.json");
  console.log("Starting …");
  const logs: string[] = [];
  const running = await launch(project, { port: 0, host: "127.0.0.1", onLog: (line) => logs.push(line) });
  const client = new Client({ name: "codeforge-demo", version: VERSION });
  try {
    await client.connect(new StreamableHTTPClientTransport(running.stack.url));
    for (const block of demoBlocks(`http://127.0.0.1:${example.port}`)) {
      logs.length = 0;
      const result = await client.callTool({ name: "execute_code", arguments: { code: block.code } });
      show(block, logs, textOf(result.content));
    }
    console.log("That was the demo. `npm start` keeps a server running.");
  } finally {
    await client.close();
    await running.stop();
  }
}

function show({ title, code }: DemoBlock, logs: readonly string[], result: string): void {
  console.log(`\n── ${title} ${"─".repeat(Math.max(3, 76 - title.length))}\n`);
  console.log(code.replace(/^/gm, "  │ "));
  console.log("\nWhat the Workers logged:");
  console.log(logs.map((line) => `  ${line.replace(/ run="[^"]*"/, "")}`).join("\n"));
  console.log("\nWhat the model sees:");
  console.log(result.replace(/^/gm, "  "));
}

function textOf(content: readonly { readonly type: string; readonly text?: string }[]): string {
  return content.flatMap(({ text }) => (text === undefined ? [] : [text])).join("\n");
}

/** Brings up everything a person needs on this machine: the stack, and the example API beside it. */
import type { Server } from "node:http";

import { readSettings, SETTING_NAMES } from "../../contract/settings.ts";
import { UserError, errorCode } from "../errors.ts";
import type { Project } from "../project.ts";
import { startExampleApi } from "./example-api.ts";
import { endLeftRuntimes } from "./lifeline.ts";
import { isLoopback, isPortFree } from "./ports.ts";
import { startStack, type Stack, type StackOptions } from "./stack.ts";
import { prepareExample, readVars, type ExampleSettings } from "./vars.ts";

export type LaunchOptions = Pick<StackOptions, "port" | "host" | "onLog">;

/** A stack and the example API beside it. */
export interface Running {
  readonly stack: Stack;
  /** Where the example API listens, or null when the project does not have it. */
  readonly example: ExampleSettings | null;
  stop(): Promise<void>;
}

/** Starts the example API, if the project has it, and the stack. */
export async function launch(project: Project, { port, host, onLog }: LaunchOptions): Promise<Running> {
  const adminToken = process.env["ADMIN_TOKEN"] || undefined;
  if (!isLoopback(host) && adminToken === undefined) {
    throw new UserError(`${host} can be reached from other machines: set ADMIN_TOKEN to a token of your own first`);
  }
  const settings = settingsOf(process.env);
  await endLeftRuntimes(project.data);
  const taken = new UserError(`port ${port} is taken; choose another with --port or PORT`);
  if (port !== 0 && !(await isPortFree(host, port))) throw taken;
  const exampleSettings = prepareExample(project);
  const example = exampleSettings === null ? null : await launchExample(exampleSettings);
  const stop = async (stack?: Stack): Promise<void> => {
    await stack?.stop();
    example?.closeAllConnections();
    example?.close();
  };
  try {
    const vars = { adminToken, settings, readVars: () => readVars(project) };
    const stack = await startStack({ project, port, host, onLog, ...vars });
    return { stack, example: exampleSettings, stop: () => stop(stack) };
  } catch (error) {
    await stop();
    // Somebody may have taken it in between.
    throw errorCode(error) === "ERR_ADDRESS_IN_USE" ? taken : error;
  }
}

async function launchExample({ port, token }: ExampleSettings): Promise<Server> {
  if (!(await isPortFree("127.0.0.1", port))) {
    throw new UserError(
      `port ${port}, where the example API should listen, is taken; change it in apis/example/config.json, or set "active": false there`,
    );
  }
  return startExampleApi(port, token);
}

/** The server's settings in the environment. Throws with all problems at once. */
function settingsOf(env: NodeJS.ProcessEnv): Record<string, string> {
  const { problems } = readSettings(env);
  if (problems.length > 0) throw new UserError(problems.join("\n"));
  return Object.fromEntries(SETTING_NAMES.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
}

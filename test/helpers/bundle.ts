/** Bundles the Workers once, before any test file starts a stack. */
import { build } from "../../src/cli/commands/build.ts";
import { bundleWorker } from "../../src/cli/local/bundle.ts";
import { openProject } from "../../src/cli/project.ts";

/** The server with what the conformance suite asks for. */
export const CONFORMANCE = { key: "server", entry: "test/fixtures/conformance/index.ts" } as const;

export default async function setup(): Promise<void> {
  const project = openProject();
  await build(project);
  const sources = [{ key: "server" }, { key: "sandbox" }, { key: "proxy" }, CONFORMANCE] as const;
  await Promise.all(sources.map((source) => bundleWorker(project.root, source)));
}

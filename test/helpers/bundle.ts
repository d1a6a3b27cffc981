/** Bundles the Workers once, before any test file starts a stack. */
import { join } from "node:path";

import { build } from "../../src/cli/commands/build.ts";
import { bundleWorker } from "../../src/cli/local/bundle.ts";
import { openProject } from "../../src/cli/project.ts";

export default async function setup(): Promise<void> {
  const project = openProject();
  build(project);
  const bundles = join(project.root, "dist", "workers");
  await Promise.all((["server", "sandbox", "proxy"] as const).map((key) => bundleWorker(project.root, key, bundles)));
}

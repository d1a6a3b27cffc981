// Runs the code inside its isolate and tells the outside what came of it, as one JSON text.
import { WorkerEntrypoint } from "cloudflare:workers";
import run from "./code.js";

const { stringify } = JSON;

export default class Harness extends WorkerEntrypoint {
  async evaluate() {
    const logs = [];
    for (const level of ["log", "info", "debug", "warn", "error"])
      console[level] = (...values) => logs.push({ level, text: values.map(String).join(" ") });
    try {
      const value = await run();
      if (value === undefined) return stringify({ kind: "completed", logs });
      return stringify({ kind: "completed", text: typeof value === "string" ? value : stringify(value), logs });
    } catch (error) {
      return stringify({ kind: "threw", message: String(error), stack: String(error?.stack ?? ""), logs });
    }
  }
}

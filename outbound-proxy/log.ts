/** Writes the proxy's log lines. Everything that is logged goes through here and through one formatter. */
import { formatLog, type LogFields, type LogTag } from "../src/contract/log.ts";

/** Writes one line about a run. */
export type Logger = (tag: LogTag, event: string, fields: LogFields) => void;

/** A logger whose lines all name the run. */
export function createLogger(runId: string): Logger {
  return (tag, event, fields) => console.log(formatLog(Date.now(), tag, event, { run: runId, ...fields }));
}

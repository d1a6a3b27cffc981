// The module `codeforge`: what a block gets beyond the web platform.
import { host } from "./host.js";

/** Tells the caller how far the code has got. */
export function progress(text) {
  host.progress(`${text}`);
}

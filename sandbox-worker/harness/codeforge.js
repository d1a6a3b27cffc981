// The module `codeforge`: what a block gets beyond the web platform.
import { host } from "./host.js";

/** Tells the caller how far the code has got. */
export function progress(text) {
  host.progress(`${text}`);
}

/** The saved skills of this server. */
export const skills = {
  /** Names, descriptions and input schemas; `query` narrows them to those with all its words. */
  list: (query) => host.call("skills.list", { query }),
  /** A skill with its files, or the text of one file. */
  read: (name, path) => host.call("skills.read", { name, path }),
  /** Saves a skill: `{ name, description, code, input?, apis?, version?, files?, replace? }`. */
  save: (skill) => host.call("skills.save", skill),
  remove: (name) => host.call("skills.remove", { name }),
  /** Runs a skill, and returns what it returns. */
  run: (name, input) => host.call("skills.run", { name, input }),
};

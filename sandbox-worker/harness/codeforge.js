// The module `codeforge`: what a block gets beyond the web platform.
import { host } from "./host.js";
import { parseJson } from "./primordials.js";

/** Tells the caller how far the code has got. */
export function progress(text) {
  host.progress(`${text}`);
}

/** Operations of the APIs, by what they do or by name; `options` are `{ api, limit }`. Answers `{ hits, total }`. */
export function search(query, options) {
  return host.call("search", { query, ...options });
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

/** Results of earlier runs that were too large to be shown whole. */
export const results = {
  /** The value that the run of this id returned, as it was: parsed if it was JSON, else a text. */
  async read(id) {
    let whole = "";
    for (let page = 1; ; page++) {
      const { text, pages, isJson } = await host.call("results.read", { id: `${id}`, page });
      whole += text;
      if (page >= pages) return isJson ? parseJson(whole) : whole;
    }
  },
  /** Every result that can be read: `{ id, characters, expires }`, the latest first. */
  list: () => host.call("results.list"),
};

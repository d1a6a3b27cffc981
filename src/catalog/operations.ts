/**
 * The compiled operations of the APIs, as this Worker's static assets hold them: one index per API, and cards in shards.
 * It reads what a question needs and nothing more, and keeps what was read, up to a limit, under the digest of its
 * content. Values are kept and never promises: a reader that is cancelled leaves nobody waiting.
 */
import type { Api } from "../contract/catalog.ts";
import type { Operation } from "../openapi/ir.ts";
import { cardFile, INDEX_FILE, OPERATIONS_FOLDER, readCards, readIndex, type ApiIndex } from "../openapi/storage.ts";
import { Kept } from "./kept.ts";

/** Characters of stored text whose parsed form is kept; parsed, they take a few times as much of a Worker's 128 MB. */
const MAX_KEPT_INDEX_CHARACTERS = 6_000_000;
const MAX_KEPT_CARD_CHARACTERS = 3_000_000;

const indexes = new Kept<ApiIndex>(MAX_KEPT_INDEX_CHARACTERS);
const shards = new Kept<ReadonlyMap<string, Operation>>(MAX_KEPT_CARD_CHARACTERS);

/** What is needed of the binding. */
interface Assets {
  fetch(url: string): Promise<Response>;
}

/** Reads compiled operations by the API's name. An API without them has a count of 0 and no index. */
export class Operations {
  readonly #assets: Assets;
  readonly #apis: ReadonlyMap<string, Api>;

  /** `assets` is the binding `OPERATIONS`; `apis` are those of the catalog this Worker was built with. */
  constructor(assets: Assets, apis: ReadonlyMap<string, Api>) {
    this.#assets = assets;
    this.#apis = apis;
  }

  /** How many operations of an API are compiled; 0 when it was added without a document. */
  count(api: string): number {
    return this.#apis.get(api)?.operations?.count ?? 0;
  }

  /** An API's index: title, servers, credentials, and name, method, path, title and tags of each operation. */
  async index(api: string): Promise<ApiIndex | undefined> {
    const note = this.#apis.get(api)?.operations ?? null;
    if (note === null) return undefined;
    return await indexes.get(note.digest, async () => {
      const text = await this.#read(api, INDEX_FILE);
      return { value: readIndex(text), size: text.length };
    });
  }

  /** Everything about one operation, by its exact name; undefined when there is none. */
  async card(api: string, name: string): Promise<Operation | undefined> {
    const [card] = await this.cards(api, [name]);
    return card;
  }

  /** The cards of several operations, in the order of the names; names that do not exist are left out. */
  async cards(api: string, names: readonly string[]): Promise<Operation[]> {
    const index = await this.index(api);
    if (index === undefined) return [];
    const known = new Set(index.operations.map(({ name }) => name));
    const files = new Map(
      names.filter((name) => known.has(name)).map((name) => [name, cardFile(name, index.shardBits)]),
    );
    const read = new Map<string, ReadonlyMap<string, Operation>>();
    await Promise.all(
      [...new Set(files.values())].map(async (file) => read.set(file, await this.#shard(api, index, file))),
    );
    return names.flatMap((name) => read.get(files.get(name) ?? "")?.get(name) ?? []);
  }

  async #shard(api: string, index: ApiIndex, file: string): Promise<ReadonlyMap<string, Operation>> {
    return await shards.get(`${index.digest}/${file}`, async () => {
      const text = await this.#read(api, file);
      return { value: readCards(text), size: text.length };
    });
  }

  async #read(api: string, file: string): Promise<string> {
    const response = await this.#assets.fetch(`https://assets/${api}/${OPERATIONS_FOLDER}/${file}`);
    if (!response.ok) throw new Error(`${api}: ${file} is missing from the deployment; build and deploy again`);
    return await response.text();
  }
}

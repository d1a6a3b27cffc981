import { findList, readPath } from "./read.ts";

export interface PageOptions {
  url: string;
  headers?: Record<string, string>;
  items?: string;
  cursor?: string;
  cursorParam?: string;
  pageParam?: string;
  maxPages?: number;
}

type Item = Record<string, unknown>;

const CURSORS = [
  "next",
  "next_cursor",
  "nextCursor",
  "next_page_token",
  "nextPageToken",
  "links.next",
  "links.next.href",
  "_links.next.href",
  "meta.next_cursor",
  "response_metadata.next_cursor",
  "pagination.next_cursor",
  "paging.next",
];

/** Yields the items of each page. */
export async function* paginate(options: PageOptions): AsyncGenerator<Item[]> {
  const { headers = {}, maxPages = 100 } = options;
  const first = new URL(options.url);
  const seen = new Set<string>();
  let url: URL | null = first;
  for (let page = 1; url !== null; page++) {
    if (page > maxPages) throw new Error(`there are more than ${maxPages} pages: raise maxPages, or narrow the query`);
    if (url.host !== first.host) throw new Error(`page ${page} is at another host, ${url.host}`);
    if (seen.has(url.href)) throw new Error(`page ${page} was served before: the collection goes round in circles`);
    seen.add(url.href);
    const response = await fetch(url, { headers });
    if (!response.ok) throw new Error(`page ${page}: ${response.status} ${(await response.text()).slice(0, 300)}`);
    const body: unknown = await response.json();
    const items = findList(body, options.items);
    if (options.pageParam !== undefined && items.length === 0) return;
    yield items;
    url = nextUrl({ response, body, url, page, options });
  }
}

/** All items of all pages. */
export async function fetchAll(options: PageOptions): Promise<Item[]> {
  const all: Item[] = [];
  for await (const items of paginate(options)) all.push(...items);
  return all;
}

interface Place {
  response: Response;
  body: unknown;
  url: URL;
  page: number;
  options: PageOptions;
}

function nextUrl({ response, body, url, page, options }: Place): URL | null {
  if (options.pageParam !== undefined) return withParam(url, options.pageParam, String(page + 1));
  const link = /<([^>]+)>\s*;[^,]*\brel="?next"?/i.exec(response.headers.get("link") ?? "")?.[1];
  if (link !== undefined) return new URL(link, url);
  const paths = options.cursor === undefined ? CURSORS : [options.cursor];
  const found = paths.map((path) => readPath(body, path)).find((value) => typeof value === "string" && value !== "");
  const cursor = found ?? (options.cursor === undefined ? (body as Item | null)?.["@odata.nextLink"] : undefined);
  if (typeof cursor !== "string") return null;
  return /^(https?:\/\/|\/)/.test(cursor)
    ? new URL(cursor, url)
    : withParam(url, options.cursorParam ?? "cursor", cursor);
}

function withParam(url: URL, name: string, value: string): URL {
  const next = new URL(url);
  next.searchParams.set(name, value);
  return next;
}

export default async function main(input: PageOptions & { fields?: string[] }) {
  const { fields, ...options } = input;
  let pages = 0;
  const items: Item[] = [];
  for await (const page of paginate(options)) {
    pages += 1;
    for (const item of page) {
      items.push(
        fields === undefined ? item : Object.fromEntries(fields.map((field) => [field, readPath(item, field)])),
      );
    }
  }
  return { count: items.length, pages, items };
}

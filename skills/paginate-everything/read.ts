/** The value at a path such as `data.items`; undefined when there is none. */
export function readPath(value: unknown, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>((part, key) => (part as Record<string, unknown> | null | undefined)?.[key], value);
}

/** The list in a body: at a path, or the body itself, or the only list in it. */
export function findList(body: unknown, path?: string): Record<string, unknown>[] {
  const found = path === undefined ? onlyList(body) : readPath(body, path);
  if (Array.isArray(found)) return found;
  throw new Error(
    path === undefined ? "no list was found in the body: name its path in items" : `there is no list at ${path}`,
  );
}

function onlyList(body: unknown): unknown {
  if (Array.isArray(body) || typeof body !== "object" || body === null) return body;
  const lists = Object.values(body).filter((value) => Array.isArray(value));
  return lists.length === 1 ? lists[0] : undefined;
}

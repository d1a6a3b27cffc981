/** The part of the catalog that a caller knows of: an API outside its list does not exist for it. */
import type { LoadedCatalog } from "./load.ts";

/** The catalog with the named APIs only; null stands for all of them. */
export function visibleTo(catalog: LoadedCatalog, apis: readonly string[] | null): LoadedCatalog {
  if (apis === null) return catalog;
  return { ...catalog, apis: new Map([...catalog.apis].filter(([name]) => apis.includes(name))) };
}

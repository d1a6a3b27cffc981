/** The catalog this Worker was built with, parsed once. */
import catalogText from "../../dist/catalog.txt";
import typesText from "../../dist/types.txt";
import { z } from "zod";

import { Catalog, type Api } from "../contract/catalog.ts";

/** The APIs by name, in the order of their names, and the `types.d.ts` texts of those that have one. */
export interface LoadedCatalog {
  readonly apis: ReadonlyMap<string, Api>;
  readonly types: Readonly<Record<string, string>>;
}

let loaded: LoadedCatalog | undefined;

/** The catalog bundled with this Worker. A malformed one is a broken build and throws. */
export function loadCatalog(): LoadedCatalog {
  loaded ??= {
    apis: new Map(Catalog.parse(JSON.parse(catalogText)).apis.map((api) => [api.name, api])),
    types: z.record(z.string(), z.string()).parse(JSON.parse(typesText)),
  };
  return loaded;
}

/** Turns what a model wrote into an ES module whose default export runs it. */
import { transform } from "sucrase";

export type Compiled = { readonly ok: true; readonly code: string } | { readonly ok: false; readonly message: string };

/** Compiles one block. Pure; never throws. */
export function compile(source: string): Compiled {
  try {
    const { code } = transform(source, {
      transforms: ["typescript"],
      disableESTransforms: true,
      keepUnusedImports: true,
    });
    return { ok: true, code: `export default async function () { ${code}\n}` };
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}

/** A credential as it is typed: `NAME`, or `NAME@place` with more places as `NAME@place@place`. */

/** The credential as `config.json` has it. Nothing is checked here. */
export function parseCredential(text: string): string | { name: string; in: string[] } {
  const [name = "", ...places] = text.split("@");
  return places.length === 0 ? name : { name, in: places };
}

/** Cutting text to a size: never inside a character, and never without saying so. */

/** `text` itself, or its beginning with a note of how much is missing; at most `max` characters. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  const note = (left: number): string => `\n… [${left.toLocaleString("en")} more characters cut]`;
  const room = Math.max(0, max - note(text.length).length);
  const end = isHighSurrogate(text.charCodeAt(room - 1)) ? room - 1 : room;
  return text.slice(0, end) + note(text.length - end);
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

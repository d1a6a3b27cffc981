/**
 * How many tokens a text costs a model, without the tables of any tokenizer: never fewer than o200k counts for text in
 * which words are words, so that a budget that is kept here is kept there.
 */

/** An upper estimate of a text's tokens. */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const [piece] of text.matchAll(/[A-Za-z]+|\d{1,3}|[^\S\n]*\n[^\S\n]*|[^\S\n]+|[^\sA-Za-z\d]/g)) {
    if (/^[A-Za-z]/.test(piece)) tokens += wordTokens(piece);
    else if (/^[^\S\n]$/.test(piece)) tokens += 0;
    else if (/^[\d\s]/.test(piece)) tokens += 1;
    else tokens += piece.charCodeAt(0) < 0x80 ? 0.8 : 2;
  }
  return Math.ceil(tokens);
}

/** A word in one case is one token up to a length; names in camel case are one for each of their parts. */
function wordTokens(word: string): number {
  return word
    .split(/(?<=[a-z])(?=[A-Z])/)
    .reduce(
      (sum, part) =>
        sum +
        (part === part.toUpperCase() ? Math.ceil(part.length / 2.5) : Math.max(1, Math.ceil((part.length - 3) / 4))),
      0,
    );
}

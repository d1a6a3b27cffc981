/**
 * The forms in which a host may echo a value: as it is, escaped for JSON, URLs or HTML, in hex, in base64 at every
 * alignment, in UTF-16 and Latin-1. A form is matched exactly and whole. What a host computes beyond that (reversing,
 * changing case, hashing, encrypting, splitting) cannot be recognised and is not pretended to be.
 */

import { encodeLatin1, encodeUtf8 } from "./bytes.ts";

/** Values and forms shorter than this are not looked for: they would turn up by chance and wreck ordinary answers. */
export const MIN_SECRET_LENGTH = 8;

/** One form of a value. */
export interface Form {
  readonly bytes: Uint8Array;
  /** Base64 digits that hold bits of the value when they stand directly before or after `bytes`, and go with it. */
  readonly before: string;
  readonly after: string;
}

/** Every distinct form of `value`; none when it is too short. */
export function formsOf(value: string): Form[] {
  if (value.length < MIN_SECRET_LENGTH) return [];
  const utf8 = encodeUtf8(value);
  const texts = [value, ...jsonForms(value), ...percentForms(utf8), ...htmlForms(value), ...hexForms(utf8)];
  const latin1 = encodeLatin1(value) ?? utf8;
  // What a reader of UTF-8, such as the platform for headers, makes of the value in Latin-1.
  texts.push(new TextDecoder().decode(latin1));
  const whole = [...[...new Set(texts)].map(encodeUtf8), latin1, utf16(value, true), utf16(value, false)];
  const forms = [...whole.map((bytes) => ({ bytes, before: "", after: "" })), ...base64Forms(utf8)];
  return forms.filter(({ bytes }) => bytes.length >= MIN_SECRET_LENGTH);
}

/** Which characters serialisers write as `\uXXXX`, and in which case; `slash` ones also write `\/`. */
const JSON_STYLES: readonly { readonly escaped: RegExp; readonly upper?: true; readonly slash?: true }[] = [
  { escaped: /(?!)/ }, //                                        JSON.stringify
  { escaped: /(?!)/, slash: true }, //                           PHP, some C libraries
  { escaped: /[^ -~]/ }, //                                      Python, Ruby
  { escaped: /[^ -~]/, slash: true }, //                         PHP
  { escaped: /[<>&\u2028\u2029]/ }, //                           Go, Rails
  { escaped: /[<>&='\u2028\u2029]/ }, //                         Gson
  { escaped: /["&'+<>`]|[^ -~]/, upper: true }, //               .NET
  { escaped: /["&'<>]/, upper: true, slash: true }, //           PHP with JSON_HEX_*
  { escaped: /[-_.]|[^ -~]/ },
  { escaped: /[-_.]|[^ -~]/, upper: true },
];

function jsonForms(value: string): string[] {
  const once = JSON_STYLES.map(({ escaped, upper, slash }) =>
    [...value].map((char) => {
      if (char === "/" && slash) return "\\/";
      const short = JSON.stringify(char).slice(1, -1);
      return escaped.test(char) && !/^\\[bfnrt]$/.test(short) ? unicodeEscape(char, upper === true) : short;
    }),
  ).map((parts) => parts.join(""));
  const twice = JSON.stringify(JSON.stringify(value).slice(1, -1)).slice(1, -1);
  return [...once, twice];
}

function unicodeEscape(char: string, upper: boolean): string {
  return char
    .split("")
    .map((unit) => `\\u${toHex(unit.charCodeAt(0), 4, upper)}`)
    .join("");
}

/** Bytes that encoders leave as they are; a `plus` encoder writes a space as `+`. */
const PERCENT_STYLES: readonly { readonly kept: RegExp; readonly plus?: true }[] = [
  { kept: /[\w.~!*'()-]/ }, //                  encodeURIComponent
  { kept: /[\w.~-]/ }, //                       RFC 3986
  { kept: /[\w.~/-]/ }, //                      Python's quote
  { kept: /[\w.~-]/, plus: true }, //           Python's quote_plus, PHP
  { kept: /[\w.*-]/, plus: true }, //           forms
  { kept: /[\w.~!*'();/?:@&=+$,#-]/ }, //       encodeURI
  { kept: /[\w.~!$&'()*+,;=:@-]/ }, //          a path segment
  { kept: /[!$-&(-;=?-~]/ }, //                 a query as browsers write it
  { kept: /(?!)/ }, //                          everything
];

function percentForms(utf8: Uint8Array): string[] {
  const once = PERCENT_STYLES.flatMap(({ kept, plus }) =>
    [true, false].map((upper) => percent(utf8, kept, upper, plus)),
  );
  const twice = once.slice(0, 2).map((text) => text.replaceAll("%", "%25"));
  return [...once, ...twice];
}

function percent(utf8: Uint8Array, kept: RegExp, upper: boolean, plus = false): string {
  return [...utf8]
    .map((byte) => {
      const char = String.fromCharCode(byte);
      if (plus && char === " ") return "+";
      return kept.test(char) ? char : `%${toHex(byte, 2, upper)}`;
    })
    .join("");
}

const AMP_LT_GT = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
/** What template engines do with the other characters. */
const HTML_STYLES: readonly Readonly<Record<string, string>>[] = [
  AMP_LT_GT,
  { ...AMP_LT_GT, '"': "&quot;" },
  { ...AMP_LT_GT, '"': "&quot;", "'": "&#39;" },
  { ...AMP_LT_GT, '"': "&#34;", "'": "&#39;", "+": "&#43;" },
  { ...AMP_LT_GT, '"': "&#34;", "'": "&#39;" },
  { ...AMP_LT_GT, '"': "&quot;", "'": "&#x27;" },
  { ...AMP_LT_GT, '"': "&quot;", "'": "&apos;" },
  { ...AMP_LT_GT, '"': "&quot;", "'": "&#039;" },
  { ...AMP_LT_GT, '"': "&quot;", "'": "&#x27;", "/": "&#x2F;" },
  { ...AMP_LT_GT, '"': "&quot;", "'": "&#39;", "/": "&#x2F;", "`": "&#x60;", "=": "&#x3D;" },
  { ...AMP_LT_GT, '"': "&quot;", "'": "&#x27;", "`": "&#x60;", "=": "&#x3D;" },
];

function htmlForms(value: string): string[] {
  return HTML_STYLES.map((style) => value.replace(/[&<>"'/`=+]/g, (char) => style[char] ?? char));
}

function hexForms(utf8: Uint8Array): string[] {
  return [true, false].map((upper) => [...utf8].map((byte) => toHex(byte, 2, upper)).join(""));
}

const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const ALPHABETS = [`${BASE64}+/`, `${BASE64}-_`];

/**
 * Inside longer data the value starts at one of three places within a group of three bytes. Its digits in the middle
 * are always the same. At either end it may share a digit with a neighbour: one of 4 or 16, by the bits that are its own.
 */
function base64Forms(utf8: Uint8Array): Form[] {
  return [0, 1, 2].flatMap((shift) => {
    const digits = sextets(utf8, shift);
    const first = Math.ceil((shift * 8) / 6);
    const end = Math.floor(((shift + utf8.length) * 8) / 6);
    const foreignBefore = (shift * 8) % 6;
    const ownAfter = ((shift + utf8.length) * 8) % 6;
    const before = foreignBefore === 0 ? [] : variants(digits[first - 1] ?? 0, foreignBefore, 6 - foreignBefore);
    const after = ownAfter === 0 ? [] : variants(digits[end] ?? 0, 6 - ownAfter, 0);
    return ALPHABETS.map((alphabet) => {
      const write = (values: readonly number[]): string => values.map((digit) => alphabet.charAt(digit)).join("");
      return { bytes: encodeUtf8(write(digits.slice(first, end))), before: write(before), after: write(after) };
    });
  });
}

/** The 6-bit digits of `bytes` after `shift` unknown bytes, which read as zero, as do the bits after the end. */
function sextets(bytes: Uint8Array, shift: number): number[] {
  const bits = `${"0".repeat(shift * 8)}${[...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("")}`;
  return (bits.match(/.{1,6}/g) ?? []).map((group) => Number.parseInt(group.padEnd(6, "0"), 2));
}

/** All digits that agree with `digit` outside the `unknown` bits at position `at`. */
function variants(digit: number, unknown: number, at: number): number[] {
  return Array.from({ length: 1 << unknown }, (_, bits) => digit | (bits << at));
}

function utf16(value: string, littleEndian: boolean): Uint8Array {
  const view = new DataView(new ArrayBuffer(value.length * 2));
  for (let index = 0; index < value.length; index++) view.setUint16(index * 2, value.charCodeAt(index), littleEndian);
  return new Uint8Array(view.buffer);
}

function toHex(value: number, digits: number, upper: boolean): string {
  const text = value.toString(16).padStart(digits, "0");
  return upper ? text.toUpperCase() : text;
}

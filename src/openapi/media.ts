/**
 * Media types (rule M8): which of the declared ones is used, and how a body of that type is written.
 */
import type { BodyFormat } from "./ir.ts";

/** A media type without its parameters, lower case. */
export function essence(mediaType: string): string {
  return (mediaType.split(";")[0] ?? "").trim().toLowerCase();
}

/** Whether values of this type are JSON. */
export function isJson(mediaType: string): boolean {
  const type = essence(mediaType);
  return type === "application/json" || type.endsWith("+json");
}

/** How a body of a declared type is written. */
export function formatOf(mediaType: string): BodyFormat {
  const type = essence(mediaType);
  if (isJson(type) || type === "*/*") return "json";
  if (type === "application/x-www-form-urlencoded") return "form";
  if (type === "multipart/form-data") return "multipart";
  if (type.startsWith("text/") || type === "application/xml" || type.endsWith("+xml")) return "text";
  return "binary";
}

/** The `Content-Type` to send for a declared type: itself, unless it is a range. */
export function concrete(mediaType: string): string {
  const type = essence(mediaType);
  if (type === "*/*" || type === "application/*+json") return "application/json";
  if (type === "text/*") return "text/plain";
  return type.includes("*") ? "application/octet-stream" : mediaType.trim();
}

/** The preferred one of the declared types: the first of the lowest rank. */
export function preferred(mediaTypes: readonly string[], method: string): string | undefined {
  const ranked = mediaTypes.map((mediaType) => ({ mediaType, rank: rank(essence(mediaType), method) }));
  return ranked.toSorted((a, b) => a.rank - b.rank)[0]?.mediaType;
}

function rank(type: string, method: string): number {
  if (type === "application/json") return 0;
  if (type === "application/merge-patch+json" && method === "PATCH") return 1;
  if (isJson(type)) return 2;
  if (type === "application/x-www-form-urlencoded") return 3;
  if (type === "multipart/form-data") return 4;
  if (type.startsWith("text/")) return 5;
  if (type === "application/xml" || type.endsWith("+xml")) return 6;
  return type === "*/*" ? 7 : 8;
}

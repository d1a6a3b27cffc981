/** The icon of the server: an anvil under a pair of braces, inline, so that no client has to fetch anything. */
import type { Icon } from "@modelcontextprotocol/server";

const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="#f6821f" stroke-width="2" stroke-linecap="round">' +
  '<path d="M9 2q-2 0-2 2v1q0 1-1 1 1 0 1 1v1q0 2 2 2M15 2q2 0 2 2v1q0 1 1 1-1 0-1 1v1q0 2-2 2"/>' +
  '<path fill="#f6821f" d="M3 13h18q-1 4-6 4v2l3 3H6l3-3v-2q-5 0-6-4z"/></svg>';

export const ICON: Icon = { src: `data:image/svg+xml;base64,${btoa(SVG)}`, mimeType: "image/svg+xml", sizes: ["any"] };

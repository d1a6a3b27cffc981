/** The icon of the server, an anvil: inline, so that no client fetches anything, and small, since it goes with each answer. */
import type { Icon } from "@modelcontextprotocol/server";

const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path fill="#f6821f" d="M2 7h20q-1 5-7 5v4l4 3H5l4-3v-4q-6 0-7-5z"/></svg>';

export const ICON: Icon = { src: `data:image/svg+xml;base64,${btoa(SVG)}`, mimeType: "image/svg+xml", sizes: ["any"] };

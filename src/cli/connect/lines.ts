/** How to connect each client, in a line or two, for the end of a deployment. */

export interface LineOptions {
  readonly url: string;
  /** The token, or what stands for it; null when the server asks for none. */
  readonly token: string | null;
}

/** The command that adds a server to Claude Code. */
export function claudeCodeCommand({ url, token }: LineOptions, scope?: string): string {
  const where = scope === undefined ? "" : ` --scope ${scope}`;
  const header = token === null ? "" : ` --header "Authorization: Bearer ${token}"`;
  return `claude mcp add --transport http${where} codeforge ${url}${header}`;
}

/** The lines that a user copies. */
export function connectionLines(options: LineOptions): string[] {
  return [
    `  ${claudeCodeCommand(options)}`,
    `  npx codeforge connect claude-desktop|cursor|vscode|codex --url ${options.url}`,
  ];
}

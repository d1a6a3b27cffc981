/** The Worker `codeforge`: the routes, and the Durable Objects behind them. */
import { createApp } from "./app.ts";

export { Audit } from "./auth/audit.ts";
export { Tokens } from "./auth/tokens.ts";
export { Sender } from "./code/sender.ts";
export { Forge } from "./forge.ts";

export default createApp();

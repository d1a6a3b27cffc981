/** The Worker `codeforge`: the routes, and the Durable Object behind them. */
import { createApp } from "./app.ts";

export { Sender } from "./code/sender.ts";
export { Forge } from "./forge.ts";

export default createApp();

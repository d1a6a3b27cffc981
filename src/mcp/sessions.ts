/**
 * The rows of 2025-era sessions: the handshake to replay after an eviction, the time last seen, and the events of
 * streams that a client may resume. Idle sessions are swept; nothing else of a client is kept.
 */
import type { EventStore, JSONRPCMessage } from "@modelcontextprotocol/server";

/** Events kept per session; a client that lost more than these starts anew. */
const MAX_EVENTS = 200;

/** How old the mark of a session may be, in milliseconds: little beside the time after which it counts as idle. */
const SEEN_STEP_MS = 60_000;

/** A session as it begins. `surface` is the path and query of the endpoint it was opened at, and stays at. */
export interface Session {
  readonly id: string;
  readonly surface: string;
  /** The text of the `initialize` message. */
  readonly handshake: string;
}

export class SessionStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(
      "CREATE TABLE IF NOT EXISTS session (id TEXT PRIMARY KEY, surface TEXT NOT NULL, handshake TEXT NOT NULL, seen INTEGER NOT NULL)",
    );
    sql.exec(
      "CREATE TABLE IF NOT EXISTS session_event (id INTEGER PRIMARY KEY AUTOINCREMENT, session TEXT NOT NULL, stream TEXT NOT NULL, message TEXT NOT NULL)",
    );
    sql.exec("CREATE INDEX IF NOT EXISTS session_event_session ON session_event (session, id)");
  }

  insert({ id, surface, handshake }: Session, nowMs: number): void {
    this.#sql.exec(
      "INSERT INTO session (id, surface, handshake, seen) VALUES (?, ?, ?, ?)",
      id,
      surface,
      handshake,
      nowMs,
    );
  }

  /**
   * Marks a session as seen and returns its handshake, or null when there is no such session of this surface. The mark
   * is minutes coarse: a write on every request would have each answer wait for the disk.
   */
  touch(id: string, surface: string, nowMs: number): string | null {
    const [row] = this.#sql
      .exec<{ handshake: string; seen: number }>(
        "SELECT handshake, seen FROM session WHERE id = ? AND surface = ?",
        id,
        surface,
      )
      .toArray();
    if (row === undefined) return null;
    if (nowMs - row.seen > SEEN_STEP_MS) this.#sql.exec("UPDATE session SET seen = ? WHERE id = ?", nowMs, id);
    return row.handshake;
  }

  remove(id: string): void {
    this.#sql.exec("DELETE FROM session WHERE id = ?", id);
    this.#sql.exec("DELETE FROM session_event WHERE session = ?", id);
  }

  idleSince(olderThanMs: number): string[] {
    const rows = this.#sql.exec<{ id: string }>("SELECT id FROM session WHERE seen < ?", olderThanMs);
    return rows.toArray().map((row) => row.id);
  }

  count(): number {
    return this.#sql.exec<{ n: number }>("SELECT count(*) AS n FROM session").one().n;
  }

  /** The SDK's event store over one session's rows. */
  events(session: string): EventStore {
    const sql = this.#sql;
    return {
      async storeEvent(stream: string, message: JSONRPCMessage): Promise<string> {
        const { id } = sql
          .exec<{ id: number }>(
            "INSERT INTO session_event (session, stream, message) VALUES (?, ?, ?) RETURNING id",
            session,
            stream,
            JSON.stringify(message),
          )
          .one();
        sql.exec(
          "DELETE FROM session_event WHERE session = ?1 AND id <= (SELECT max(id) FROM session_event WHERE session = ?1) - ?2",
          session,
          MAX_EVENTS,
        );
        return String(id);
      },
      async getStreamIdForEventId(eventId: string): Promise<string | undefined> {
        return streamOf(sql, session, eventId);
      },
      async replayEventsAfter(lastEventId, { send }): Promise<string> {
        const stream = streamOf(sql, session, lastEventId) ?? "";
        const rows = sql.exec<{ id: number; message: string }>(
          "SELECT id, message FROM session_event WHERE session = ? AND stream = ? AND id > ? ORDER BY id",
          session,
          stream,
          Number(lastEventId),
        );
        for (const { id, message } of rows.toArray()) {
          // The event that opens a stream is an empty object, and no message to be sent again.
          if (message !== "{}") await send(String(id), JSON.parse(message) as JSONRPCMessage);
        }
        return stream;
      },
    };
  }
}

function streamOf(sql: SqlStorage, session: string, eventId: string): string | undefined {
  const rows = sql.exec<{ stream: string }>(
    "SELECT stream FROM session_event WHERE session = ? AND id = ?",
    session,
    Number(eventId),
  );
  return rows.toArray()[0]?.stream;
}

/** As much of a WebSocket server (RFC 6455) as sends short texts: Node has none, and nothing more is wanted here. */
import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

export interface TextSocket {
  /** What the client offered in `Sec-WebSocket-Protocol`, which is taken. */
  readonly protocol: string;
  /** Sends a text of up to 65,535 bytes in one frame. */
  send(text: string): void;
  end(): void;
}

/** Completes the handshake (§4.2.2). What the client sends is thrown away. */
export function acceptWebSocket({ headers }: IncomingMessage, socket: Duplex): TextSocket {
  const protocol = String(headers["sec-websocket-protocol"]);
  const accept = createHash("sha1")
    .update(`${String(headers["sec-websocket-key"])}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
    .digest("base64");
  const lines = [
    "HTTP/1.1 101 Switching Protocols",
    "Upgrade: websocket",
    "Connection: Upgrade",
    `Sec-WebSocket-Accept: ${accept}`,
    `Sec-WebSocket-Protocol: ${protocol}`,
  ];
  socket.write(`${lines.join("\r\n")}\r\n\r\n`);
  const end = (): void => void socket.destroy();
  socket.on("error", end).on("end", end).resume();
  return {
    protocol,
    end,
    send(text) {
      const payload = Buffer.from(text);
      // One whole text frame, unmasked, its length in 16 bits (§5.2).
      socket.write(Buffer.concat([Buffer.from([0x81, 126, payload.length >> 8, payload.length & 0xff]), payload]));
    },
  };
}

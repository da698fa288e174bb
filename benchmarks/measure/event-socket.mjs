import { randomBytes } from 'node:crypto';
import { Reading } from './reading.mjs';

/** What a connection has to know to resume: of the protocol of Socket.IO, version 5. */
const SESSION = /40(\{"sid":"[^}]+\})/;
/** The last argument of an event is its place. */
const PLACE = /,"([^",\]\\]+)"\]/g;

/** A connection of Socket.IO over a WebSocket, and no more of it than readers and callers need. */
export class EventSocket {
  #port;
  #reading;
  #session;
  #place;

  /** @param options `bare`: a WebSocket without Socket.IO; `session` and `place` of a connection that is resumed */
  static async open(port, { bare = false, session, place } = {}) {
    const socket = new EventSocket(port);
    await socket.#reading.until('\r\n\r\n');
    if (bare) return socket;
    if (session !== undefined) {
      // What was missed may come before the answer.
      socket.#reading.write(frame(`40${JSON.stringify({ pid: session, offset: place })}`));
      return socket;
    }
    socket.#reading.write(frame('40'));
    const text = await socket.#reading.until('40{"sid"');
    socket.#session = JSON.parse(SESSION.exec(text)?.[1] ?? '{}').pid;
    return socket;
  }

  constructor(port) {
    this.#port = port;
    const hello = {
      Host: `127.0.0.1:${port}`,
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Version': 13,
      'Sec-WebSocket-Key': randomBytes(16).toString('base64'),
    };
    const lines = Object.entries(hello).map(([name, value]) => `${name}: ${value}\r\n`);
    this.#reading = new Reading(port, `GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\n${lines.join('')}\r\n`);
  }

  /** Sends a packet, and waits for what answers it. */
  async ask(packet, answer) {
    this.#reading.write(frame(packet));
    await this.#reading.until(answer);
  }

  async until(mark, bytes) {
    const text = await this.#reading.until(mark, bytes);
    this.#place = [...text.matchAll(PLACE)].at(-1)?.[1] ?? this.#place;
  }

  cut() {
    this.#reading.cut();
  }

  /** @returns a new connection that goes on where this one was */
  resumed() {
    if (this.#session === undefined || this.#place === undefined) throw new Error('the server has not said how to resume');
    return EventSocket.open(this.#port, { session: this.#session, place: this.#place });
  }
}

/** A masked text frame; the mask is zero, which the protocol allows and costs nothing. */
function frame(text) {
  const payload = Buffer.from(text);
  const length = payload.length < 126 ? [0x80 | payload.length] : [0x80 | 126, payload.length >> 8, payload.length & 0xff];
  return Buffer.concat([Buffer.from([0x81, ...length, 0, 0, 0, 0]), payload]);
}

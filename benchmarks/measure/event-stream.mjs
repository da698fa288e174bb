import { Reading } from './reading.mjs';

/** A stream of events, as `curl -N` reads it. */
export class EventStream {
  #reading;

  static async open(port) {
    const stream = new EventStream(
      new Reading(port, `GET /events HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAccept: text/event-stream\r\n\r\n`),
    );
    await stream.#reading.until('\r\n\r\n');
    return stream;
  }

  constructor(reading) {
    this.#reading = reading;
  }

  until(mark, bytes) {
    return this.#reading.until(mark, bytes);
  }

  cut() {
    this.#reading.cut();
  }
}

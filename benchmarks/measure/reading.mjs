import net from 'node:net';

/** How long readers may wait for what was published, in milliseconds. */
const PATIENCE = 60_000;

/** Characters that are kept of what came, for a mark in two pieces. */
const KEPT = 100;

/** A connection that looks for a mark in what comes, and does no more: what is measured is the server. */
export class Reading {
  #socket;
  #received = 0;
  #tail = '';
  #waiting;
  #ended = false;

  /** @param hello bytes that are sent first */
  constructor(port, hello) {
    this.#socket = net.connect({ port, host: '127.0.0.1', noDelay: true }).setEncoding('latin1');
    this.#socket.write(hello);
    this.#socket.on('data', (text) => this.#read(text));
    this.#socket.on('error', () => undefined);
    this.#socket.on('close', () => {
      this.#ended = true;
      this.#waiting?.reject(new Error('the server closed a connection'));
    });
  }

  write(bytes) {
    this.#socket.write(bytes);
  }

  cut() {
    this.#waiting = undefined;
    this.#socket.destroy();
  }

  /**
   * @param mark text that comes
   * @param bytes that have to come with it, since the last call
   * @returns what has come before it and with it, at most the last chunk and a bit; what comes behind it counts for the next call
   */
  until(mark, bytes = 0) {
    if (this.#ended) return Promise.reject(new Error('the connection is closed'));
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${this.#received} bytes of ${bytes} came, and no ${mark}`)), PATIENCE);
      const settle = (then) => (value) => {
        clearTimeout(timer);
        this.#waiting = undefined;
        then(value);
      };
      this.#waiting = { mark, bytes, resolve: settle(resolve), reject: settle(reject) };
      this.#look(this.#tail);
    });
  }

  #read(text) {
    this.#received += text.length;
    this.#look(this.#tail + text);
  }

  #look(text) {
    const { mark, bytes, resolve, reject } = this.#waiting ?? {};
    const at = mark === undefined ? -1 : text.indexOf(mark);
    if (at < 0) {
      // The mark may come in two pieces.
      this.#tail = text.slice(-KEPT);
      return;
    }
    if (this.#received < bytes) return reject(new Error(`${this.#received} bytes came, and not ${bytes}`));
    this.#tail = text.slice(at + mark.length);
    this.#received = this.#tail.length;
    resolve(text);
  }
}

import net from 'node:net';

/**
 * One connection that is kept alive, with one request on it at a time. It does as little as it can (bytes made before, no parser but for
 * status and length), so that what is measured is the server.
 */
export class Connection {
  #socket;
  #received = '';
  #expected;
  #waiting;

  /** @param expected the status that every answer must have */
  static open(port, expected) {
    return new Promise((resolve, reject) => {
      const socket = net.connect({ port, host: '127.0.0.1', noDelay: true });
      socket.once('error', reject);
      socket.once('connect', () => resolve(new Connection(socket, expected)));
    });
  }

  constructor(socket, expected) {
    this.#socket = socket.setEncoding('latin1');
    this.#expected = `HTTP/1.1 ${expected} `;
    socket.removeAllListeners('error');
    socket.on('error', (error) => this.#waiting?.reject(error));
    socket.on('close', () => this.#waiting?.reject(new Error('the server closed the connection')));
    socket.on('data', (chunk) => this.#read(chunk));
  }

  /** @returns a promise that is fulfilled when the whole answer is in */
  send(bytes) {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#socket.write(bytes);
    });
  }

  close() {
    this.#socket.destroy();
  }

  #read(chunk) {
    this.#received += chunk;
    const received = this.#received;
    const length = lengthOf(received);
    if (length === undefined || received.length < length) return;
    this.#received = '';
    const { resolve, reject } = this.#waiting;
    this.#waiting = undefined;
    if (received.length > length || !received.startsWith(this.#expected)) reject(new Error(`answered ${received.slice(0, 200)}`));
    else resolve();
  }
}

/** The bytes of a request with a JSON body, or without one. */
export function bytesOf({ method = 'GET', path, headers = {}, body = '' }, port) {
  const length = body === '' ? {} : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) };
  const all = Object.entries({ Host: `127.0.0.1:${port}`, Connection: 'keep-alive', Accept: 'application/json', ...length, ...headers });
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${all.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`, 'latin1');
}

/** Characters of the whole answer, once its headers are in; answers with chunks are measured by their end. */
function lengthOf(text) {
  const head = text.indexOf('\r\n\r\n');
  if (head < 0) return undefined;
  const given = /\r\ncontent-length: *(\d+)/i.exec(text.slice(0, head));
  if (given) return head + 4 + Number(given[1]);
  const last = text.indexOf('\r\n0\r\n\r\n', head);
  return last < 0 ? undefined : last + 7;
}

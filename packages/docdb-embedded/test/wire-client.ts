import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { deserialize, type Document, serialize } from 'bson';
import type { DocDbServer } from '../src/index.ts';

const OP_QUERY = 2004;
const OP_COMPRESSED = 2012;
const OP_MSG = 2013;
const HEADER = 16;
const MORE_TO_COME = 2;
const EXHAUST_ALLOWED = 0x10000;
const FLAGS = 4;
/** The kind of a section that is the command itself. */
const BODY = Buffer.of(0);
/** Flags, and the kind of the only section. */
const FRONT = FLAGS + BODY.length;
/** Flags, a cursor, and which documents an answer of the old kind has. */
const REPLY = 20;

/** A client that sends commands as they are: the driver has sessions, numbers and retries of its own. */
export class WireClient {
  readonly #socket: Socket;
  #received: Buffer = Buffer.alloc(0);

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (bytes) => {
      this.#received = Buffer.concat([this.#received, bytes]);
      socket.emit('received');
    });
  }

  static async connect(server: DocDbServer): Promise<WireClient> {
    const { hostname, port } = new URL(server.uri);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    return new WireClient(socket);
  }

  /** @returns the answer, an error too, without the fields that every answer has */
  async ask(database: string, command: Document): Promise<Document> {
    const answer = await this.askBytes(serialize({ ...command, $db: database }, { ignoreUndefined: true }));
    const { $clusterTime: _time, operationTime: _operationTime, ...rest } = deserialize(answer, { promoteLongs: false });
    return rest;
  }

  /** @returns the BSON of the answer to a command that is given as BSON */
  async askBytes(body: Uint8Array): Promise<Buffer> {
    this.send([BODY, body], 0);
    return (await this.#receive()).body;
  }

  /** Sends a command that may have more answers than one; each says whether another follows. */
  async *askForAll(database: string, command: Document): AsyncGenerator<Document> {
    this.send([BODY, serialize({ ...command, $db: database })], EXHAUST_ALLOWED);
    for (let goesOn = true; goesOn;) {
      const { flags, body } = await this.#receive();
      goesOn = (flags & MORE_TO_COME) !== 0;
      yield { ...deserialize(body, { promoteLongs: false }), goesOn };
    }
  }

  /** @returns the answer to a message of which the sections are given as they are */
  async askSections(sections: readonly Uint8Array[], flags = 0): Promise<Document> {
    this.send(sections, flags);
    return deserialize((await this.#receive()).body, { promoteLongs: false });
  }

  /** Sends a command as drivers did before OP_MSG. */
  async askQuery(database: string, command: Document): Promise<Document> {
    return (await this.askSearch(`${database}.$cmd`, command)).answer;
  }

  /** Searches as drivers did before there were commands for it. */
  askSearch(namespace: string, filter: Document): Promise<{ readonly flags: number; readonly answer: Document }> {
    const query = [Buffer.from(`${namespace}\0`), Buffer.of(0, 0, 0, 0, 255, 255, 255, 255), serialize(filter)];
    return this.askOld(OP_QUERY, query);
  }

  /**
   * @param compressor the number of the way in which a message was made shorter
   * @returns the answer to such a message
   */
  async askCompressed(compressor: number, message: Uint8Array): Promise<Document> {
    const kind = Buffer.alloc(FLAGS);
    kind.writeInt32LE(OP_MSG);
    const size = Buffer.alloc(FLAGS);
    size.writeInt32LE(message.length);
    this.#write([Buffer.alloc(HEADER), kind, size, Buffer.of(compressor), message], OP_COMPRESSED);
    return deserialize((await this.#receive()).body);
  }

  /** @returns the answer to a message of a kind from before OP_MSG, of which all behind its first number is given */
  async askOld(kind: number, parts: readonly Uint8Array[]): Promise<{ readonly flags: number; readonly answer: Document }> {
    this.sendOld(kind, parts);
    const { flags, body } = await this.#receive(REPLY);
    return { flags, answer: deserialize(body) };
  }

  /** Sends the same, where nothing is answered. */
  sendOld(kind: number, parts: readonly Uint8Array[]): void {
    this.#write([Buffer.alloc(HEADER + FLAGS), ...parts], kind);
  }

  /**
   * Resolves when the server has ended the connection.
   *
   * @throws Error when it answers instead
   */
  async ended(): Promise<void> {
    const answered = once(this.#socket, 'received').then(() => Promise.reject(new Error('The server has answered')));
    if (!this.#socket.readableEnded) await Promise.race([once(this.#socket, 'end'), answered]);
  }

  /** Sends a message of which the sections are given as they are. */
  send(sections: readonly Uint8Array[], flags: number): void {
    const head = Buffer.alloc(HEADER + FLAGS);
    head.writeInt32LE(flags, HEADER);
    this.#write([head, ...sections], OP_MSG);
  }

  #write(parts: readonly Uint8Array[], kind: number): void {
    const whole = Buffer.concat(parts);
    whole.writeInt32LE(whole.length, 0);
    whole.writeInt32LE(kind, 12);
    this.#socket.write(whole);
  }

  async #receive(front = FRONT): Promise<{ readonly flags: number; readonly body: Buffer }> {
    while (this.#received.length < 4 || this.#received.length < this.#received.readInt32LE(0)) {
      if (this.#socket.readableEnded) throw new Error('The server has ended the connection');
      await Promise.race([once(this.#socket, 'received'), once(this.#socket, 'end')]);
    }
    const length = this.#received.readInt32LE(0);
    const flags = this.#received.readInt32LE(HEADER);
    const body = this.#received.subarray(HEADER + front, length);
    this.#received = this.#received.subarray(length);
    return { flags, body };
  }

  close(): void {
    this.#socket.destroy();
  }

  /** Says that nothing more comes. Resolves when the connection is closed. */
  async end(): Promise<void> {
    this.#socket.end();
    await once(this.#socket, 'close');
  }
}

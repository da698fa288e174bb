/** Makes text, or text and bytes, of a packet. */
export interface Encoder {
  encode(packet: object): unknown[];
}

/** `EVENT` of the protocol of Socket.IO. */
const EVENT = 2;

/** A packet of an event whose payload is JSON already. */
export class PreparedPacket {
  readonly type: number = EVENT;
  /** Set by Socket.IO. */
  nsp = '/';
  /** JSON of the arguments: the event's name, the payload, and the position if clients are told one. */
  readonly json: string;

  /** @param json JSON of each argument */
  constructor(args: readonly string[]) {
    this.json = `[${args.join(',')}]`;
  }

  /** The arguments, for listeners to what is sent and for parsers of the application's own. */
  get data(): unknown[] {
    return JSON.parse(this.json) as unknown[];
  }
}

/** Passes packets on whose JSON is made already, and leaves all others to the encoder of the server. */
export class PreparedEncoder implements Encoder {
  readonly #inner: Encoder;

  constructor(inner: Encoder) {
    this.#inner = inner;
  }

  encode(packet: object): unknown[] {
    return packet instanceof PreparedPacket && packet.nsp === '/' ? [`${EVENT}${packet.json}`] : this.#inner.encode(packet);
  }
}

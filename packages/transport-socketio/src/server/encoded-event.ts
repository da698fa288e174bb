/** What of a parser of Socket.IO makes packets. */
export interface Encoder {
  encode(packet: object): readonly unknown[];
}

/** A parser as Socket.IO's option `parser` takes it. */
interface Parser {
  readonly Encoder: new () => Encoder;
}

/**
 * @param parser the application's own; `undefined` for that of Socket.IO
 * @returns its encoder
 */
export function encoderOf(parser: unknown): Encoder | undefined {
  return parser === undefined ? undefined : new (parser as Parser).Encoder();
}

/** `EVENT` of the protocol of Socket.IO, and a message of that of Engine.IO. */
const EVENT = 2;
const MESSAGE = 4;

/** The frame of a WebSocket, made once for all of them. */
interface FrameOptions {
  readonly compress?: boolean;
  readonly wsPreEncodedFrame?: readonly Buffer[];
}

/** An event as it goes over sockets: made once, however many get it. */
export class EncodedEvent {
  /** JSON of the arguments: the event's name, the payload, and the position if clients are told one. */
  readonly #json: string;
  /** What is written, one after the other. */
  readonly parts: readonly unknown[];
  /** For `write` of Engine.IO. */
  readonly options: FrameOptions;

  /**
   * @param args JSON of each argument
   * @param encoder that of the application's own parser; `undefined` for the one of Socket.IO
   */
  constructor(args: readonly string[], encoder: Encoder | undefined) {
    this.#json = `[${args.join(',')}]`;
    this.parts = encoder ? encoder.encode({ type: EVENT, nsp: '/', data: this.args() }) : [`${EVENT}${this.#json}`];
    this.options = encoder ? {} : { wsPreEncodedFrame: [textFrame(`${MESSAGE}${EVENT}${this.#json}`)] };
  }

  /** Its size, letters as one. */
  get length(): number {
    return this.#json.length;
  }

  /** The arguments, for listeners to what is sent and for parsers of the application's own. */
  args(): unknown[] {
    return JSON.parse(this.#json) as unknown[];
  }
}

const SHORT = 125;
const SHORT_16 = 126;
const SHORT_64 = 127;
const LONGEST_16 = 0xffff;

/** @returns a whole message of text, as RFC 6455 has it: in one piece, so that a socket writes once where header and text would be two */
function textFrame(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const head = length <= SHORT ? 2 : length <= LONGEST_16 ? 4 : 10;
  const frame = Buffer.allocUnsafe(head + length);
  frame[0] = 0x81;
  if (length <= SHORT) frame[1] = length;
  else if (length <= LONGEST_16) {
    frame[1] = SHORT_16;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = SHORT_64;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  frame.write(text, head);
  return frame;
}

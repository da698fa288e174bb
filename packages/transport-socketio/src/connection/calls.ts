import { TooManyRequests, Unavailable } from '@framework/errors';
import type { Socket } from 'socket.io';
import { callError, type CallLogger } from '../call/call-error.ts';
import { CallSignals } from '../call/call-signal.ts';
import { runMethod, type CallApplication } from '../call/run-method.ts';
import { WriteQueue } from '../server/write-queue.ts';

/** What calls may take of the server. */
export interface CallLimits {
  /** Calls of one connection that are being worked on. */
  readonly maxCalls: number;
  /** Size of a call's arguments, in bytes. */
  readonly maxMessage: number;
  /** Bytes that may wait for a client to read in many packets: one that calls on without reading is disconnected. Reads are refused where it is 64 times as much. */
  readonly maxBuffer: number;
}

/** Sends an answer. */
type Acknowledge = (error: unknown, result?: unknown) => void;

/** For a client whose connection the application, or the end of its login, has ended. */
export const CONNECTION_ENDED = 'The connection has ended: connect again';

/** Milliseconds in which a connection that has ended still gets answers. */
const LAST_ANSWERS = 1000;
/** Packets that wait before it is looked at how large they are. As many times what may wait is too much in however few. */
const MANY_PACKETS = 64;
/** Methods that change nothing: one that is refused is called again. */
const READS: ReadonlySet<string> = new Set(['find', 'get']);

/** The calls of one connection. */
export class Calls {
  readonly #app: CallApplication;
  readonly #socket: Socket;
  readonly #connection: object;
  readonly #address: string | undefined;
  readonly #limits: CallLimits;
  readonly #logger: CallLogger | false | undefined;
  /** Made for the first call: most connections only listen. */
  #signals: CallSignals | undefined;
  #open: Set<Promise<void>> | undefined;
  #ended = false;

  constructor(
    app: CallApplication,
    socket: Socket,
    connection: object,
    address: string | undefined,
    limits: CallLimits,
    logger: CallLogger | false | undefined,
  ) {
    this.#app = app;
    this.#socket = socket;
    this.#connection = connection;
    this.#address = address;
    this.#limits = limits;
    this.#logger = logger;
  }

  /** Settles when what is being worked on is answered. */
  get answered(): Promise<unknown> {
    return Promise.all([...(this.#open ?? [])]);
  }

  /**
   * Takes no more calls: who the client was counts no longer.
   *
   * @param over called when those that are being worked on are answered, a logout for example, or have taken a second
   */
  refuse(over: () => void): void {
    this.#ended = true;
    if (!this.#open?.size) {
      over();
      return;
    }
    const timer = setTimeout(over, LAST_ANSWERS).unref();
    void this.answered.then(() => {
      clearTimeout(timer);
      over();
    });
  }

  /** Says that the client has gone. */
  end(): void {
    this.#signals?.abort();
  }

  /** @param received arguments as the client has sent them; a function as the last one takes the answer */
  take(method: string, received: readonly unknown[]): void {
    if (this.#isNotReading()) {
      this.#socket.conn.close(true);
      return;
    }
    const last = received.at(-1);
    const answer = isAcknowledge(last) ? last : ignore;
    const args = answer === ignore ? received : received.slice(0, -1);
    const open = (this.#open ??= new Set());
    const call = this.#run(method, args, answer, open.size).finally(() => open.delete(call));
    open.add(call);
  }

  /** @param others how many calls are being worked on */
  async #run(method: string, args: readonly unknown[], answer: Acknowledge, others: number): Promise<void> {
    const signals = (this.#signals ??= new CallSignals());
    let over: (() => void) | undefined;
    const prepare = (params: object): void => {
      over = signals.add(params);
    };
    try {
      // It says nothing of credentials: with 401 clients throw away tokens that the next connection is logged in with.
      if (this.#ended) throw new Unavailable(CONNECTION_ENDED);
      if (others >= this.#limits.maxCalls) {
        throw new TooManyRequests(`More than ${this.#limits.maxCalls} calls of one connection are waiting for their answers`);
      }
      const caller = { connection: this.#connection, address: this.#address, prepare };
      this.#refuseUnread(method);
      const result = await runMethod(this.#app, caller, { method, args }, this.#limits.maxMessage);
      this.#refuseUnread(method);
      answer(null, result);
    } catch (error) {
      // A result that no message can hold ends here too.
      answer(callError(error, this.#logger));
    } finally {
      over?.();
    }
  }

  /** A page may have megabytes, and a client that reads none of them ask for as many as it may have calls. */
  #refuseUnread(method: string): void {
    const most = MANY_PACKETS * this.#limits.maxBuffer;
    if (READS.has(method) && new WriteQueue(this.#socket.conn).bytes > most)
      throw new TooManyRequests(`More than ${most} bytes of answers wait to be read: read them, and ask again`);
  }

  #isNotReading(): boolean {
    const queue = new WriteQueue(this.#socket.conn);
    return queue.length > MANY_PACKETS && queue.bytes > this.#limits.maxBuffer;
  }
}

function isAcknowledge(value: unknown): value is Acknowledge {
  return typeof value === 'function';
}

function ignore(): void {
  // The client does not want to know.
}

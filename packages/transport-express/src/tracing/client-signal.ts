import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { FrameworkError } from '@framework/errors';

/** A call that asked for its signal. */
interface Call {
  readonly controller: AbortController;
  readonly res: ServerResponse;
}

const CALLS = new WeakMap<Socket, Call[]>();

/**
 * Gives the parameters of a call `signal`: an `AbortSignal` that is aborted when the client goes away before it has its answer. It is made when
 * somebody reads it first, for example by copying the parameters, and is not part of their JSON.
 *
 * @param params parameters of a call; changed
 */
export function addClientSignal(params: object, req: IncomingMessage, res: ServerResponse): void {
  new Requested(params, req, res);
  Object.defineProperty(params, 'signal', SIGNAL);
}

/** A constructor that gives back what it gets, so that a subclass can add private fields to it. */
// eslint-disable-next-line @typescript-eslint/no-extraneous-class -- what it constructs is somebody else's
class Itself {
  constructor(self: object) {
    return self;
  }
}

/** Keeps with parameters, and out of everybody's sight, what request they belong to: one map of all would cost more. */
class Requested extends Itself {
  readonly #req: IncomingMessage;
  readonly #res: ServerResponse;

  constructor(params: object, req: IncomingMessage, res: ServerResponse) {
    super(params);
    this.#req = req;
    this.#res = res;
  }

  static signal(params: object): AbortSignal | undefined {
    return #req in params ? clientSignal(params.#req, params.#res) : undefined;
  }
}

/** One for all, so that parameters keep one form. */
const SIGNAL: PropertyDescriptor & ThisType<object> = {
  get(): AbortSignal | undefined {
    const signal = Requested.signal(this);
    setSignal(this, signal);
    return signal;
  },
  set(value: unknown) {
    setSignal(this, value);
  },
  enumerable: true,
  configurable: true,
};

function setSignal(params: object, value: unknown): void {
  Object.defineProperty(params, 'signal', { value, writable: true, enumerable: true, configurable: true });
}

function clientSignal(req: IncomingMessage, res: ServerResponse): AbortSignal {
  const controller = new AbortController();
  const { signal } = controller;
  Object.defineProperty(signal, 'toJSON', { value: () => undefined });
  if (req.socket.destroyed) abort({ controller, res });
  else callsOf(req.socket).push({ controller, res });
  return signal;
}

/** A listener on each response would count as somebody who watches it. */
function callsOf(socket: Socket): Call[] {
  const known = CALLS.get(socket);
  if (known) {
    const open = known.filter(({ res }) => !res.writableFinished);
    known.splice(0, known.length, ...open);
    return known;
  }
  const calls: Call[] = [];
  CALLS.set(socket, calls);
  socket.once('close', () => {
    calls.forEach(abort);
  });
  return calls;
}

function abort({ controller, res }: Call): void {
  if (res.writableFinished) return;
  controller.abort(new FrameworkError('The client has gone away', 'ClientClosedRequest', 499, 'client-closed-request'));
}

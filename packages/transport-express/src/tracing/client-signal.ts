import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { SignalSource } from '@framework/core';
import { FrameworkError } from '@framework/errors';

/** The signal of one call, aborted when the client goes away before it has its answer. It is not part of the JSON of parameters. */
export class ClientSignal implements SignalSource {
  readonly #req: IncomingMessage;
  readonly #res: ServerResponse;
  #signal: AbortSignal | undefined;

  constructor(req: IncomingMessage, res: ServerResponse) {
    this.#req = req;
    this.#res = res;
  }

  get signal(): AbortSignal {
    return (this.#signal ??= clientSignal(this.#req, this.#res));
  }
}

/** A call that asked for its signal. */
interface Call {
  readonly controller: AbortController;
  readonly res: ServerResponse;
}

const CALLS = new WeakMap<Socket, Call[]>();

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

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** What is to be called when a connection closes: a listener for each request would be too many for it. */
const closing = new WeakMap<Socket, Set<() => void>>();

/** @returns whether nobody is there to get an answer */
export function isGone({ socket }: IncomingMessage, res: ServerResponse): boolean {
  return res.destroyed || socket.destroyed;
}

/**
 * Calls back once, when an answer has ended or its client has gone. A response that waits behind another one of the same connection never hears from Node.js
 * that this has closed.
 */
export function whenGone({ socket }: IncomingMessage, res: ServerResponse, callback: () => void): void {
  const waiting = waitingFor(socket);
  const gone = (): void => {
    if (waiting.delete(gone)) callback();
  };
  waiting.add(gone);
  res.once('close', gone);
}

function waitingFor(socket: Socket): Set<() => void> {
  const known = closing.get(socket);
  if (known) return known;
  const waiting = new Set<() => void>();
  closing.set(socket, waiting);
  socket.once('close', () => {
    for (const gone of waiting) gone();
  });
  return waiting;
}

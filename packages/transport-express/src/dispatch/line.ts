import { AsyncResource } from 'node:async_hooks';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests of one connection that are worked on at once, with the one whose answer is being sent. */
const AT_ONCE = 10;
/** Requests of one connection that may wait behind those. */
const MOST_WAITING = 100;

/** Node.js keeps the answer that a connection is about to send here, and documents no other way to it. */
type HttpSocket = Socket & { readonly _httpMessage?: ServerResponse | null };

/** What a connection has sent ahead of its answers. */
interface Line {
  begun: number;
  readonly waiting: (() => void)[];
}

const lines = new WeakMap<Socket, Line>();
/** Answers that count in their lines, or wait there. */
const known = new WeakSet<ServerResponse>();

/**
 * Lets a request wait that came ahead of the answers to many others of its connection (pipelining, RFC 9112, 9.3.2). Node.js has all that come in one piece worked on
 * at once, and keeps their answers until those in front are sent: a client that reads nothing would fill the memory by some kilobytes of requests (security S44).
 * A connection that sends more than may wait is closed.
 *
 * @param go begins with the request; called once those in front are answered, and not where the client has gone by then
 * @returns whether it waits, or is dropped; nearly all requests do not
 */
export function waitsInLine(req: IncomingMessage, res: ServerResponse, go: () => void): boolean {
  // An answer has its connection at once where no other is in front. What is made by hand may have none at all.
  if (res.socket !== null || known.has(res)) return false;
  const socket = req.socket as HttpSocket | null | undefined;
  const front = socket?._httpMessage;
  if (!socket || !front) return false;
  known.add(res);
  const line = lines.get(socket) ?? { begun: 0, waiting: [] };
  lines.set(socket, line);
  // It was alone when it came.
  if (!known.has(front)) {
    known.add(front);
    begin(socket, line, front);
  }
  if (line.begun < AT_ONCE) {
    begin(socket, line, res);
    return false;
  }
  if (line.waiting.length >= MOST_WAITING) socket.destroy();
  // What belongs to the request, such as its trace, is not that of the one in front.
  const bound = AsyncResource.bind(go);
  line.waiting.push(() => {
    begin(socket, line, res);
    bound();
  });
  return true;
}

function begin(socket: Socket, line: Line, res: ServerResponse): void {
  line.begun += 1;
  res.once('close', () => {
    line.begun -= 1;
    if (socket.destroyed) line.waiting.length = 0;
    line.waiting.shift()?.();
  });
}

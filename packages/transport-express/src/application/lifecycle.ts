import type { Server } from 'node:http';
import net from 'node:net';

/**
 * Listens, and turns the server's first error into a rejection.
 *
 * @param server a server that does not listen yet
 * @param args arguments of `server.listen`
 * @throws the server's error, for example `EADDRINUSE`
 */
export function listening(server: Server, args: readonly unknown[]): Promise<Server> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.once('listening', () => {
      server.off('error', reject);
      resolve(server);
    });
    Reflect.apply(server.listen.bind(server) as (...args: unknown[]) => unknown, undefined, args);
  });
}

/** Milliseconds that a connection without a request is left open: its next request may be on its way. */
const IDLE_GRACE = 500;

/**
 * Stops a server: no new connections; requests that come over open ones are answered and close their connection; what is
 * open after the time limit is cut.
 *
 * @param server the server
 * @param timeout milliseconds
 * @see security S44
 */
export async function closeServer(server: Server, timeout: number): Promise<void> {
  if (!server.listening) return;
  server.prependListener('request', (_req, res) => {
    if (!res.headersSent) res.setHeader('Connection', 'close');
  });
  const closed = new Promise<void>((resolve) => {
    // The HTTP server's own `close` would cut connections at once whose next request is already sent.
    net.Server.prototype.close.call(server, () => {
      resolve();
    });
  });
  const idle = setTimeout(
    () => {
      server.closeIdleConnections();
    },
    Math.min(IDLE_GRACE, timeout),
  );
  const sweep = setInterval(() => {
    server.closeIdleConnections();
  }, IDLE_GRACE + 100);
  const deadline = setTimeout(() => {
    server.closeAllConnections();
  }, timeout);
  await closed;
  clearTimeout(idle);
  clearInterval(sweep);
  clearTimeout(deadline);
}

import type { Server } from 'node:http';
import type { Socket } from 'node:net';

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

/**
 * Stops a server: no new connections, answers in flight are finished and close their connection, what is open after the
 * time limit is cut.
 *
 * @param server the server
 * @param timeout milliseconds
 * @see security S44
 */
export async function closeServer(server: Server, timeout: number): Promise<void> {
  if (!server.listening) return;
  const closed = new Promise<void>((resolve) => {
    server.close(() => { resolve(); });
  });
  // A kept-alive connection would otherwise carry further requests.
  server.prependListener('request', (_req, res) => {
    if (!res.headersSent) res.setHeader('Connection', 'close');
  });
  server.on('connection', (socket: Socket) => socket.destroy());
  const sweep = setInterval(() => { server.closeIdleConnections(); }, 50);
  const deadline = setTimeout(() => { server.closeAllConnections(); }, timeout);
  server.closeIdleConnections();
  await closed;
  clearInterval(sweep);
  clearTimeout(deadline);
}

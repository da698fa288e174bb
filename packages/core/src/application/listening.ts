import type { Server } from 'node:net';

/** Largest port of TCP. */
const LAST_PORT = 65_535;

/**
 * Starts a server and waits until it listens.
 *
 * @param server one that does not listen yet
 * @param args arguments of `server.listen`
 * @throws the server's error, for example `EADDRINUSE`, or TypeError for what is neither a port nor the path of a socket
 * @throws Error when somebody closes the server meanwhile
 */
export function listening<S extends Server>(server: S, args: readonly unknown[]): Promise<S> {
  return new Promise((resolve, reject) => {
    const closed = (): void => {
      reject(new Error('The server was closed while it was starting'));
    };
    server.once('error', reject).once('close', closed);
    server.once('listening', () => {
      server.off('error', reject).off('close', closed);
      resolve(server);
    });
    const error = listenError(args);
    if (error) process.nextTick(() => server.emit('error', error));
    else Reflect.apply(server.listen.bind(server) as (...given: unknown[]) => unknown, undefined, args);
  });
}

/**
 * Looks at what is to be listened on, which is a variable of the environment as a rule: Node.js takes a text that is no number for the name of a socket in the folder
 * of the process, and an empty one for any port.
 *
 * @param args arguments of `server.listen`
 * @returns an error for what is neither a port nor the path of a socket; `undefined` for what may be one
 */
function listenError([where]: readonly unknown[]): TypeError | undefined {
  if (typeof where !== 'number' && typeof where !== 'string') return undefined;
  const port = typeof where === 'string' && where.trim() === '' ? Number.NaN : Number(where);
  const isPort = Number.isInteger(port) && port >= 0 && port <= LAST_PORT;
  if (isPort || (typeof where === 'string' && /[/\\\0]|\.sock(?:et)?$/.test(where))) return undefined;
  return new TypeError(
    `app.listen() takes a port from 0 to ${String(LAST_PORT)}, or the path of a socket such as ./api.sock, and not ${typeof where === 'string' ? `'${where}'` : String(where)}`,
  );
}

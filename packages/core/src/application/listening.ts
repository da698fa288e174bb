import type { Server } from 'node:net';

/** What Node says of a server that can not listen. */
interface SystemError extends NodeJS.ErrnoException {
  readonly address?: string;
  readonly port?: number;
}

/** Largest port of TCP. */
const LAST_PORT = 65_535;

/**
 * Starts a server and waits until it listens.
 *
 * @param server one that does not listen yet
 * @param args arguments of `server.listen`
 * @throws Error with the code of the system, for example `EADDRINUSE`, that says how to mend it, or TypeError for what is neither a port nor the path of a socket
 * @throws Error when somebody closes the server meanwhile
 */
export function listening<S extends Server>(server: S, args: readonly unknown[]): Promise<S> {
  return new Promise((resolve, reject) => {
    const closed = (): void => {
      reject(new Error('The server was closed while it was starting'));
    };
    const failed = (error: SystemError): void => {
      reject(inWords(error));
    };
    server.once('error', failed).once('close', closed);
    server.once('listening', () => {
      server.off('error', failed).off('close', closed);
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

/** @returns an error with the code of the system, in words that say how to mend it; the given one where there are none */
function inWords(error: SystemError): Error {
  const text = textOf(error);
  if (text === undefined) return error;
  const { code, errno, syscall, address, port } = error;
  return Object.assign(new Error(text, { cause: error }), { code, errno, syscall, address, port });
}

function textOf({ code, address = '', port = -1 }: SystemError): string | undefined {
  // Sockets have no port.
  const where = port < 0 ? `The socket '${address}'` : `The port ${String(port)}`;
  const other = port < 0 ? 'take another path' : 'take another port (0 for any that is free)';
  if (code === 'EADDRINUSE')
    return `${where} is in use. End what listens there${port < 0 ? ', remove the file if nothing does,' : ''} or ${other}`;
  if (code === 'EACCES') return `${where} is not for the user of this process to listen on. Give the right to do so, or ${other}`;
  return code === 'EADDRNOTAVAIL'
    ? `This machine has no address '${address}'. Listen on one that it has, or on all of them by leaving it out`
    : undefined;
}

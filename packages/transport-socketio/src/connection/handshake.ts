import type { Socket } from 'socket.io';
import { callError, type CallLogger } from '../call/call-error.ts';

/** A real-time connection: what the server knows of it, and what reaches `params` of its calls. */
export type SocketConnection = Record<string, unknown> & {
  readonly provider: 'socketio';
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
};

declare module 'socket.io' {
  interface Socket {
    /**
     * The connection of this socket: what middleware puts on it reaches `params` of its calls. It stays the same object: what is assigned in its place is put
     * on it.
     */
    framework: SocketConnection;
    /** The same, as applications of the incumbent name it. */
    feathers: SocketConnection;
  }
}

/**
 * Makes the connection of a socket.
 *
 * @param trusted whether the page that connects is one that the server is for. Of another one, cookies say nothing: the browser adds them
 *   whoever the page belongs to
 */
export function createConnection(socket: Socket, trusted: boolean): SocketConnection {
  const { headers } = socket.handshake;
  const connection: SocketConnection = {
    provider: 'socketio',
    headers: trusted || headers.cookie === undefined ? headers : withoutCookie(headers),
  };
  const name: PropertyDescriptor = {
    get: () => connection,
    set: (value: object) => {
      Object.assign(connection, value);
    },
  };
  Object.defineProperties(socket, { framework: name, feathers: name });
  return connection;
}

function withoutCookie({ cookie: _cookie, ...others }: SocketConnection['headers']): SocketConnection['headers'] {
  return others;
}

/** @returns the error that Socket.IO tells a client whose connection is refused: its `data` is the body that REST would have sent */
export function connectError(thrown: unknown, logger: CallLogger | false | undefined): Error {
  const data = callError(thrown, logger, 'The start of a connection');
  return Object.assign(new Error(data.message), { data });
}

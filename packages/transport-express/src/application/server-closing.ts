import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http';
import net from 'node:net';
import tls from 'node:tls';

/** Milliseconds between two looks at what Node.js has no event for. */
const LOOK = 50;
/**
 * Looks for which a connection without a request is left open: its next request may be on its way. A time would be over when a busy process, or one that was
 * paused, comes to look at its clock, before it comes to read what has arrived meanwhile.
 */
const GRACE = 10;

/** Node.js keeps the answer that a connection is about to send, and the request that came last over it, here, and documents no other way to them. */
type HttpSocket = net.Socket & {
  readonly _httpMessage?: ServerResponse | null;
  readonly parser?: { readonly incoming?: IncomingMessage | null } | null;
};

/** Servers that are not of HTTP lack what concerns its connections. */
type ClosableServer = net.Server & Partial<Pick<HttpServer, 'keepAliveTimeout' | 'closeIdleConnections' | 'closeAllConnections'>>;

/** The open connections of a server. Node.js itself forgets those that were upgraded, WebSockets for example. */
interface Connections {
  /** What requests come over. */
  readonly http: Set<HttpSocket>;
  /** Those too whose TLS handshake is not done. */
  readonly all: Set<net.Socket>;
}

const WATCHED = new WeakMap<net.Server, Connections>();

/**
 * Keeps a list of a server's connections, for {@link closeServer}. Connections that are open already are not on it.
 *
 * @param server a server for HTTP
 */
export function watchConnections(server: net.Server): void {
  connectionsOf(server);
}

function connectionsOf(server: net.Server): Connections {
  const known = WATCHED.get(server);
  if (known) return known;
  const all = listConnections(server, 'connection');
  const connections: Connections = { all, http: server instanceof tls.Server ? listConnections(server, 'secureConnection') : all };
  WATCHED.set(server, connections);
  return connections;
}

/** One listener for all connections: each of them costs less memory. */
function listConnections(server: net.Server, event: 'connection' | 'secureConnection'): Set<net.Socket> {
  const list = new Set<net.Socket>();
  const gone = function (this: net.Socket): void {
    list.delete(this);
  };
  server.on(event, (socket: net.Socket) => {
    list.add(socket);
    socket.on('close', gone);
  });
  return list;
}

const CLOSING = new WeakMap<net.Server, ServerClosing>();

/**
 * Starts to close a server: it accepts no new connections, answers what comes over open ones, and closes those then.
 *
 * @param server a server for HTTP, or HTTPS
 * @returns the one closing of this server, however often it is asked for
 * @see security S44
 */
export function closeServer(server: net.Server): ServerClosing {
  const known = CLOSING.get(server);
  if (known) return known;
  const closing = new ServerClosing(server, connectionsOf(server));
  CLOSING.set(server, closing);
  void closing.closed.then(() => CLOSING.delete(server));
  return closing;
}

/** A server on its way to its end. */
export class ServerClosing {
  /** Settles when the server has no connection any more. */
  readonly closed: Promise<void>;
  /** Settles when the answer of every request in flight has begun. */
  readonly answering: Promise<void>;
  readonly #server: ClosableServer;
  readonly #connections: Connections;
  /** What the silent connections had sent when the closing began. */
  readonly #received = new Map<HttpSocket, number>();
  /** Requests whose answer has not begun, as far as known. */
  readonly #waiting = new Set<ServerResponse>();
  /** Looks since an answer ended last whose connection the client may use again. */
  #quiet = 0;
  #settleAnswering: () => void = () => undefined;
  #finish: () => void = () => undefined;
  #begunByOthers = false;

  constructor(server: net.Server, connections: Connections) {
    this.#server = server;
    this.#connections = connections;
    this.answering = new Promise((resolve) => {
      this.#settleAnswering = resolve;
    });
    this.closed = server.listening || connections.all.size > 0 ? this.#close() : Promise.resolve();
    this.#look();
  }

  /** Cuts every connection. */
  force(): void {
    for (const socket of [...this.#connections.http, ...this.#connections.all]) socket.destroy();
    this.#server.closeAllConnections?.();
  }

  #close(): Promise<void> {
    const server = this.#server;
    const { keepAliveTimeout } = server;
    // Idle connections are closed by looks alone.
    if (keepAliveTimeout !== undefined) server.keepAliveTimeout = 0;
    server.prependListener('request', this.#lastOfItsConnection);
    for (const socket of this.#connections.http) this.#tell(socket);
    const looking = setInterval(() => {
      this.#quiet += 1;
      this.#look();
    }, LOOK);
    const closed = new Promise<void>((resolve) => {
      this.#finish = (): void => {
        clearInterval(looking);
        server.off('close', this.#finish);
        server.off('request', this.#lastOfItsConnection);
        // The server can be made to listen again.
        if (keepAliveTimeout !== undefined) server.keepAliveTimeout = keepAliveTimeout;
        this.#settleAnswering();
        resolve();
      };
      server.once('close', this.#finish);
    });
    // Somebody else may have begun, and the server may even have told of its end.
    if (server.listening) stopAccepting(server);
    else this.#begunByOthers = true;
    return closed;
  }

  /** What a connection is busy with is its last. */
  #tell(socket: HttpSocket): void {
    const answer = socket._httpMessage;
    if (!answer) this.#received.set(socket, socket.bytesRead);
    else if (answer.headersSent || isFollowed(answer, socket)) {
      // The client was told that it may go on, or has done so: what comes behind the last answer of a connection is sent by nobody.
      answer.once('close', () => {
        this.#quiet = 0;
      });
    } else this.#lastOfItsConnection(answer.req, answer);
  }

  readonly #lastOfItsConnection = ({ socket }: IncomingMessage, res: ServerResponse): void => {
    for (const other of this.#waiting) if (other.req.socket === socket && !other.headersSent) other.removeHeader('Connection');
    if (!res.headersSent) res.setHeader('Connection', 'close');
    this.#waiting.add(res);
    res.once('close', () => {
      this.#waiting.delete(res);
      this.#look();
    });
  };

  readonly #look = (): void => {
    for (const res of this.#waiting) if (res.headersSent) this.#waiting.delete(res);
    if (this.#waiting.size === 0) this.#settleAnswering();
    if (this.#quiet >= GRACE) this.#closeSilent();
    if (this.#begunByOthers && this.#connections.all.size === 0) this.#finish();
  };

  #closeSilent(): void {
    this.#server.closeIdleConnections?.();
    // Node.js does not count those as idle that have never had a request.
    for (const [socket, received] of this.#received) {
      if (socket.bytesWritten === 0 && socket.bytesRead === received && !socket._httpMessage) socket.destroy();
    }
    this.#received.clear();
  }
}

/** @returns whether another request has come behind that of an answer */
function isFollowed({ req }: ServerResponse, { parser }: HttpSocket): boolean {
  const last = parser?.incoming;
  return last !== undefined && last !== null && last !== req;
}

/** Node's own `close` cuts idle connections at once, whose next request may be on its way; it calls the public method for that. */
function stopAccepting(server: net.Server): void {
  const own = Object.getOwnPropertyDescriptor(server, 'closeIdleConnections');
  Object.defineProperty(server, 'closeIdleConnections', { value: () => undefined, configurable: true });
  try {
    server.close();
  } finally {
    if (own) Object.defineProperty(server, 'closeIdleConnections', own);
    else Reflect.deleteProperty(server, 'closeIdleConnections');
  }
}

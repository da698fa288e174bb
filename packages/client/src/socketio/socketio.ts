import { queryAsJson, refuseInstances } from '@framework/query';
import { FrameworkClientError } from '../errors/client-error.ts';
import { errorOfBody } from '../errors/error-of-body.ts';
import { checkOptions } from '../check-options.ts';
import { fieldsOf } from '../fields.ts';
import { need } from '../need.ts';
import { pathText } from '../service/service-path.ts';
import { dataAsJson } from './to-json.ts';
import { EventStream, type EventConnection, type EventListener } from '../events/event-stream.ts';
import type { NullableId, Transport, TransportAnswer, TransportCall } from '../transport.ts';

/** What is used of a socket of `socket.io-client`. */
export interface ClientSocket {
  readonly connected: boolean;
  readonly recovered?: boolean;
  connect(): unknown;
  disconnect(): unknown;
  emit(event: string, ...args: unknown[]): unknown;
  on(event: string, listener: (...args: unknown[]) => void): unknown;
  off(event: string, listener: (...args: unknown[]) => void): unknown;
  onAny(listener: (event: string, ...args: unknown[]) => void): unknown;
  offAny(listener: (event: string, ...args: unknown[]) => void): unknown;
}

/** Longest wait in milliseconds before a connection that the server has ended is made again. */
const COME_BACK = 500;
/** Longest wait in milliseconds before a connection that could not be logged in is logged in again; the first is at most {@link COME_BACK}, and they double. */
const LOG_IN = 30_000;

/** Options of {@link socketio}. */
export interface SocketioOptions {
  /** Milliseconds after which a call fails; `0` for never. Default: 30,000. */
  readonly timeout?: number;
}

/**
 * Calls and events over a socket of Socket.IO. The connection itself is logged in, and again each time that it is made; one that the server has ended,
 * as it does with the login, is made again. What this gives is for one client.
 *
 * @param socket `io(url)` of `socket.io-client` 4; it is not closed here
 * @throws TypeError for an option that there is not; `createClient` throws one for a second client, before the first is closed
 */
export function socketio(socket: ClientSocket, options: SocketioOptions = {}): Transport {
  need((socket as { readonly emit?: unknown } | undefined)?.emit, 'socketio() needs a socket: io(url) of socket.io-client');
  checkOptions('socketio()', options, 'timeout');
  /** Of the connection that was made last. */
  let login: Promise<unknown> | undefined;
  let isTaken = false;
  /** Told of a login that came late: what it would have been sent before, nobody was. */
  const late = new Set<Pick<EventListener, 'reset'>>();
  // The connection is still the user's that was logged in before: calls would be made as that one, and its events come.
  const remake = (): void => {
    if (!isTaken || !socket.connected) return;
    socket.disconnect();
    socket.connect();
  };
  return {
    name: 'socketio',
    events: (host) => new EventStream(connectionOf(socket, late, remake), host),
    timeout: options.timeout ?? 30_000,
    call: (call) => send(socket, call, () => login),
    onConnect(logIn) {
      // Its login is that of the connection, and with its end the connection is left alone.
      if (isTaken) throw new TypeError('This socketio() has a client already: close that one first, or give each its own socket');
      isTaken = true;
      let timer: ReturnType<typeof setTimeout> | undefined;
      let isClosed = false;
      const connected = (): void => logInAgain(0);
      // What the server can not do at present is not the end of the login: without it the connection would stay nobody's.
      const logInAgain = (failed: number): void => {
        const own = (login = logIn().then((error) => {
          if (login !== own || isClosed || !socket.connected) return;
          if (/^(40[89]|429|5..)$/.test(String(fieldsOf(error).code)))
            timer = setTimeout(logInAgain, Math.random() * Math.min(LOG_IN, COME_BACK * 2 ** failed), failed + 1);
          else if (!error && failed && socket.recovered !== true) for (const listener of late) listener.reset();
        }));
      };
      // With the login the server ends the connection, and for that Socket.IO does not come back by itself.
      const ended = (reason: unknown): void => {
        clearTimeout(timer);
        // Who has heard of it before may have closed the client.
        if (reason === 'io server disconnect' && !isClosed) timer = setTimeout(() => socket.connect(), Math.random() * COME_BACK);
      };
      socket.on('connect', connected);
      socket.on('disconnect', ended);
      if (socket.connected) connected();
      return () => {
        if (isClosed) return;
        isClosed = true;
        clearTimeout(timer);
        socket.off('connect', connected);
        socket.off('disconnect', ended);
        isTaken = false;
      };
    },
  };
}

/**
 * @param login gives what a call waits for that had no connection when it was made
 * @throws TypeError for what is said over REST alone, and as `queryAsJson` and `refuseInstances` of `@framework/query`
 */
function send(socket: ClientSocket, call: TransportCall, login: () => unknown): Promise<TransportAnswer> {
  const { method, id, data, params } = call;
  const path = pathText(call.path);
  // An argument that is not there would be the query.
  const sentData = /^(find|get|remove)$/.test(method) ? [] : [dataAsJson(data ?? {})];
  const { signal: ended } = params;
  // Without its condition it would be another write, and without its key one that is made twice.
  for (const name of ['ifMatch', 'idempotencyKey'] as const)
    if (params[name] !== undefined) throw new TypeError(`'${name}' goes over rest() alone: calls over a socket have no headers`);
  const query = params.query ?? {};
  refuseInstances(query);
  const args = [...(id === undefined ? [] : [idOf(id)]), ...sentData, queryAsJson(query)];
  return new Promise((resolve, reject) => {
    const settle = (): void => {
      socket.off('connect', connected);
      socket.off('disconnect', cut);
      ended.removeEventListener('abort', settle);
    };
    // What was on its way when the connection went may have been done, or not.
    const cut = (): void => {
      settle();
      reject(new FrameworkClientError('network', 'The connection was cut before the answer came', { code: 503 }));
    };
    let isMade = false;
    const make = (): void => {
      isMade = true;
      socket.off('connect', connected);
      socket.on('disconnect', cut);
      socket.emit(method, path, ...args, (error: unknown, result: unknown) => {
        settle();
        if (error === null || error === undefined) resolve({ result: result ?? null });
        else reject(errorOfBody(error));
      });
    };
    // The socket itself would keep a call without a connection, and make it in front of the login, or when its caller was told long ago that it has failed.
    const connected = (): void =>
      void Promise.resolve(login()).then(() => {
        if (socket.connected && !isMade && !ended.aborted) make();
      });
    ended.addEventListener('abort', settle);
    // Who has waited for a renewal may have given up.
    if (ended.aborted) settle();
    else if (socket.connected) make();
    else socket.on('connect', connected);
  });
}

/**
 * An id as it is sent.
 *
 * @throws TypeError for what is neither text nor number as JSON: that may become `null`, the id of all records
 */
function idOf(id: NullableId): unknown {
  const text = JSON.stringify(id);
  if (id === null || /^["\d-]/.test(text)) return JSON.parse(text);
  throw new TypeError(`'${id}' can not be an id`);
}

/** @param late holds who is told of a login that came late */
function connectionOf(socket: ClientSocket, late: Set<Pick<EventListener, 'reset'>>, remake: () => void): EventConnection {
  return {
    remake,
    open(listener) {
      let before = socket.connected;
      const connected = (): void => {
        listener.connect();
        // The first connection has missed nothing.
        if (before && socket.recovered !== true) listener.reset();
        before = true;
      };
      const cut = (): void => listener.disconnect();
      const any = (name: string, data: unknown): void => listener.event(name, data);
      socket.on('connect', connected);
      socket.on('disconnect', cut);
      socket.onAny(any);
      late.add(listener);
      if (socket.connected) listener.connect();
      return () => {
        late.delete(listener);
        socket.off('connect', connected);
        socket.off('disconnect', cut);
        socket.offAny(any);
      };
    },
  };
}

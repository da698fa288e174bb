%% if login
import { randomBytes } from 'node:crypto';
%% end
%% if mongodb
import { DocDbServer } from '@framework/docdb-embedded';
%% end
%% if socketio
import { io } from 'socket.io-client';
%% end
import { createApp } from '../src/app.«ext»';

%% if ts
export interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

%% end
/** The application with a database of its own, on a free port. */
export async function startApp() {
%% if mongodb
  const database = await DocDbServer.start();
%% if login
  const app = createApp({ DATABASE_URL: new URL('/app', database.uri).href, AUTH_SECRET: randomBytes(48).toString('base64') });
%% else
  const app = createApp({ DATABASE_URL: new URL('/app', database.uri).href });
%% end
%% else
%% if embedded
%% if login
  const app = await createApp({ AUTH_SECRET: randomBytes(48).toString('base64') });
%% else
  const app = await createApp({});
%% end
%% else
%% if login
  const app = createApp({ AUTH_SECRET: randomBytes(48).toString('base64') });
%% else
  const app = createApp();
%% end
%% end
%% end
  const server = await app.listen(0, '127.0.0.1');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port');
  const url = `http://127.0.0.1:${String(address.port)}`;

%% if ts
  const call = async (method: string, path: string, data?: object, token?: string): Promise<Answer> => {
%% else
  /** @type {(method: string, path: string, data?: object, token?: string) => Promise<{ status: number, body: any }>} */
  const call = async (method, path, data, token) => {
%% end
    const headers = {
      accept: 'application/json',
      ...(data ? { 'content-type': 'application/json' } : {}),
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    };
    const answer = await fetch(url + path, { method, headers, ...(data ? { body: JSON.stringify(data) } : {}) });
    const text = await answer.text();
%% if ts
    return { status: answer.status, body: text === '' ? {} : (JSON.parse(text) as Answer['body']) };
%% else
    return { status: answer.status, body: text === '' ? {} : JSON.parse(text) };
%% end
  };
%% if sse

  /** Opens a stream of events. What comes back waits for an event and gives its record: `const heard = await listen('messages created')`. */
%% if ts
  const listen = async (event: string, token?: string) => {
%% else
  /** @type {(event: string, token?: string) => Promise<() => Promise<any>>} */
  const listen = async (event, token) => {
%% end
    const headers = { accept: 'text/event-stream', ...(token ? { authorization: `Bearer ${token}` } : {}) };
    const { status, body } = await fetch(`${url}/events`, { headers });
    if (status !== 200 || body === null) throw new Error(`The stream answered ${String(status)}`);
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
%% if js
    /** @type {(name: string) => Promise<any>} */
%% end
    const next = async (name‹: string›)‹: Promise<Answer['body']>› => {
      for (;;) {
        const end = text.indexOf('\n\n');
        if (end === -1) {
          const { done, value } = await reader.read();
          if (done) throw new Error(`The stream ended without '${name}'`);
          text += value;
          continue;
        }
        const lines = text.slice(0, end).split('\n');
        text = text.slice(end + 2);
        const data = lines.find((line) => line.startsWith('data: '));
        if (lines.includes(`event: ${name}`) && data) return ‹JSON.parse(data.slice(6)) as Answer['body']¦JSON.parse(data.slice(6))›;
      }
    };
    await next('connection');
    return () => next(event);
  };
%% end
%% if socketio

%% if ts
  const sockets: ReturnType<typeof io>[] = [];
%% else
  /** @type {ReturnType<typeof io>[]} */
  const sockets = [];
%% end
  /** Opens a socket. What comes back waits for an event and gives its record: `const heard = await listen('messages created')`. */
%% if ts
  const listen = async (event: string, token?: string) => {
%% else
  /** @type {(event: string, token?: string) => Promise<() => Promise<any>>} */
  const listen = async (event, token) => {
%% end
    const socket = io(url, {
      forceNew: true,
      transports: ['websocket'],
      ...(token ? { extraHeaders: { authorization: `Bearer ${token}` } } : {}),
    });
    sockets.push(socket);
%% if ts
    const heard = new Promise<Answer['body']>((resolve) => socket.once(event, resolve));
    await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('connect_error', reject));
%% else
    const heard = new Promise((resolve) => socket.once(event, resolve));
    await new Promise((resolve, reject) => socket.once('connect', () => resolve(undefined)).once('connect_error', reject));
%% end
    return () => heard;
  };
%% end
%% if login

  const user = { email: 'ann@example.com', password: randomBytes(12).toString('hex') };
  /** Registers a user, if need be, and logs in. */
%% if js
  /** @param {string} email */
%% end
  const login = async (email‹: string› = user.email)‹: Promise<string>› => {
    await call('POST', '/users', { ...user, email });
    const { status, body } = await call('POST', '/authentication', { strategy: 'local', ...user, email });
    if (status !== 201) throw new Error(`The login answered ${String(status)}`);
    return String(body.accessToken);
  };
%% end

  const stop = async () => {
%% if socketio
    for (const socket of sockets) socket.disconnect();
%% end
    await app.close();
%% if mongodb
    await database.stop();
%% end
  };
%% if login & realtime
  return { url, call, listen, login, stop };
%% end
%% if login & !realtime
  return { url, call, login, stop };
%% end
%% if !login & realtime
  return { url, call, listen, stop };
%% end
%% if !login & !realtime
  return { url, call, stop };
%% end
}

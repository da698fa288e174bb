%% if login
import { randomBytes } from 'node:crypto';
%% end
%% if mongodb
import { DocDbServer } from '@framework/docdb-embedded';
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
    await app.close();
%% if mongodb
    await database.stop();
%% end
  };
%% if login
  return { url, call, login, stop };
%% else
  return { url, call, stop };
%% end
}

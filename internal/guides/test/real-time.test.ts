import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { EventSource } from 'eventsource';
import { startGuide, type RunningGuide } from './running-guide.ts';

const text = readFileSync(new URL('../../../docs/guides/real-time.md', import.meta.url), 'utf8');

/** The code block with this title. */
function block(title: string): string {
  return String(new RegExp(`^\`\`\`js ${title}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(text)?.[1]);
}

/** What stands around the code of the guide: a database, users who log in, and the services that it names. */
const APPLICATION = `
import { AuthenticationService, JWTStrategy } from '@framework/authentication';
import { hashPassword, LocalStrategy, protect } from '@framework/authentication-local';
import { channels } from '@framework/channels';
import { framework } from '@framework/core';
import { DocDbServer } from '@framework/docdb-embedded';
import express, { errorHandler, json, rest } from '@framework/transport-express';
import { sse } from '@framework/transport-sse';
import { MongoClient } from 'mongodb';

const database = await DocDbServer.start();
const client = await new MongoClient(database.uri).connect();
const db = client.db('guide');
const app = express(framework());
app.use(json());
${block('processes')}
app.configure(rest()).configure(sse());
app.use('users', new DocDbService({ Model: db.collection('users'), id: 'id' }));
app.service('users').hooks({ around: { all: [protect('password')] }, before: { create: [hashPassword('password')] } });
app.use('messages', new DocDbService({ Model: db.collection('messages'), id: 'id' }));
app.set('authentication', {
  secret: 'a secret of more than thirty-two bytes, for tests',
  service: 'users',
  entity: 'user',
  authStrategies: ['jwt', 'local'],
  local: { usernameField: 'email', passwordField: 'password' },
});
const authentication = new AuthenticationService(app);
authentication.register('jwt', new JWTStrategy());
authentication.register('local', new LocalStrategy());
app.use('authentication', authentication);
${block('channels')}
${block('whole')}
// What another program does.
app.post('/outside', async (req, res) => res.json(await db.collection('stock').insertOne({ item: 'tea' })));
app.use(errorHandler());
const server = await app.listen(0, '127.0.0.1');
console.log('http://127.0.0.1:' + server.address().port);
process.on('SIGTERM', () => process.exit());
`;

let guide: RunningGuide;
let url: string;
beforeAll(async () => {
  guide = await startGuide(APPLICATION);
  ({ url } = guide);
});
afterAll(() => guide.stop());

async function send(method: string, path: string, data?: object): Promise<any> {
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  return (await fetch(url + path, { method, headers, ...(data ? { body: JSON.stringify(data) } : {}) })).json();
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 10));
}

/** Runs the code of the page as a browser does. */
function runPage<S>(
  source: new (path: string) => S,
  request: object,
  accessToken: string,
): { readonly list: Map<string, any>; readonly events: S } {
  // oxlint-disable-next-line typescript/no-implied-eval -- the code of the guide
  return new Function('EventSource', 'fetch', 'accessToken', `${block('page')}\nreturn { list, events };`)(source, request, accessToken);
}

/** The page, as a browser has it from the server. */
function openPage(accessToken: string): { readonly list: Map<string, any>; readonly events: EventSource } {
  class Source extends EventSource {
    constructor(path: string) {
      super(url + path);
    }
  }
  return runPage(Source, (path: string, init?: RequestInit): Promise<Response> => fetch(url + path, init), accessToken);
}

/** A stream whose events are given to it. */
class GivenEvents {
  readonly #listeners = new Map<string, ((event: { readonly data: string }) => unknown)[]>();

  addEventListener(name: string, listener: (event: { readonly data: string }) => unknown): void {
    this.#listeners.set(name, [...(this.#listeners.get(name) ?? []), listener]);
  }

  give(name: string, data: object): void {
    for (const listener of this.#listeners.get(name) ?? []) listener({ data: JSON.stringify(data) });
  }
}

it('the code of the guide to real time does what it says', async () => {
  const [ann, bob] = ['ann', 'bob'].map((name, index) => ({
    id: `u${index + 1}`,
    email: `${name}@example.com`,
    password: `password of ${name}`,
  }));
  for (const user of [ann, bob]) await send('POST', '/users', user);
  await send('POST', '/messages', { id: 'm1', from: 'u1', to: 'u2', text: 'before' });
  const { accessToken } = await send('POST', '/authentication', { strategy: 'local', email: ann?.email, password: ann?.password });
  const { list, events } = openPage(accessToken);
  const heard: string[] = [];
  for (const name of ['orders created', 'stock created', 'users patched']) {
    events.addEventListener(name, ({ data }) => heard.push(`${name} ${JSON.parse(data).item}`));
  }
  // Logged in, it reads once.
  await until(() => list.get('m1')?.text === 'before');
  await send('POST', '/messages', { id: 'm2', from: 'u2', to: 'u1', text: 'for Ann' });
  await send('POST', '/messages', { id: 'm3', from: 'u2', to: 'u2', text: 'for Bob alone' });
  await send('PATCH', '/messages/m1?$select[]=text', { text: 'changed' });
  await send('DELETE', '/messages/m2');
  await send('POST', '/orders', { item: 'coffee' });
  await send('POST', '/outside');
  await until(() => heard.length === 2 && list.get('m1')?.text === 'changed' && !list.has('m2'));
  events.close();
  expect([...list.values()]).toMatchObject([{ id: 'm1', text: 'changed' }]);
  expect(heard).toEqual(['orders created coffee', 'stock created tea']);
});

it('the page of the guide has what the server has behind a reset, whatever comes while it logs in and reads', async () => {
  const asked: string[] = [];
  const answers: ((messages: object[]) => void)[] = [];
  const request = (path: string): Promise<object> => {
    asked.push(path);
    if (path !== '/messages') return Promise.resolve({});
    return new Promise((resolve) => answers.push((messages) => resolve({ json: async () => messages })));
  };
  const { list, events } = runPage(GivenEvents, request, 'token');
  events.give('connection', { id: 'first' });
  await until(() => answers.length === 1);
  // The answer is of before the events.
  events.give('messages created', { id: 3, text: 'c' });
  events.give('messages patched', { id: 1, text: 'newer' });
  events.give('messages removed', { id: 2 });
  answers[0]?.([1, 2].map((id) => ({ id, text: 'a' })));
  await until(() => list.size === 2);
  expect(Object.fromEntries(list)).toEqual({ 1: { id: 1, text: 'newer' }, 3: { id: 3, text: 'c' } });
  // One that comes back with all that it missed reads nothing; of the other nobody knows what was removed.
  events.give('connection', { id: 'second' });
  events.give('connection', { id: 'third' });
  events.give('reset', {});
  await until(() => answers.length === 2);
  expect(asked).toEqual(['/authentication', '/messages', '/authentication', '/authentication', '/messages']);
  answers[1]?.([{ id: 3, text: 'd' }]);
  await until(() => list.size === 1);
  expect(Object.fromEntries(list)).toEqual({ 3: { id: 3, text: 'd' } });
  events.give('messages created', { id: 4, text: 'e' });
  expect([...list.keys()]).toEqual([3, 4]);
});

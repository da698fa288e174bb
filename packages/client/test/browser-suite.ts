// What a client does in every place where it runs: called by Node.js, by a page and by a worker, against a server that is given.
import { createClient, FrameworkClientError, pages, records, rest, sse } from '../src/index.ts';
import { findOptions, liveQuery } from '../src/query/index.ts';
import { QueryClient } from '@tanstack/query-core';
import type { TestApp } from './application.ts';

/** What one check has found: `undefined` when all is well. */
export type Outcome = readonly [title: string, fault: string | undefined];

const LOGIN = { strategy: 'local', email: 'ann@example.com', password: 'correct horse' };

function same(value: unknown, expected: unknown): void {
  if (JSON.stringify(value) !== JSON.stringify(expected)) throw new Error(`${JSON.stringify(value)} and not ${JSON.stringify(expected)}`);
}

async function fails(call: Promise<unknown>, kind: string, code?: number): Promise<void> {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof FrameworkClientError)) throw new Error(`It failed with ${String(error)}`);
  same([error.kind, error.code], [kind, code ?? error.code]);
}

/** @param url of the server; `''` in a page of its own */
export async function runSuite(url: string): Promise<Outcome[]> {
  const make = (path = '', options = {}) => createClient<TestApp>(rest(url + path, { retry: false, ...options }), { events: sse(url) });
  const mark = crypto.randomUUID();
  const checks: Record<string, () => Promise<void>> = {
    async calls() {
      const messages = make().service('messages');
      const { id, text } = await messages.create({ text: mark, at: new Date(0), tags: ['é & =', '[]'] });
      same(text, mark);
      same(((await messages.find({ query: { text: mark, tags: 'é & =' } })) as object[]).length, 1);
      same((await messages.patch(id, { likes: 1 })).likes, 1);
      same((await messages.shout({ loud: true })) as string, 'HEY');
      await messages.remove(id);
      await fails(messages.get(id), 'answer', 404);
    },
    async 'bad answers'() {
      await fails(make('/bad/html').service('notes').find(), 'not-json');
      await fails(make('/bad/cut').service('notes').find(), 'network');
      await fails(make('/bad/large', { maxResponse: 100_000 }).service('notes').find(), 'too-large');
      await fails(make('/bad/never', { timeout: 50 }).service('notes').find(), 'timeout', 408);
      await fails(make('/bad/elsewhere').service('notes').create({ text: 'secret' }), 'redirect');
    },
    async 'calls that are given up'() {
      const controller = new AbortController();
      const call = make('/bad/never').service('notes').find({ signal: controller.signal });
      controller.abort(new Error('mine'));
      same(await call.catch((error: unknown) => (error as Error).message), 'mine');
    },
    async uploads() {
      const form = new FormData();
      form.append('file', new Blob(['twelve bytes']), 'note.txt');
      same(await make().service('uploads').create(form), { name: 'note.txt', size: 12 });
    },
    async pages() {
      const service = make().service('pages');
      await service.create(Array.from({ length: 7 }, (_, place) => ({ place, mark })));
      let [count, all] = [0, 0];
      // Its own: a page and a worker run this at the same time.
      for await (const _ of records(service, { query: { mark } })) count += 1;
      for await (const { data } of pages(service, { query: { mark, $limit: 5 } })) all += data.length;
      same([count, all], [7, 7]);
    },
    async versions() {
      const messages = make().service('messages');
      const { id } = await messages.create({ text: mark });
      const record = await messages.get(id);
      await messages.patch(id, { likes: 1 }, { ifMatch: record });
      await fails(messages.patch(id, { likes: 2 }, { ifMatch: record }), 'answer', 412);
    },
    async logins() {
      const client = make();
      await fails(client.service('who').find(), 'answer', 401);
      await fails(client.authenticate({ ...LOGIN, password: 'wrong' }), 'answer', 401);
      await client.authenticate(LOGIN);
      same(await client.service('who').find(), { email: LOGIN.email });
      await client.logout();
      await fails(client.service('who').find(), 'answer', 401);
    },
    async events() {
      const client = make();
      const connected = new Promise<void>((resolve) => client.on('connect', resolve));
      const events = client.service('notes').events();
      const first = events.next();
      await connected;
      const { text } = await client.service('notes').create({ text: mark });
      for (let event = (await first).value; event; event = (await events.next()).value) {
        if ((event.data as { text?: string } | undefined)?.text === text) break;
      }
      await events.return();
      client.close();
    },
    async caches() {
      const client = make();
      const cache = new QueryClient();
      const notes = client.service('notes');
      const connected = new Promise<void>((resolve) => client.on('connect', resolve));
      const end = liveQuery(client, cache, { services: { notes } });
      await connected;
      const options = findOptions('notes', notes, { query: { text: `${mark} cached` } });
      // What comes into an empty list is asked for: no record has shown what answers have.
      await notes.create({ text: `${mark} cached` });
      await cache.fetchQuery(options);
      await notes.create({ text: `${mark} cached` });
      while (!JSON.stringify(cache.getQueryData(options.queryKey)).includes('"total":2'))
        await new Promise((resolve) => setTimeout(resolve, 5));
      end();
      client.close();
    },
  };
  const outcomes: Outcome[] = [];
  for (const [title, check] of Object.entries(checks)) {
    try {
      await check();
      outcomes.push([title, undefined]);
    } catch (error) {
      outcomes.push([title, String(error)]);
    }
  }
  return outcomes;
}

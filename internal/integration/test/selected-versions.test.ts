import { DocDbService } from '@framework/adapter-docdb';
import { MemoryService } from '@framework/adapter-memory';
import { framework } from '@framework/core';
import { hooks, ReadOnly, resolve, serviceSchema, Type, virtual } from '@framework/schema';
import { startDatabase, type TestDatabase } from '@framework-internal/testing/database';
import express, { errorHandler, json, rest, type Application } from '@framework/transport-express';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listen, send, sendJson, type Running } from './harness.ts';

let database: TestDatabase;
let running: Running;
beforeAll(async () => {
  database = await startDatabase();
  const app = express(framework()) as Application;
  app.use(json());
  app.configure(rest());
  const options = { id: '_id', version: 'rev' } as const;
  for (const name of ['plain', 'resolved']) {
    app.use(`${name}-memory`, new MemoryService(options), { conditional: true });
    app.use(`${name}-docdb`, new DocDbService({ ...options, Model: database.db.collection(name) }), { conditional: true });
  }
  const loud = resolve<{ text: string; loud: string }>({ loud: virtual(({ text }) => Promise.resolve(`${text}!`)) });
  for (const name of ['resolved-memory', 'resolved-docdb']) app.service(name).hooks({ around: [hooks.resolveResult(loud)] });
  app.use(errorHandler({ logger: false }));
  running = await listen(app);
});
afterAll(async () => {
  await running.stop();
  await database.close();
});

describe.each(['plain-memory', 'plain-docdb', 'resolved-memory', 'resolved-docdb'])(
  'a record of %s that $select takes parts of',
  (name) => {
    const selected = name.startsWith('plain') ? '$select[]=text' : '$select[]=loud';

    it.each([
      ['get', (at: string) => send(running.url, `${at}?${selected}`)],
      ['create', () => sendJson(running.url, 'POST', `/${name}?${selected}`, { text: 'made' })],
      ['patch', (at: string) => sendJson(running.url, 'PATCH', `${at}?${selected}`, { text: 'patched' })],
      ['update', (at: string) => sendJson(running.url, 'PUT', `${at}?${selected}`, { text: 'updated' })],
    ])('has a tag by which the record is changed: %s', async (_method, call) => {
      const made = await sendJson(running.url, 'POST', `/${name}`, { text: 'first' });
      const { headers, body } = await call(`/${name}/${String(made.body._id)}`);
      const changed = await sendJson(
        running.url,
        'PATCH',
        `/${name}/${String(body._id)}`,
        { text: 'second' },
        { 'if-match': headers.etag },
      );
      expect(changed.status).toBe(200);
    });

    it('has another tag after a write of what was not selected', async () => {
      const { body } = await sendJson(running.url, 'POST', `/${name}`, { text: 'first' });
      const at = `/${name}/${String(body._id)}`;
      const before = await send(running.url, `${at}?${selected}`);
      await sendJson(running.url, 'PATCH', at, { other: 1 });
      expect((await send(running.url, `${at}?${selected}`)).headers.etag).not.toBe(before.headers.etag);
    });
  },
);

describe.each([
  ['memory', () => new MemoryService({ id: '_id', version: 'rev' })],
  ['docdb', () => new DocDbService({ Model: database.db.collection('described'), version: 'rev' })],
] as const)('a record of %s', (_name, made) => {
  const started = (rev: typeof number | typeof text): Promise<unknown> =>
    framework()
      .use('notes', made(), { schema: serviceSchema({ record: Type.Object({ _id: Type.String(), rev }) }) })
      .setup();
  const [number, text] = [ReadOnly(Type.Integer()), ReadOnly(Type.String())] as const;

  it('that describes its version as a number is refused at start, and as a text it is taken', async () => {
    await expect(started(number)).rejects.toThrow("The record of 'notes' describes 'rev' as something else than any text");
    await expect(started(text)).resolves.toBeDefined();
  });
});

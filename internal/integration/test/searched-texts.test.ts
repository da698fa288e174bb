import { DocDbService } from '@framework/adapter-docdb';
import { framework, type HookContext, type ServiceOptions } from '@framework/core';
import { Field, Hidden, serviceSchema, Type } from '@framework/schema';
import { startDatabase, type TestDatabase } from '@framework-internal/testing/database';
import express, { errorHandler, json, rest, type Application } from '@framework/transport-express';
import type { CommandStartedEvent, IndexSpecification } from 'mongodb';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { listen, send, sendJson, type Running } from './harness.ts';

let database: TestDatabase;
const commands: string[] = [];
beforeAll(async () => {
  database = await startDatabase({ monitorCommands: true });
  database.client.on('commandStarted', ({ commandName }: CommandStartedEvent) => commands.push(commandName));
});
afterAll(() => database.close());

const running: Running[] = [];
afterEach(async () => {
  for (const { stop } of running.splice(0)) await stop();
  await database.db.collection('notes').drop();
});

const record = (secret: typeof Type.String): ReturnType<typeof Type.Object> =>
  Type.Object({
    _id: Type.String(),
    name: Type.String(),
    secret: secret(),
    inner: Type.Optional(Type.Object({ secret: secret(), text: Type.String() })),
  });
const extensions = { $root: { $search: { type: 'string' } } };
const byRole = (): ReturnType<typeof Type.String> => Field(Type.String(), { readable: ({ headers }) => headers?.['x-role'] === 'admin' });

const PLAIN: ServiceOptions = {};
const HIDERS: [string, readonly string[], ServiceOptions][] = [
  ['the option of the adapter', ['secret', 'inner.secret'], PLAIN],
  ['the schema', [], { schema: serviceSchema({ record: record(() => Hidden(Type.String())), extensions }) }],
  ['a rule by role', [], { schema: serviceSchema({ record: record(byRole), extensions }) }],
];

async function start(
  index: IndexSpecification,
  hidden: readonly string[],
  options: ServiceOptions,
  hook?: (context: HookContext) => void,
): Promise<Running> {
  const app = express(framework()) as Application;
  app.use(json());
  app.configure(rest());
  const collection = database.db.collection('notes');
  await collection.createIndex(index);
  app.use('notes', new DocDbService({ Model: collection, hidden, filters: ['$search'], multi: true, disableObjectify: true }), options);
  if (hook) app.service('notes').hooks({ before: { find: [hook] } });
  app.use(errorHandler({ logger: false }));
  const started = await listen(app);
  running.push(started);
  await app.service('notes').create([
    { _id: '1', name: 'green tea', secret: 'walnut', inner: { secret: 'almond', text: 'plain' } },
    { _id: '2', name: 'black tea', secret: 'hazel', inner: { secret: 'pecan', text: 'plain' } },
  ]);
  return started;
}

const refused = expect.objectContaining({ code: 400, message: expect.stringContaining('$search') });

describe.each(HIDERS)('S7 a text search, of texts that are kept by %s', (_title, hidden, options) => {
  it.each<[string, IndexSpecification]>([
    ['one of them', { name: 'text', secret: 'text' }],
    ['one inside of an object', { 'inner.secret': 'text' }],
    ['an object with one', { inner: 'text' }],
    ['all texts', { '$**': 'text' }],
  ])('is refused where the index has %s', async (_index, index) => {
    const { url } = await start(index, hidden, options);
    for (const word of ['walnut', 'almond', 'nothing']) {
      expect((await send(url, `/notes?$search=${word}`)).body).toEqual(refused);
      expect((await send(url, `/notes/1?$search=${word}`)).body).toEqual(refused);
      expect((await sendJson(url, 'PATCH', `/notes?$search=${word}`, { name: 'mine' })).body).toEqual(refused);
      expect((await send(url, `/notes?$search=${word}`, { method: 'DELETE' })).body).toEqual(refused);
    }
    expect(await database.db.collection('notes').countDocuments({ name: /tea/ })).toBe(2);
  });

  it('finds by what callers see', async () => {
    const { url } = await start({ name: 'text', 'inner.text': 'text' }, hidden, options);
    expect((await send(url, '/notes?$search=green')).body).toEqual([expect.objectContaining({ _id: '1' })]);
    expect((await send(url, '/notes?$search=walnut')).body).toEqual([]);
  });

  it('finds by all of it for code on the server', async () => {
    const { app } = await start({ secret: 'text' }, hidden, options);
    expect(await app.service('notes').find({ query: { $search: 'walnut' } })).toEqual([expect.objectContaining({ _id: '1' })]);
  });

  it('is refused too where a hook makes it of what the caller sends', async () => {
    const search = ({ params }: HookContext): void => {
      Object.assign(params, { query: { $search: params.headers?.['x-word'] } });
    };
    const { url } = await start({ secret: 'text' }, hidden, options, search);
    expect((await send(url, '/notes', { headers: { 'x-word': 'walnut' } })).body).toEqual(refused);
  });
});

describe('a text search', () => {
  it('finds for whoever reads all that the index has', async () => {
    const [, hidden, options] = HIDERS[2] as (typeof HIDERS)[number];
    const { url } = await start({ secret: 'text' }, hidden, options);
    expect((await send(url, '/notes?$search=walnut', { headers: { 'x-role': 'admin' } })).body).toEqual([
      expect.objectContaining({ _id: '1' }),
    ]);
  });

  it('asks for no indexes where nothing is kept from anybody', async () => {
    const { url } = await start({ secret: 'text' }, [], PLAIN);
    commands.length = 0;
    expect((await send(url, '/notes?$search=walnut')).body).toEqual([expect.objectContaining({ _id: '1' })]);
    expect(commands).toEqual(['find']);
  });
});

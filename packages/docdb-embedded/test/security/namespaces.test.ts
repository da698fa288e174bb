import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { BSONSymbol, Code, type Document, MongoClient } from 'mongodb';
import { DocDbServer } from '../../src/index.ts';
import { WireClient } from '../wire-client.ts';

let server: DocDbServer;
let root: MongoClient;
let ann: MongoClient;

/** Ann may do everything with the collections of `mine`, and nothing with `yours`. */
beforeAll(async () => {
  server = await DocDbServer.start({ auth: { user: 'root', password: 'pw' } });
  root = await new MongoClient(server.uri, { auth: { username: 'root', password: 'pw' } }).connect();
  for (const db of ['mine', 'yours', 'true', '5']) await root.db(db).collection('notes').insertOne({ of: db });
  await root.db('admin').command({ createUser: 'ann', pwd: 'pw', roles: [{ role: 'dbOwner', db: 'mine' }] });
  await root.db('admin').command({ createUser: 'mod', pwd: 'pw', roles: [{ role: 'dbAdmin', db: 'mine' }] });
  ann = await new MongoClient(server.uri, { auth: { username: 'ann', password: 'pw' } }).connect();
});
afterAll(async () => {
  await ann.close();
  await root.close();
  await server.stop();
});

const from = (db: unknown): Document => ({ db, coll: 'notes' });
const lookup = (of: Document): Document => ({ $lookup: { from: of, pipeline: [], as: 'found' } });
const graph = (of: Document): Document => ({
  $graphLookup: { from: of, startWith: '$of', connectFromField: 'of', connectToField: 'of', as: 'found' },
});

async function documents(client: MongoClient, db: string, pipeline: Document[], name: string | number = 'notes'): Promise<Document[]> {
  const { cursor } = await client.db(db).command({ aggregate: name, pipeline, cursor: {} });
  return (cursor as Document).firstBatch as Document[];
}

const ODD: [string, unknown][] = [
  ['list', ['yours']],
  ['number', 5],
  ['boolean', true],
  ['symbol', new BSONSymbol('yours')],
  ['code', new Code('yours')],
];

const OF_TYPE = /must be of type string|has to be a text/;

it.each(ODD)('a %s names no database whose name it looks like', async (_, db) => {
  for (const stage of [lookup(from(db)), graph(from(db)), { $unionWith: from(db) }])
    for (const client of [ann, root])
      await expect(documents(client, 'mine', [stage])).rejects.toMatchObject({
        code: expect.any(Number),
        message: expect.stringMatching(OF_TYPE),
      });
});

it('a database that a stage names is the one that is read', async () => {
  for (const stage of [lookup(from('yours')), graph(from('yours')), { $unionWith: from('yours') }])
    await expect(documents(ann, 'mine', [stage])).rejects.toMatchObject({ code: 13 });
  expect(await documents(root, 'mine', [{ $unionWith: from('yours') }])).toMatchObject([{ of: 'mine' }, { of: 'yours' }]);
  // From a database where nothing may be read.
  expect(await documents(ann, 'yours', [{ $documents: [{}] }, { $unionWith: from('mine') }], 1)).toMatchObject([{}, { of: 'mine' }]);
});

it('a name below a stage that names a database is one of that, so that nobody reads another', async () => {
  const inner = [{ $unionWith: 'notes' }];
  const facet = [{ $facet: { all: inner } }, { $unwind: '$all' }, { $replaceWith: '$all' }];
  for (const pipeline of [inner, facet]) {
    const stage = { $lookup: { from: from('mine'), pipeline, as: 'found' } };
    const [document] = await documents(ann, 'yours', [{ $documents: [{}] }, stage], 1);
    expect(document?.found).toMatchObject([{ of: 'mine' }, { of: 'mine' }]);
    const union = { $unionWith: { ...from('mine'), pipeline } };
    expect(await documents(ann, 'yours', [{ $documents: [] }, union], 1)).toMatchObject([{ of: 'mine' }, { of: 'mine' }]);
  }
});

it('a name with a point is no database, so that nobody gets past what a role says of the first part', async () => {
  await root.db('mine').command({ profile: 2 });
  await root.db('mine').collection('notes').findOne({});
  await root.db('mine').command({ profile: 0 });
  await root.db('admin').command({ createUser: 'all', pwd: 'pw', roles: ['readWriteAnyDatabase'] });
  const all = await new MongoClient(server.uri, { auth: { username: 'all', password: 'pw' } }).connect();
  await expect(all.db('mine').collection('system.profile').findOne({})).rejects.toMatchObject({ code: 13 });
  const parts = { db: 'mine.system', coll: 'profile' };
  const target = { db: 'config.system', coll: 'made' };
  const stages = [
    { $unionWith: parts },
    { $lookup: { from: parts, pipeline: [], as: 'found' } },
    { $graphLookup: { from: parts, startWith: 1, connectFromField: 'a', connectToField: 'a', as: 'found' } },
    { $merge: { into: target } },
    { $out: target },
  ];
  for (const stage of stages) await expect(documents(all, 'mine', [stage])).rejects.toMatchObject({ code: 73 });
  await all.close();
});

it.each(['mine.system', '', 'a b', 'a/b', 'a\\b', 'a"b', 'x'.repeat(64)])('%j is the database of no command', async (name) => {
  const open = await DocDbServer.start();
  const client = await WireClient.connect(open);
  for (const command of [
    { find: 'notes' },
    { insert: 'notes', documents: [{}] },
    { aggregate: 1, pipeline: [{ $documents: [] }], cursor: {} },
  ])
    expect(await client.ask(name, command)).toMatchObject({ ok: 0, code: 73 });
  client.close();
  await open.stop();
});

it('validators are passed over in the database that is written to by who may do so there', async () => {
  await root.db('yours').createCollection('checked', { validator: { n: 1 } });
  await root.db('mine').createCollection('checked', { validator: { n: 1 } });
  await root.db('admin').command({
    createUser: 'two',
    pwd: 'pw',
    roles: ['mine', 'yours'].map((db, at) => ({ role: at === 0 ? 'dbOwner' : 'readWrite', db })),
  });
  const two = await new MongoClient(server.uri, { auth: { username: 'two', password: 'pw' } }).connect();
  const copy = (from_: string, to: string, stage: (into: Document) => Document): Promise<unknown> =>
    two
      .db(from_)
      .command({ aggregate: 'notes', pipeline: [stage({ db: to, coll: 'checked' })], cursor: {}, bypassDocumentValidation: true });
  for (const stage of [(into: Document): Document => ({ $merge: { into } }), (out: Document): Document => ({ $out: out })]) {
    await expect(copy('mine', 'yours', stage)).rejects.toMatchObject({ code: 13 });
    expect(await copy('yours', 'mine', stage)).toMatchObject({ ok: 1 });
  }
  expect(await root.db('yours').collection('checked').countDocuments()).toBe(0);
  await two.close();
});

it('a view reads its own database, from wherever it is read', async () => {
  await ann.db('mine').command({ create: 'view', viewOn: 'notes', pipeline: [{ $unionWith: 'notes' }] });
  const stage = { $lookup: { from: { db: 'mine', coll: 'view' }, pipeline: [], as: 'found' } };
  const [document] = await documents(ann, 'yours', [{ $documents: [{}] }, stage], 1);
  expect(document?.found).toMatchObject([{ of: 'mine' }, { of: 'mine' }]);
});

it('a view is changed by who may read what it shows then', async () => {
  await ann.db('mine').command({ create: 'shown', viewOn: 'notes', pipeline: [] });
  const mod = await new MongoClient(server.uri, { auth: { username: 'mod', password: 'pw' } }).connect();
  const pipeline = [{ $unionWith: 'notes' }];
  await expect(mod.db('mine').command({ collMod: 'shown', pipeline })).rejects.toMatchObject({ code: 72 });
  await expect(mod.db('mine').command({ collMod: 'shown', viewOn: 'notes', pipeline })).rejects.toMatchObject({ code: 13 });
  await mod.close();
});

it.each([
  [{ auht: true }, "'auht' is not an option"],
  [{ auth: 'yes' }, 'The option auth takes'],
  [{ auth: null }, 'The option auth takes'],
  [{ auth: { user: 'x' } }, 'auth.password takes a text'],
  [{ auth: { user: 'x', password: 'y', role: 'read' } }, "'role' is not a part of the option auth"],
  [{ tls: true }, 'The option tls takes'],
  [{ sync: 'sometimes' }, 'The option sync takes always, interval, never'],
  [{ maxSize: NaN }, 'The option maxSize takes a number of bytes'],
  [{ maxSize: '100' }, 'The option maxSize takes a number of bytes'],
  [{ port: '27017' }, "The option port takes a number from 0 to 65535, not '27017'"],
  [{ port: 'docdb' }, "The option port takes a number from 0 to 65535, not 'docdb'"],
  [{ port: null }, 'The option port takes a number from 0 to 65535, not null'],
  [{ port: 65_536 }, 'The option port takes a number from 0 to 65535, not 65536'],
  [{ path: 7 }, 'The option path takes the name of a folder, not 7'],
  [{ failPoints: 'false' }, "The option failPoints takes true or false, not 'false'"],
  [{ unref: 0 }, 'The option unref takes true or false, not 0'],
  [{ tls: { certFile: 'x' } }, 'tls.keyFile takes a text'],
  [{ tls: { certFile: 'x', keyFile: 'y', ca: 'z' } }, "'ca' is not a part of the option tls"],
])('a server does not start with %j', async (options, message) => {
  await expect(DocDbServer.start(options as never)).rejects.toThrow(message);
});

it.each([{ host: '::1' }, { unref: true }])('a server of its own process does not take %j', async (options) => {
  await expect(DocDbServer.spawn(options as never)).rejects.toThrow(`'${String(Object.keys(options)[0])}' is not an option`);
});

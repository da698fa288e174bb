import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Document, MongoClient } from 'mongodb';
import { BSONRegExp, serialize } from 'bson';
import { start, type Harness } from '../harness.ts';
import { WireClient } from '../wire-client.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await start();
});
afterAll(() => harness.stop());

describe('a client that asks for what is off', () => {
  it('is told that TLS is, and does not wait for an answer', async () => {
    const error = await new Promise<NodeJS.ErrnoException>((resolve) => {
      connect({ port: harness.server.port, host: '127.0.0.1', rejectUnauthorized: false }).once('error', resolve);
    });
    expect(error.code).toBe('ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION');
  });

  it('is told that passwords are', async () => {
    const url = harness.server.uri.replace('mongodb://', 'mongodb://ann:secret@');
    const error = await new MongoClient(url).connect().catch((reason: unknown) => reason as { code: unknown; message: string });
    expect(error).toMatchObject({ code: 18, message: expect.stringContaining('leave user and password out of the URL') });
  });
});

describe('a client that sends a command', () => {
  let client: WireClient;
  beforeAll(async () => {
    client = await WireClient.connect(harness.server);
  });
  afterAll(() => {
    client.close();
  });

  it.each(['constructor', 'toString', 'hasOwnProperty', '__proto__'])('called %s is told that there is none', async (name) => {
    for (const target of [1, 'notes']) {
      const command = Object.fromEntries([[name, target]]);
      expect(await client.ask('test', command)).toMatchObject({ ok: 0, code: 59, errmsg: `no such command: '${name}'` });
    }
  });

  it.each<[string, Buffer[], number]>([
    [
      'with two bodies',
      [body({ insert: 'twice', documents: [{}], $db: 'test' }), body({ insert: 'twice', documents: [{}], $db: 'test' })],
      40430,
    ],
    ['with a field twice', [body({ insert: 'twice', documents: [{}], $db: 'test' }), sequence('documents', [{}])], 40433],
    ['with a list twice', [body({ insert: 'twice', $db: 'test' }), sequence('documents', [{}]), sequence('documents', [{}])], 40431],
  ])('%s is refused, and none of it is taken for the whole', async (_what, sections, code) => {
    expect(await client.askSections(sections)).toMatchObject({ ok: 0, code });
    expect(await client.ask('test', { count: 'twice' })).toMatchObject({ ok: 1, n: 0 });
  });

  it.each<[string, Buffer, string]>([
    [
      'a DBPointer',
      Buffer.concat([Buffer.of(0x0c), Buffer.from('at\0'), Buffer.of(2, 0, 0, 0), Buffer.from('c\0'), Buffer.alloc(12)]),
      'DBPointer',
    ],
    ['undefined', Buffer.concat([Buffer.of(0x06), Buffer.from('at\0')]), 'cannot compare to undefined'],
    ['a type that there is not', Buffer.concat([Buffer.of(0x20), Buffer.from('at\0')]), 'unknown type 32'],
    ['a text that is cut off', Buffer.concat([Buffer.of(0x02), Buffer.from('at\0'), Buffer.of(99, 0, 0, 0)]), 'cut off'],
  ])('with %s is told so, and may go on', async (_what, field, message) => {
    const documents = Buffer.concat([Buffer.alloc(4), field, Buffer.of(0)]);
    documents.writeInt32LE(documents.length, 0);
    const list = Buffer.concat([Buffer.of(1), Buffer.alloc(4), Buffer.from('documents\0'), documents]);
    list.writeInt32LE(list.length - 1, 1);
    const refused = { ok: 0, code: 22, codeName: 'InvalidBSON', errmsg: expect.stringContaining(message) };
    expect(await client.askSections([body({ insert: 'odd', $db: 'test' }), list])).toMatchObject(refused);
    expect(await client.ask('test', { count: 'odd' })).toMatchObject({ ok: 1, n: 0 });
  });

  it('with a condition of undefined is told so, and is not taken to mean all that have no such field', async () => {
    await client.ask('test', { insert: 'kept', documents: [{ _id: 1 }, { _id: 2, at: null }] });
    const bytes = body({ delete: 'kept', deletes: [{ q: { at: null }, limit: 0 }], $db: 'test' });
    bytes[bytes.indexOf('at\0') - 1] = 0x06;
    expect(await client.askSections([bytes])).toMatchObject({ ok: 0, code: 22 });
    expect(await client.ask('test', { count: 'kept' })).toMatchObject({ ok: 1, n: 2 });
  });

  it.each<[string, Document]>([
    ['an insert', { insert: 'twins', documents: [{ _id: 2, first: 1, other: 1 }] }],
    ['a numbered field', { insert: 'twins', documents: [{ _id: 2, 10001: 1, 10002: 1 }] }],
    ['a condition', { delete: 'twins', deletes: [{ q: { first: { $gt: 5 }, other: { $lt: 2 } }, limit: 0 }] }],
    ['an update', { update: 'twins', updates: [{ q: {}, u: { $set: { first: 2, other: 3 } } }] }],
    ['a command', { find: 'twins', first: { first: 1 }, other: 2 }],
  ])('with a name twice in %s is told so, and neither of them is taken for both', async (_what, command) => {
    await client.ask('test', { delete: 'twins', deletes: [{ q: {}, limit: 0 }] });
    await client.ask('test', { insert: 'twins', documents: [{ _id: 1, first: 1 }] });
    const bytes = body({ ...command, $db: 'test' });
    for (const [name, twin] of [
      ['other', 'first'],
      ['10002', '10001'],
    ] as const)
      if (bytes.includes(name)) bytes.write(twin, bytes.indexOf(name));
    const refused = { ok: 0, code: 40413, errmsg: expect.stringMatching(/^BSON field '(first|10001)' is a duplicate field/) };
    expect(await client.askSections([bytes])).toMatchObject(refused);
    expect(await client.ask('test', { find: 'twins' })).toMatchObject({ cursor: { firstBatch: [{ _id: 1, first: 1 }] } });
  });

  it.each(['g', 'iz', 'L', 'xi'])('with a pattern that has the options "%s" stores it as it is', async (options) => {
    const pattern = (command: Document): Buffer => {
      const bytes = body({ ...command, $db: 'test' });
      bytes.write(options, bytes.indexOf('ab.c\0') + 5);
      return bytes;
    };
    const any = new BSONRegExp('ab.c', 'm'.repeat(options.length));
    await client.ask('test', { delete: 'patterns', deletes: [{ q: {}, limit: 0 }] });
    expect(await client.askSections([pattern({ insert: 'patterns', documents: [{ _id: 1, any }] })])).toMatchObject({ ok: 1, n: 1 });
    const found = await client.askBytes(serialize({ find: 'patterns', $db: 'test' }));
    expect(found.includes(`ab.c\0${options}\0`)).toBe(true);
    const search = await client.askSections([pattern({ find: 'patterns', filter: { any } })]);
    const refused = { ok: 0, code: 51108, errmsg: expect.stringContaining('invalid flag in regex options') };
    expect(search).toMatchObject(options === 'xi' ? { ok: 1 } : refused);
  });

  it('that is larger than a document may be is told so, and may go on', async () => {
    const long = { ping: 1, comment: [Buffer.alloc(8_000_000), Buffer.alloc(8_800_000)], $db: 'test' };
    const refused = { ok: 0, code: 10334, codeName: 'BSONObjectTooLarge', errmsg: expect.stringContaining('16793600') };
    expect(await client.askSections([body(long)])).toMatchObject(refused);
    const { comment, ...short } = long;
    expect(await client.askSections([body({ ...short, comment: comment.slice(1) })])).toMatchObject({ ok: 1 });
  });

  it('with a document that is longer than its list is told so, and nothing is taken from behind it', async () => {
    const document = body({ a: 1 }).subarray(1);
    const list = sequence('documents', [{ a: 1 }]);
    list.writeInt32LE(list.length - 1 - document.length + 5, 1);
    const sections = [body({ insert: 'cut', $db: 'test' }), list];
    expect(await client.askSections(sections)).toMatchObject({ ok: 0, code: 22, codeName: 'InvalidBSON' });
    expect(await client.ask('test', { count: 'cut' })).toMatchObject({ ok: 1, n: 0 });
  });

  it('with a list of documents that has no meaning is told so, whatever the name', async () => {
    const insert = body({ insert: 'lists', documents: [{}], $db: 'test' });
    for (const name of ['more', '__proto__'])
      expect(await client.askSections([insert, sequence(name, [{}])])).toMatchObject({ ok: 0, code: 40415 });
    expect(await client.ask('test', { count: 'lists' })).toMatchObject({ ok: 1, n: 0 });
  });

  it('in the form of old drivers may greet, and nothing else', async () => {
    expect(await client.askQuery('admin', { isMaster: 1 })).toMatchObject({ ok: 1, ismaster: true });
    const refused = { ok: 0, code: 352, codeName: 'UnsupportedOpQueryCommand' };
    expect(await client.askQuery('test', { insert: 'old', documents: [{}] })).toMatchObject(refused);
    expect(await client.askQuery('test', { $query: { find: 'old' } })).toMatchObject(refused);
    expect(await client.askQuery('admin', { ping: 1 })).toMatchObject(refused);
    expect(await client.ask('test', { count: 'old' })).toMatchObject({ ok: 1, n: 0 });
  });

  it.each(['$query', 'query'])('in the form of old drivers may greet within %s', async (name) => {
    const greeting = { [name]: { ismaster: 1 }, $readPreference: { mode: 'secondaryPreferred' } };
    expect(await client.askQuery('admin', greeting)).toMatchObject({ ok: 1, ismaster: true });
    expect(await client.askQuery('admin', { ...greeting, $maxTimeMS: 5 })).toMatchObject({ ok: 0, code: 72 });
    expect(await client.askQuery('admin', { [name]: 'ismaster' })).toMatchObject({ ok: 0, code: 10065 });
  });

  it.each(['test.old', 'test.$cmd.more', '$cmd'])('searches %s as old drivers do is told so where they look for it', async (namespace) => {
    const { flags, answer } = await client.askSearch(namespace, { hello: 1 });
    expect(flags).toBe(2);
    expect(answer).toEqual({ $err: expect.stringContaining('OP_QUERY is no longer supported'), code: 5_739_101, ok: 0 });
  });

  it('goes on with a cursor as old drivers do is told so', async () => {
    const { flags, answer } = await client.askOld(2005, [Buffer.from('test.old\0'), Buffer.alloc(12)]);
    expect(flags).toBe(2);
    expect(answer).toEqual({ $err: expect.stringContaining('OP_GET_MORE is no longer supported'), code: 5_739_101, ok: 0 });
    expect(await client.ask('test', { ping: 1 })).toMatchObject({ ok: 1 });
  });

  it.each<[string, number, Buffer]>([
    ['inserts', 2002, Buffer.concat([Buffer.from('test.old\0'), serialize({})])],
    ['updates', 2001, Buffer.concat([Buffer.from('test.old\0'), Buffer.of(1, 0, 0, 0), serialize({}), serialize({ a: 1 })])],
    ['deletes', 2006, Buffer.concat([Buffer.from('test.old\0'), Buffer.alloc(4), serialize({})])],
    ['ends a cursor', 2007, Buffer.concat([Buffer.of(1, 0, 0, 0), Buffer.alloc(8)])],
  ])('%s as old drivers do loses its connection, and nothing is done', async (_what, kind, rest) => {
    const old = await WireClient.connect(harness.server);
    old.sendOld(kind, [rest]);
    await old.ended();
    expect(await client.ask('test', { count: 'old' })).toMatchObject({ ok: 1, n: 0 });
  });

  it.each([0, 1, 2, 3, 255])('compressed in the way %d is told that nothing is, and loses its connection', async (compressor) => {
    const compressing = await WireClient.connect(harness.server);
    const insert = Buffer.concat([Buffer.alloc(4), body({ insert: 'compressed', documents: [{}], $db: 'test' })]);
    const refused = { ok: 0, code: 17, codeName: 'ProtocolError', errmsg: expect.stringContaining('no compressed messages') };
    expect(await compressing.askCompressed(compressor, insert)).toMatchObject(refused);
    await compressing.ended();
    expect(await client.ask('test', { count: 'compressed' })).toMatchObject({ ok: 1, n: 0 });
  });

  it.each(['zlib', 'snappy', 'zstd', 'snappy,zlib'])('and offers %s by its driver is answered without', async (compressors) => {
    const offering = await new MongoClient(`${harness.server.uri}&compressors=${compressors}`).connect();
    const long = offering.db('test').collection<{ _id: string; text: string }>('offered');
    await long.insertOne({ _id: compressors, text: 'x'.repeat(100_000) });
    expect(await long.findOne({ _id: compressors })).toMatchObject({ text: 'x'.repeat(100_000) });
    await offering.close();
  });

  it('with its checksum is answered', async () => {
    // CRC-32C of this very message, worked out elsewhere.
    const ping = Buffer.concat([body({ ping: 1, $db: 'admin' }), Buffer.of(0x6e, 0x79, 0x61, 0xe7)]);
    expect(await client.askSections([ping], 1)).toMatchObject({ ok: 1 });
  });

  it.each<[string, number]>([
    ['a checksum of something else', 1],
    ['a flag that it has to know and does not', 4],
  ])('with %s loses its connection, and nothing is done', async (_what, flags) => {
    const careless = await WireClient.connect(harness.server);
    const insert = body({ insert: 'flagged', documents: [{}], $db: 'test' });
    careless.send([insert, Buffer.alloc(flags === 1 ? 4 : 0)], flags);
    await careless.ended();
    expect(await client.ask('test', { count: 'flagged' })).toMatchObject({ ok: 1, n: 0 });
  });
});

function body(command: Document): Buffer {
  return Buffer.concat([Buffer.of(0), serialize(command)]);
}

function sequence(name: string, documents: readonly Document[]): Buffer {
  const content = Buffer.concat([Buffer.from(`${name}\0`), ...documents.map((document) => serialize(document))]);
  const size = Buffer.alloc(4);
  size.writeInt32LE(size.length + content.length);
  return Buffer.concat([Buffer.of(1), size, content]);
}

import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Document, MongoClient } from 'mongodb';
import { serialize } from 'bson';
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

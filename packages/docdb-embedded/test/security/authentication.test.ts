import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Document, MongoClient } from 'mongodb';
import { DocDbServer } from '../../src/index.ts';

const ROOT = { user: 'root', password: 'pässwörd ½' };
const opened: MongoClient[] = [];
let server: DocDbServer;
let root: MongoClient;

function connect(username: string, password: string, authSource = 'admin', of: DocDbServer = server): Promise<MongoClient> {
  const client = new MongoClient(of.uri, { auth: { username, password }, authSource });
  opened.push(client);
  return client.connect();
}

async function anonymous(): Promise<MongoClient> {
  const client = await new MongoClient(server.uri).connect();
  opened.push(client);
  return client;
}

const refusal = (work: Promise<unknown>): Promise<Document> =>
  work.then(
    () => ({ code: 'nothing was refused' }),
    (error: unknown) => error as Document,
  );

beforeAll(async () => {
  server = await DocDbServer.start({ auth: ROOT });
  root = await connect(ROOT.user, ROOT.password);
});
afterAll(async () => {
  for (const client of opened) await client.close();
  await server.stop();
});

describe('who has not logged in', () => {
  it('says no more than a login takes, and nothing else is kept of it', async () => {
    const text = 'x'.repeat(70_000);
    const stranger = await anonymous();
    const told = { code: 13, message: expect.stringContaining('requires authentication: before a login a message may have 65536 bytes') };
    expect(await refusal(stranger.db('app').command({ ping: 1, comment: text }))).toMatchObject(told);
    expect(
      await refusal(
        stranger
          .db('app')
          .collection('long')
          .insertOne({ text: text.repeat(200) }),
      ),
    ).toMatchObject(told);
    expect(await stranger.db('app').command({ ping: 1, comment: 'x'.repeat(60_000) })).toMatchObject({ ok: 1 });
    expect((await root.db('app').collection<{ _id: number; text: string }>('long').insertOne({ _id: 1, text })).insertedId).toBe(1);
  });
});

describe('a login', () => {
  it('lets the driver in with the right password', async () => {
    await root.db('app').collection('notes').insertOne({ text: 'one' });
    const { authInfo } = await root.db('admin').command({ connectionStatus: 1 });
    expect(authInfo).toEqual({
      authenticatedUsers: [{ user: 'root', db: 'admin' }],
      authenticatedUserRoles: [{ role: 'root', db: 'admin' }],
    });
  });

  it('is for a client too that asks for nothing but the stable API', async () => {
    const client = new MongoClient(server.uri, {
      auth: { username: ROOT.user, password: ROOT.password },
      serverApi: { version: '1', strict: true },
    });
    opened.push(client);
    await client.connect();
    expect(await client.db('app').collection('notes').countDocuments({ none: 1 })).toBe(0);
  });

  it('answers a wrong password, an unknown user and the wrong database alike', async () => {
    const answers = await Promise.all([
      refusal(connect('root', 'wrong')),
      refusal(connect('nobody', 'wrong')),
      refusal(connect('root', ROOT.password, 'app')),
    ]);
    for (const answer of answers)
      expect(answer).toMatchObject({ code: 18, codeName: 'AuthenticationFailed', message: 'Authentication failed.' });
  });

  it('takes a password in another form of the same characters (SASLprep)', async () => {
    const client = await connect('root', ROOT.password.normalize('NFD'));
    expect(await client.db('app').collection('notes').countDocuments()).toBeGreaterThan(0);
  });

  it('works on many connections at once', async () => {
    const client = new MongoClient(server.uri, { auth: { username: 'root', password: ROOT.password }, maxPoolSize: 20 });
    opened.push(client);
    const pings = Array.from({ length: 60 }, () => client.db('app').collection('notes').findOne({}));
    expect(await Promise.all(pings)).toHaveLength(60);
  });

  it('names a mechanism that there is not', async () => {
    const client = new MongoClient(server.uri, { auth: { username: 'root', password: 'x' }, authMechanism: 'PLAIN' });
    opened.push(client);
    expect(await refusal(client.connect())).toMatchObject({ code: 334, message: expect.stringContaining('SCRAM-SHA-1 and SCRAM-SHA-256') });
  });
});

describe('who has not logged in', () => {
  it('may greet and nothing else', async () => {
    const client = await anonymous();
    expect(await client.db('admin').command({ ping: 1 })).toMatchObject({ ok: 1 });
    for (const command of [
      { find: 'notes' },
      { insert: 'notes', documents: [{}] },
      { listDatabases: 1 },
      { startSession: 1 },
      { getMore: 1n, collection: 'x' },
    ])
      expect(await refusal(client.db('app').command(command))).toMatchObject({ code: 13, codeName: 'Unauthorized' });
    expect(await refusal(client.db('admin').command({ createUser: 'me', pwd: 'x', roles: ['root'] }))).toMatchObject({ code: 13 });
  });
});

describe('users', () => {
  it('are shown without what is kept of their passwords, and live in no collection', async () => {
    await root.db('app').command({ createUser: 'ann', pwd: 'secret', roles: ['read'], customData: { team: 1 } });
    const { users } = await root.db('app').command({ usersInfo: 'ann' });
    expect(users).toMatchObject([
      {
        _id: 'app.ann',
        user: 'ann',
        db: 'app',
        customData: { team: 1 },
        roles: [{ role: 'read', db: 'app' }],
        mechanisms: ['SCRAM-SHA-1', 'SCRAM-SHA-256'],
      },
    ]);
    expect(JSON.stringify(users)).not.toContain('Key');
    const shown = await root.db('app').command({ usersInfo: 'ann', showCredentials: true });
    expect(shown.users[0].credentials).toMatchObject({
      'SCRAM-SHA-1': { iterationCount: 10_000 },
      'SCRAM-SHA-256': { iterationCount: 15_000 },
    });
    expect(await refusal(root.db('admin').collection('system.users').findOne())).toMatchObject({ code: 13 });
    const ann = await connect('ann', 'secret', 'app');
    expect(await refusal(ann.db('app').command({ usersInfo: 'ann', showCredentials: true }))).toMatchObject({ code: 13 });
    expect((await ann.db('app').command({ usersInfo: 'ann' })).users).toHaveLength(1);
    expect(await refusal(ann.db('app').command({ usersInfo: 1 }))).toMatchObject({ code: 13 });
  });

  it('can do no more as soon as a role is taken from them, and nothing when they are dropped', async () => {
    await root.db('app').command({ createUser: 'bob', pwd: 'secret', roles: ['readWrite'] });
    const bob = await connect('bob', 'secret', 'app');
    await bob.db('app').collection('bobs').insertMany([{}, {}, {}]);
    const cursor = bob.db('app').collection('bobs').find({}, { batchSize: 1 });
    await cursor.next();
    await root.db('app').command({ revokeRolesFromUser: 'bob', roles: ['readWrite'] });
    expect(await refusal(cursor.toArray())).toMatchObject({ code: 43 });
    expect(await refusal(bob.db('app').collection('bobs').insertOne({}))).toMatchObject({ code: 13 });
    await root.db('app').command({ grantRolesToUser: 'bob', roles: ['read'] });
    expect(await bob.db('app').collection('bobs').countDocuments()).toBe(3);
    await root.db('app').command({ dropUser: 'bob' });
    await root.db('app').command({ createUser: 'bob', pwd: 'another', roles: ['readWrite'] });
    expect(await refusal(bob.db('app').collection('bobs').countDocuments())).toMatchObject({
      code: 13,
      message: expect.stringContaining('requires authentication'),
    });
    // Nor is more kept of what they send than of a stranger's.
    expect(await refusal(bob.db('app').command({ ping: 1, comment: 'x'.repeat(70_000) }))).toMatchObject({
      code: 13,
      message: expect.stringContaining('before a login a message may have'),
    });
  });

  it('change their passwords by who may', async () => {
    await root.db('app').command({ createUser: 'eve', pwd: 'old', roles: [] });
    await root.db('app').command({ updateUser: 'eve', pwd: 'new' });
    expect(await refusal(connect('eve', 'old', 'app'))).toMatchObject({ code: 18 });
    const eve = await connect('eve', 'new', 'app');
    expect(await refusal(eve.db('app').command({ updateUser: 'eve', roles: [{ role: 'root', db: 'admin' }] }))).toMatchObject({ code: 13 });
    expect(await refusal(eve.db('app').command({ grantRolesToUser: 'eve', roles: ['readWrite'] }))).toMatchObject({ code: 13 });
  });

  it.each([
    [{ createUser: 'x', pwd: '', roles: [] }, 2],
    [{ createUser: 'x', roles: [] }, 2],
    [{ createUser: 'x', pwd: 'y' }, 40414],
    [{ createUser: 'x', pwd: 'y', roles: ['mine'] }, 31],
    [{ createUser: 'x', pwd: 'y', roles: ['root'] }, 31],
    [{ createUser: 'x', pwd: 'y', roles: [], mechanisms: ['PLAIN'] }, 2],
    [{ createUser: 'x', pwd: 'y', roles: [], mechanisms: [] }, 2],
    [{ createUser: 'x', pwd: 'y', roles: [], digestPassword: false, mechanisms: ['SCRAM-SHA-1', 'SCRAM-SHA-256'] }, 2],
    [{ createUser: 'x', pwd: 'y', roles: [], authenticationRestrictions: [{}] }, 72],
    [{ createUser: '', pwd: 'y', roles: [] }, 2],
    [{ dropUser: 'none' }, 11],
    [{ updateUser: 'none', pwd: 'y' }, 11],
    [{ updateUser: 'none' }, 2],
    [{ grantRolesToUser: 'none', roles: ['read'] }, 11],
    [{ createRole: 'mine', privileges: [], roles: [] }, 59],
  ])('%j is refused with %i', async (command, code) => {
    expect(await refusal(root.db('app').command(command))).toMatchObject({ code });
  });
});

it('refuses names and passwords without bounds', async () => {
  for (const given of [
    { createUser: 'x'.repeat(2000), pwd: 'y' },
    { createUser: 'a\0b', pwd: 'y' },
    { createUser: 'x', pwd: 'y'.repeat(5000) },
  ])
    expect(await refusal(root.db('app').command({ ...given, roles: [] }))).toMatchObject({ code: 2 });
});

describe('a folder with users', () => {
  it('keeps them, and refuses to start with another password of the first one', async () => {
    const path = mkdtempSync(join(tmpdir(), 'docdb-users-'));
    const first = await DocDbServer.start({ path, auth: true });
    // Who comes first makes the first user, and only that one.
    const nobody = await new MongoClient(first.uri).connect();
    expect(await refusal(nobody.db('app').command({ createUser: 'me', pwd: 'x', roles: [] }))).toMatchObject({ code: 13 });
    const made = await Promise.all(
      ['a', 'b', 'c'].map((name) => refusal(nobody.db('admin').command({ createUser: name, pwd: 'pw', roles: ['root'] }))),
    );
    expect(made.filter(({ code }) => code === 13)).toHaveLength(2);
    await nobody.close();
    await first.stop();
    const name = ['a', 'b', 'c'][made.findIndex(({ code }) => code !== 13)] as string;
    await expect(DocDbServer.start({ path, auth: { user: name, password: 'another' } })).rejects.toThrow('with another password');
    const second = await DocDbServer.start({ path, auth: { user: name, password: 'pw' } });
    const client = await connect(name, 'pw', 'admin', second);
    expect((await client.db('admin').command({ usersInfo: 1 })).users).toHaveLength(1);
    await client.close();
    await second.stop();
    rmSync(path, { recursive: true });
  });
});

describe('where authentication is off', () => {
  it('users may log in, also with another form of their password, and nobody else by a name', async () => {
    const open = await DocDbServer.start();
    const others = opened.length;
    const anybody = await new MongoClient(open.uri).connect();
    opened.push(anybody);
    try {
      await anybody.db('admin').command({ createUser: '\u2168', pwd: '\u2163', roles: ['read'] });
      const ann = await connect('\u2168', 'I\u00adV', 'admin', open);
      expect((await ann.db('admin').command({ connectionStatus: 1 })).authInfo).toMatchObject({
        authenticatedUsers: [{ user: '\u2168', db: 'admin' }],
      });
      await ann.db('app').collection('a').insertOne({ a: 1 });
      expect(await refusal(connect('\u2168', 'wrong', 'admin', open))).toMatchObject({ code: 18 });
      expect(await refusal(connect('nobody', 'wrong', 'admin', open))).toMatchObject({ code: 18, message: 'Authentication failed.' });

      await anybody.db('admin').command({ dropUser: '\u2168' });
      expect(await refusal(connect('\u2168', '\u2163', 'admin', open))).toMatchObject({
        code: 18,
        message: expect.stringContaining('leave user and password out of the URL'),
      });
      await ann.db('app').collection('a').insertOne({ a: 2 });
      expect(await anybody.db('app').collection('a').countDocuments()).toBe(2);
    } finally {
      // Before their server: a driver looks for one that has gone.
      for (const client of opened.splice(others)) await client.close();
      await open.stop();
    }
  });
});

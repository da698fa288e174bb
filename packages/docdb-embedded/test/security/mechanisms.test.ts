import { createHash, createHmac, pbkdf2Sync } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AuthMechanism, type Binary, type Document, MongoClient } from 'mongodb';
import { deserialize, serialize } from 'bson';
import { DocDbServer } from '../../src/index.ts';
import { Engine } from '../../src/storage/engine.ts';

const ROOT = { user: 'root', password: 'pässwörd ½' };
const BOTH = ['SCRAM-SHA-1', 'SCRAM-SHA-256'];
const opened: MongoClient[] = [];
let server: DocDbServer;
let root: MongoClient;

function login(username: string, password: string, authMechanism?: AuthMechanism, authSource = 'app', of = server): Promise<MongoClient> {
  const options = { auth: { username, password }, authSource, ...(authMechanism === undefined ? {} : { authMechanism }) };
  const client = new MongoClient(of.uri, options);
  opened.push(client);
  return client.connect();
}

const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (error: unknown) => (error as { code: unknown }).code,
  );

async function mechanismsOf(user: string): Promise<unknown> {
  const { users } = await root.db('app').command({ usersInfo: user });
  return users[0].mechanisms;
}

beforeAll(async () => {
  server = await DocDbServer.start({ auth: ROOT });
  root = await login(ROOT.user, ROOT.password, undefined, 'admin');
});
afterAll(async () => {
  for (const client of opened) await client.close();
  await server.stop();
});

describe('a user', () => {
  it('may log in by both mechanisms where none is named', async () => {
    await root.db('app').command({ createUser: 'änn', pwd: 'sécret', roles: ['read'] });
    expect(await mechanismsOf('änn')).toEqual(BOTH);
    for (const mechanism of ['SCRAM-SHA-1', 'SCRAM-SHA-256', undefined] as const) {
      const client = await login('änn', 'sécret', mechanism);
      expect(await client.db('app').collection('c').countDocuments()).toBe(0);
      expect(await codeOf(login('änn', 'secret', mechanism))).toBe(18);
    }
    expect(await codeOf(login(ROOT.user, ROOT.password, 'SCRAM-SHA-1', 'admin'))).toBe('done');
  });

  it.each<[AuthMechanism, AuthMechanism]>([
    ['SCRAM-SHA-1', 'SCRAM-SHA-256'],
    ['SCRAM-SHA-256', 'SCRAM-SHA-1'],
  ])('made for %s may log in by that and not by %s', async (mechanism, other) => {
    const name = `only ${mechanism}`;
    await root.db('app').command({ createUser: name, pwd: 'secret', roles: ['read'], mechanisms: [mechanism] });
    expect(await mechanismsOf(name)).toEqual([mechanism]);
    // Without one the driver asks the server which to take.
    expect(await codeOf(login(name, 'secret'))).toBe('done');
    expect(await codeOf(login(name, 'secret', mechanism))).toBe('done');
    expect(await codeOf(login(name, 'secret', other))).toBe(18);
  });

  it('may be made of the digest of a password, for SCRAM-SHA-1 alone', async () => {
    const pwd = createHash('md5').update('dan:mongo:secret').digest('hex');
    await root.db('app').command({ createUser: 'dan', pwd, digestPassword: false, roles: ['read'] });
    expect(await mechanismsOf('dan')).toEqual(['SCRAM-SHA-1']);
    expect(await codeOf(login('dan', 'secret'))).toBe('done');
    expect(await codeOf(login('dan', pwd))).toBe(18);
  });

  it('keeps fewer mechanisms, and gets no more without the password', async () => {
    await root.db('app').command({ createUser: 'eve', pwd: 'secret', roles: ['read'] });
    await root.db('app').command({ updateUser: 'eve', mechanisms: ['SCRAM-SHA-1'] });
    expect(await mechanismsOf('eve')).toEqual(['SCRAM-SHA-1']);
    expect(await codeOf(root.db('app').command({ updateUser: 'eve', mechanisms: BOTH }))).toBe(2);
    expect(await codeOf(login('eve', 'secret', 'SCRAM-SHA-256'))).toBe(18);
    await root.db('app').command({ updateUser: 'eve', pwd: 'another' });
    expect(await mechanismsOf('eve')).toEqual(BOTH);
    expect(await codeOf(login('eve', 'another', 'SCRAM-SHA-256'))).toBe('done');
    expect(await codeOf(login('eve', 'secret', 'SCRAM-SHA-1'))).toBe(18);
  });

  it('that there is not has all mechanisms, and is refused by each', async () => {
    const { saslSupportedMechs } = await root.db('admin').command({ hello: 1, saslSupportedMechs: 'app.nobody' });
    expect(saslSupportedMechs).toEqual(BOTH);
    for (const mechanism of ['SCRAM-SHA-1', 'SCRAM-SHA-256'] as const) expect(await codeOf(login('nobody', 'x', mechanism))).toBe(18);
  });
});

/** Begins a login on a connection of its own. @returns what the server says, and sends what the client says next */
async function beginLogin(
  mechanism: string,
  first = 'n,,n=digested,r=abc',
  at: DocDbServer = server,
): Promise<{ said: string; say: (text: string) => Promise<Document>; client: MongoClient }> {
  const client = await new MongoClient(at.uri, { maxPoolSize: 1 }).connect();
  opened.push(client);
  const admin = client.db('admin');
  const started = await admin.command({ saslStart: 1, mechanism, payload: Buffer.from(first) });
  const say = (text: string): Promise<Document> => admin.command({ saslContinue: 1, conversationId: 1, payload: Buffer.from(text) });
  return { said: textOf(started), say, client };
}

const textOf = ({ payload }: Document): string => Buffer.from((payload as Binary).value()).toString();

/** What a client says of itself. */
interface Said {
  readonly user: string;
  /** As it is written in messages. */
  readonly name: string;
  readonly nonce: string;
  readonly binding: string;
  /** What it sends behind its proof. */
  readonly behind: Buffer;
}

describe('the steps of a login', () => {
  /** What a client with the password answers, and what it is answered then. */
  const proofOf = (said: string, other: Partial<Said> = {}): { readonly proof: string; readonly answer: string } => {
    const nonce = other.nonce ?? /^r=([^,]*)/.exec(said)?.[1] ?? '';
    const { user = 'digested', name = user, binding = 'biws', behind = Buffer.alloc(0) } = other;
    const digested = createHash('md5').update(`${user}:mongo:secret`).digest('hex');
    const [, salt = '', rounds = ''] = /,s=(.*),i=(.*)$/.exec(said) ?? [];
    const salted = pbkdf2Sync(digested, Buffer.from(salt, 'base64'), Number(rounds), 20, 'sha1');
    const clientKey = createHmac('sha1', salted).update('Client Key').digest();
    const storedKey = createHash('sha1').update(clientKey).digest();
    const message = `n=${name},r=abc,${said},c=${binding},r=${nonce}`;
    const signature = createHmac('sha1', storedKey).update(message).digest();
    const proof = Buffer.concat([clientKey.map((byte, at) => byte ^ (signature[at] ?? 0)), behind]);
    const serverKey = createHmac('sha1', salted).update('Server Key').digest();
    return {
      proof: `c=${binding},r=${nonce},p=${proof.toString('base64')}`,
      answer: `v=${createHmac('sha1', serverKey).update(message).digest('base64')}`,
    };
  };
  beforeAll(async () => {
    await root.db('admin').command({ createUser: 'digested', pwd: 'secret', roles: ['readAnyDatabase'] });
  });

  it('end with what the client says last, also where that is not empty', async () => {
    for (const last of ['', 'what the server has said']) {
      const { said, say, client } = await beginLogin('SCRAM-SHA-1');
      const { proof, answer } = proofOf(said);
      const proved = await say(proof);
      expect(proved).toMatchObject({ done: false });
      expect(textOf(proved)).toBe(answer);
      expect(await codeOf(client.db('app').collection('c').countDocuments())).toBe(13);
      expect(await say(last)).toMatchObject({ done: true });
      expect(await client.db('app').collection('c').countDocuments()).toBe(0);
    }
  });

  it.each([
    ['SCRAM-SHA-1', 32],
    ['SCRAM-SHA-256', 20],
  ])('of %s refuse a proof of %i bytes', async (mechanism, bytes) => {
    const { said, say } = await beginLogin(mechanism);
    const nonce = /^r=([^,]+)/.exec(said)?.[1] ?? '';
    expect(await codeOf(say(`c=biws,r=${nonce},p=${Buffer.alloc(bytes).toString('base64')}`))).toBe(18);
  });

  it.each([
    ['another nonce than that of the server', { nonce: 'another' }],
    ['another header than it began with', { binding: 'eSws' }],
    ['more than a proof', { behind: Buffer.alloc(3) }],
  ])('let nobody in with %s', async (_what, said) => {
    const login = await beginLogin('SCRAM-SHA-1');
    expect(await codeOf(login.say(proofOf(login.said, said).proof))).toBe(18);
  });

  it.each([
    ['a nonce of 257 letters', `n,,n=digested,r=${'r'.repeat(257)}`],
    ['a name that is not written as one', 'n,,n=digested=2c,r=abc'],
    ['more than 4096 bytes', `n,,n=${'x'.repeat(4096)},r=abc`],
  ])('do not begin with %s', async (_what, first) => {
    expect(await codeOf(beginLogin('SCRAM-SHA-1', first))).toBe(18);
  });

  it('are those of a name with signs that have a meaning in them', async () => {
    const user = 'a,b=2C';
    await root.db('admin').command({ createUser: user, pwd: 'secret', roles: ['readAnyDatabase'] });
    const name = 'a=2Cb=3D2C';
    const { said, say } = await beginLogin('SCRAM-SHA-1', `n,,n=${name},r=abc`);
    expect(await say(proofOf(said, { user, name }).proof)).toMatchObject({ done: false });
  });

  it('begin for a name without a user as for one with: with a salt that is always the same, and of this server alone', async () => {
    const saltOf = async (mechanism: string, at = server): Promise<Buffer> => {
      const { said } = await beginLogin(mechanism, 'n,,n=nobody,r=abc', at);
      return Buffer.from(/,s=(.*),/.exec(said)?.[1] ?? '', 'base64');
    };
    const [one, other] = [await saltOf('SCRAM-SHA-1'), await saltOf('SCRAM-SHA-256')];
    expect([one.length, other.length]).toEqual([16, 28]);
    expect(await saltOf('SCRAM-SHA-256')).toEqual(other);
    expect(other.subarray(0, 16)).not.toEqual(one);
    const second = await DocDbServer.start({ auth: ROOT });
    expect(await saltOf('SCRAM-SHA-256', second)).not.toEqual(other);
    for (const client of opened.splice(-1)) await client.close();
    await second.stop();
  });

  it.each<[string, (client: MongoClient, say: (text: string) => Promise<Document>) => Promise<unknown>]>([
    ['a proof that is none', (_client, say) => say(`c=biws,r=abc,p=${Buffer.alloc(20).toString('base64')}`)],
    ['a beginning that fails', (client) => client.db('admin').command({ saslStart: 1, mechanism: 'PLAIN', payload: Buffer.from('x') })],
    ['a logout', (client) => client.db('admin').command({ logout: 1 })],
  ])('begin again behind %s', async (_what, end) => {
    const { said, say, client } = await beginLogin('SCRAM-SHA-1');
    await end(client, say).catch(() => undefined);
    expect(await codeOf(say(proofOf(said).proof))).toBe(17);
    expect(await codeOf(client.db('app').collection('c').countDocuments())).toBe(13);
  });

  it('let nobody in by a password that was changed meanwhile, however late they come', async () => {
    const [asked, proved] = [await beginLogin('SCRAM-SHA-1'), await beginLogin('SCRAM-SHA-1')];
    expect(await proved.say(proofOf(proved.said).proof)).toMatchObject({ done: false });
    await root.db('admin').command({ updateUser: 'digested', pwd: 'another' });
    expect(await codeOf(asked.say(proofOf(asked.said).proof))).toBe(18);
    expect(await codeOf(proved.say(''))).toBe(18);
    for (const { client } of [asked, proved]) expect(await codeOf(client.db('app').collection('c').countDocuments())).toBe(13);
  });

  it('let nobody in who was removed meanwhile, and made again with the same password', async () => {
    const { said, say, client } = await beginLogin('SCRAM-SHA-1');
    await root.db('admin').command({ dropUser: 'digested' });
    await root.db('admin').command({ createUser: 'digested', pwd: 'secret', roles: ['readAnyDatabase'] });
    expect(await codeOf(say(proofOf(said).proof))).toBe(18);
    expect(await codeOf(client.db('app').collection('c').countDocuments())).toBe(13);
  });

  it('go on where something else of the user was changed meanwhile', async () => {
    await root.db('admin').command({ updateUser: 'digested', pwd: 'secret' });
    const { said, say, client } = await beginLogin('SCRAM-SHA-1');
    await root.db('admin').command({ grantRolesToUser: 'digested', roles: ['hostManager'] });
    expect(await say(proofOf(said).proof)).toMatchObject({ done: false });
    expect(await say('')).toMatchObject({ done: true });
    expect(await client.db('app').collection('c').countDocuments()).toBe(0);
  });
});

it('takes a folder of before, where users have one mechanism', async () => {
  const path = mkdtempSync(join(tmpdir(), 'docdb-mechanisms-'));
  const auth = { user: 'root', password: 'pw' };
  await (await DocDbServer.start({ path, auth })).stop();
  await keepAsBefore(path);
  const second = await DocDbServer.start({ path, auth });
  const client = await login('root', 'pw', undefined, 'admin', second);
  const { users } = await client.db('admin').command({ usersInfo: 'root' });
  expect(users).toMatchObject([{ mechanisms: ['SCRAM-SHA-256'] }]);
  expect(await codeOf(login('root', 'pw', 'SCRAM-SHA-1', 'admin', second))).toBe(18);
  await client.close();
  await second.stop();
  rmSync(path, { recursive: true });
});

/** Writes the first user down as it was when there was one mechanism. */
async function keepAsBefore(path: string): Promise<void> {
  const engine = new Engine({ path, sync: 'always', maxSize: undefined });
  const entry = [...engine.users.getRange({})].find(({ key }) => key.toString().startsWith('user:'));
  if (!entry) throw new Error('There is no user in the folder');
  const user = deserialize(entry.value);
  await engine.users.put(entry.key, Buffer.from(serialize({ ...user, credentials: user.credentials['SCRAM-SHA-256'] })));
  await engine.close();
}

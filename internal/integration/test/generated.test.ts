import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDatabase, type TestDatabase } from '@framework-internal/testing/database';
import { MongoClient, ObjectId } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { generatedApplication, type Schemas } from './generated/application.ts';
import * as jsonSchemas from './generated/json.ts';
import * as typebox from './generated/typebox.ts';
import { listen, send, sendJson, type Answer, type Running } from './harness.ts';

const before = { directory: process.env.NODE_CONFIG_DIR, environment: process.env.NODE_CONFIG_ENV };
let database: TestDatabase;
let folder: string;

beforeAll(async () => {
  database = await startDatabase();
  folder = await mkdtemp(join(tmpdir(), 'generated-'));
  await mkdir(join(folder, 'public'));
  await writeFile(join(folder, 'public', 'index.html'), '<p>generated</p>');
  process.env.NODE_CONFIG_DIR = folder;
  process.env.NODE_CONFIG_ENV = 'generated';
});
afterAll(async () => {
  for (const [name, value] of [
    ['NODE_CONFIG_DIR', before.directory],
    ['NODE_CONFIG_ENV', before.environment],
  ] as const)
    if (value === undefined) Reflect.deleteProperty(process.env, name);
    else process.env[name] = value;
  await database.close();
  await rm(folder, { recursive: true });
});

const forms: readonly (readonly [string, Schemas])[] = [
  ['TypeBox', typebox],
  ['JSON Schema', jsonSchemas],
];

describe.each(forms)('an application as the generator writes it, with %s', (name, schemas) => {
  const log: unknown[] = [];
  let running: Running;
  let url: string;
  let authorization: string;
  let ann: string;
  let first: string;
  const databaseName = `generated_${name.replace(' ', '_')}_${Date.now().toString(36)}`;
  const as = (method: string, path: string, data?: unknown): Promise<Answer> =>
    data === undefined ? send(url, path, { method, headers: { authorization } }) : sendJson(url, method, path, data, { authorization });

  const settings = (more: object = {}): object => ({
    host: 'localhost',
    port: 3030,
    public: join(folder, 'public'),
    origins: ['http://localhost:3030'],
    paginate: { default: 10, max: 50 },
    mongodb: Object.assign(new URL(database.uri), { pathname: `/${databaseName}` }).href,
    authentication: {
      entity: 'user',
      service: 'users',
      secret: 'Zm9yIHRoZSB0ZXN0cyBvZiBnZW5lcmF0ZWQgYXBwcw==',
      authStrategies: ['jwt', 'local'],
      jwtOptions: { header: { typ: 'access' }, audience: 'https://yourdomain.com', algorithm: 'HS256', expiresIn: '1d' },
      local: { usernameField: 'email', passwordField: 'password' },
    },
    ...more,
  });

  beforeAll(async () => {
    await writeFile(join(folder, 'default.json'), JSON.stringify(settings()));
    running = await listen(generatedApplication(schemas, log));
    url = running.url;
    for (const email of ['ann@b.c', 'bob@b.c']) {
      const { body } = await sendJson(url, 'POST', '/users', { email, password: 'right password' });
      if (email === 'ann@b.c') ann = body._id as string;
    }
    const login = await sendJson(url, 'POST', '/authentication', { strategy: 'local', email: 'ann@b.c', password: 'right password' });
    authorization = `Bearer ${login.body.accessToken as string}`;
    first = (await as('POST', '/messages', { text: 'one' })).body._id as string;
    await as('POST', '/messages', { text: 'two' });
  });
  afterAll(async () => {
    await running.stop();
    const client = await new MongoClient(database.uri).connect();
    await client.db(databaseName).dropDatabase();
    await client.close();
  });

  it('1 has its settings', () => {
    expect(running.app.get('paginate')).toEqual({ default: 10, max: 50 });
  });

  it('2 does not start with a wrong setting', async () => {
    await writeFile(join(folder, 'default.json'), JSON.stringify(settings({ port: 'none' })));
    expect(() => generatedApplication(schemas, [])).toThrow('port');
    await writeFile(join(folder, 'default.json'), JSON.stringify(settings()));
  });

  it('3 serves its files', async () => {
    expect((await send(url, '/')).text).toContain('generated');
  });

  it('4 registers without a login', async () => {
    expect(await sendJson(url, 'POST', '/users', { email: 'cy@b.c', password: 'x y z' })).toMatchObject({
      status: 201,
      body: { email: 'cy@b.c' },
    });
  });

  it('5 shows no password', async () => {
    for (const { text } of [await as('GET', '/users'), await as('GET', `/users/${ann}`), await as('PATCH', `/users/${ann}`, {})])
      expect(text).not.toMatch(/password|argon2/);
  });

  it('6 stores a hash', async () => {
    const stored = (await running.app.service('users').get(ann as never)) as { password: string };
    expect(stored.password).toMatch(/^\$argon2id/);
  });

  it('7 logs in, and shows no hash', async () => {
    const { status, body, text } = await sendJson(url, 'POST', '/authentication', {
      strategy: 'local',
      email: 'ann@b.c',
      password: 'right password',
    });
    expect({ status, email: body.user.email, id: body.user._id }).toEqual({ status: 201, email: 'ann@b.c', id: ann });
    expect(text).not.toContain('argon2');
  });

  it('8 refuses a wrong password', async () => {
    expect(await sendJson(url, 'POST', '/authentication', { strategy: 'local', email: 'ann@b.c', password: 'wrong' })).toMatchObject({
      status: 401,
    });
  });

  it('9 asks for a login', async () => {
    for (const path of ['/users', `/users/${ann}`, '/messages']) expect(await send(url, path)).toMatchObject({ status: 401 });
    expect(await sendJson(url, 'POST', '/messages', { nothing: 1 })).toMatchObject({ status: 401 });
  });

  it('10 shows users themselves alone', async () => {
    const { body } = await as('GET', '/users');
    expect(body).toMatchObject({ total: 1, limit: 10, skip: 0, data: [{ _id: ann, email: 'ann@b.c' }] });
    const bob = (await running.app.service('users').find({ query: { email: 'bob@b.c' } } as never)) as unknown as {
      data: { _id: object }[];
    };
    expect(await as('GET', `/users/${String(bob.data[0]?._id)}`)).toMatchObject({ status: 404 });
  });

  it('11 queries by properties of the schema', async () => {
    expect((await as('GET', '/messages?text=one')).body.data).toMatchObject([{ text: 'one' }]);
    expect((await as('GET', '/messages?text[$in]=one&text[$in]=two&$sort[text]=-1')).body.data).toMatchObject([
      { text: 'two' },
      { text: 'one' },
    ]);
    expect((await as('GET', '/messages?$or[0][text]=two')).body.total).toBe(1);
  });

  it('12 queries by object ids', async () => {
    expect((await as('GET', `/messages?userId=${ann}`)).body.total).toBe(2);
    expect((await as('GET', `/messages?_id[$in][0]=${first}`)).body.data).toMatchObject([{ text: 'one' }]);
    expect((await as('GET', `/messages?userId=${new ObjectId().toHexString()}`)).body.total).toBe(0);
  });

  it('13 refuses queries that the schema does not have', async () => {
    for (const query of ['other=1', 'text[$regex]=o', 'text[$where]=1', '$limit=-1', '$sort[other]=1', 'userId=abc', '$select[]=other'])
      expect({ query, status: (await as('GET', `/messages?${query}`)).status }).toEqual({ query, status: 400 });
  });

  it('14 pages', async () => {
    expect((await as('GET', '/messages?$limit=1&$skip=1&$sort[text]=1')).body).toMatchObject({
      total: 2,
      limit: 1,
      skip: 1,
      data: [{ text: 'two' }],
    });
    expect((await as('GET', '/messages?$limit=1000')).body.limit).toBe(50);
  });

  it('15 selects', async () => {
    expect((await as('GET', `/messages/${first}?$select[]=text`)).body).toEqual({ _id: first, text: 'one' });
  });

  it('16 refuses wrong data, with its paths', async () => {
    const answer = await as('POST', '/messages', { text: 5, other: 1 });
    expect(answer).toMatchObject({ status: 400, body: { name: 'BadRequest' } });
    expect(answer.body.errors.length).toBeGreaterThan(0);
    expect(await as('POST', '/messages', {})).toMatchObject({ status: 400 });
    expect(await as('POST', '/messages', { text: 'x', userId: ann })).toMatchObject({ status: 400 });
  });

  it('17 sets what its resolvers say, as object ids', async () => {
    expect(await running.app.service('messages').get(first as never)).toMatchObject({ userId: new ObjectId(ann) });
  });

  it('18 puts the user into a message, as others see it', async () => {
    const { body, text } = await as('GET', `/messages/${first}`);
    expect(body).toMatchObject({ text: 'one', userId: ann, user: { _id: ann, email: 'ann@b.c' } });
    expect(text).not.toMatch(/password|argon2/);
  });

  it('19 changes and removes', async () => {
    const { body } = await as('POST', '/messages', { text: 'three' });
    expect(await as('PATCH', `/messages/${body._id as string}`, { text: 'four' })).toMatchObject({
      status: 200,
      body: { text: 'four', userId: ann },
    });
    expect(await as('PATCH', `/users/${ann}`, { password: 'another one' })).toMatchObject({ status: 200, body: { _id: ann } });
    expect(await as('DELETE', `/messages/${body._id as string}`)).toMatchObject({ status: 200, body: { text: 'four' } });
    expect(await as('GET', `/messages/${body._id as string}`)).toMatchObject({ status: 404 });
    const login = await sendJson(url, 'POST', '/authentication', { strategy: 'local', email: 'ann@b.c', password: 'another one' });
    expect(login.status).toBe(201);
  });

  it('20 answers what is not there, and notes its errors', async () => {
    expect(await as('PUT', `/messages/${first}`, { text: 'x' })).toMatchObject({ status: 405 });
    expect(await send(url, '/nothing')).toMatchObject({ status: 404, body: { name: 'NotFound' } });
    expect(log.length).toBeGreaterThan(5);
  });
});

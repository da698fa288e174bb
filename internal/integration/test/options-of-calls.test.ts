import { DocDbService } from '@framework/adapter-docdb';
import { MemoryService } from '@framework/adapter-memory';
import { authenticate as authenticateHook, AuthenticationService, JWTStrategy } from '@framework/authentication';
import { hashPassword, LocalStrategy } from '@framework/authentication-local';
import { framework } from '@framework/core';
import express, { authenticate, errorHandler, rest, type Application } from '@framework/transport-express';
import { startDatabase, type TestDatabase } from '@framework-internal/testing/database';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listen, send, type Running } from './harness.ts';

const SECRET = 'a secret of more than thirty-two bytes, for tests';
let database: TestDatabase;
let running: Running;
let authentication: { strategy: string; accessToken: string };
/** Whom the calls of notes were made by. */
const callers: unknown[] = [];
/** What a middleware gives the calls of notes. */
let given: object = {};

interface Notes {
  find(params: object): Promise<unknown>;
}
const notes = (): Notes => running.app.service('notes') as never;

beforeAll(async () => {
  database = await startDatabase();
  const app = express(framework()) as Application;
  app.use((req, _res, next) => {
    req.framework = { ...req.framework, ...given };
    next();
  });
  app.use('/page', authenticate('jwt'), (req, res) => {
    res.json(req.framework?.user);
  });
  app.configure(rest());
  app.use('people', new DocDbService({ Model: database.db.collection('people') }));
  app.use('notes', new DocDbService({ Model: database.db.collection('notes') }));
  app.set('authentication', {
    secret: SECRET,
    service: 'people',
    entity: 'user',
    authStrategies: ['jwt'],
  });
  const service = new AuthenticationService(app);
  service.register('jwt', new JWTStrategy());
  app.use('authentication', service);
  const noteCaller = ({ params }: { params: object }): void => void callers.push((params as { user?: unknown }).user);
  app.service('notes').hooks({ before: { all: [authenticateHook('jwt'), noteCaller] } });
  app.use(errorHandler({ logger: false }));
  running = await listen(app);
  const ann = (await app.service('people').create({ name: 'Ann', disabled: false })) as { _id: unknown };
  await database.db.collection('notes').insertOne({ text: 'of Ann' });
  authentication = { strategy: 'jwt', accessToken: await service.createAccessToken({}, { subject: String(ann._id) }) };
});
afterAll(async () => {
  await running.stop();
  await database.close();
});

const ANN = expect.objectContaining({ name: 'Ann', disabled: false });

describe('what a call asks of its own collection says nothing of who calls', () => {
  const options: [what: string, options: () => object][] = [
    ['stages that find nobody', () => ({ pipeline: [{ $match: { text: 'of Ann' } }] })],
    ['stages that make another record', () => ({ pipeline: [{ $group: { _id: '$text' } }] })],
    ['a collection', () => ({ adapter: { Model: database.db.collection('notes') } })],
    ['properties', () => ({ docdb: { projection: { text: 1 } } })],
    ['a place to begin', () => ({ docdb: { hint: { text: 1 } } })],
  ];

  it.each(options)('on the server: %s', async (_what, of) => {
    callers.length = 0;
    await database.db.collection('notes').createIndex({ text: 1 });
    expect(await notes().find({ ...of(), authentication, paginate: false })).toHaveLength(1);
    expect(callers).toEqual([ANN]);
  });

  it.each(options)('set by a middleware: %s', async (_what, of) => {
    given = of();
    const headers = { authorization: `Bearer ${authentication.accessToken}` };
    try {
      expect((await send(running.url, '/notes', { headers })).status).toBe(200);
      expect((await send(running.url, '/page', { headers })).body).toEqual(ANN);
    } finally {
      given = {};
    }
  });
});

it('a user who is written in a transaction calls in it', async () => {
  callers.length = 0;
  const session = database.client.startSession();
  const people = running.app.service('people') as unknown as { create(data: object, params: object): Promise<{ _id: unknown }> };
  await session.withTransaction(async () => {
    const docdb = { session };
    const bob = await people.create({ name: 'Bob' }, { docdb });
    const service = running.app.service('authentication') as unknown as AuthenticationService;
    const accessToken = await service.createAccessToken({}, { subject: String(bob._id) });
    await notes().find({ docdb, authentication: { strategy: 'jwt', accessToken } });
  });
  await session.endSession();
  expect(callers).toEqual([expect.objectContaining({ name: 'Bob' })]);
});

it('users in memory are found for a call with options of another adapter', async () => {
  const app = framework();
  app.use('people', new MemoryService());
  app.use('notes', new DocDbService({ Model: database.db.collection('notes') }));
  app.set('authentication', { secret: SECRET, service: 'people', entity: 'user', authStrategies: ['jwt'] });
  const service = new AuthenticationService(app);
  service.register('jwt', new JWTStrategy());
  app.use('authentication', service);
  app.service('notes').hooks({ before: { all: [authenticateHook('jwt')] } });
  await app.service('people').create({ name: 'Ann' });
  const accessToken = await service.createAccessToken({}, { subject: '0' });
  const params = { authentication: { strategy: 'jwt', accessToken }, adapter: { Model: database.db.collection('other notes') } };
  await expect((app.service('notes') as unknown as Notes).find(params)).resolves.toEqual([]);
});

it.each<[what: string, options: () => object]>([
  ['stages that find nobody', () => ({ pipeline: [{ $match: { text: 'of Ann' } }] })],
  ['a collection', () => ({ adapter: { Model: database.db.collection('notes') } })],
  ['properties', () => ({ docdb: { projection: { text: 1 } } })],
])('a call with a name and a password is made by its user, whatever it asks of its own collection: %s', async (_what, of) => {
  const app = framework();
  app.use('people', new DocDbService({ Model: database.db.collection('members') }));
  app.use('notes', new DocDbService({ Model: database.db.collection('notes') }));
  const local = { usernameField: 'name', passwordField: 'password', hashCost: { memoryCost: 64, timeCost: 1 } };
  app.set('authentication', { secret: SECRET, service: 'people', entity: 'user', authStrategies: ['local'], local });
  const service = new AuthenticationService(app);
  service.register('local', new LocalStrategy());
  app.use('authentication', service);
  app.service('people').hooks({ before: { create: [hashPassword('password')] } });
  const seen: unknown[] = [];
  const noteCaller = ({ params }: { params: object }): void => void seen.push((params as { user?: unknown }).user);
  app.service('notes').hooks({ before: { all: [authenticateHook('local'), noteCaller] } });
  await database.db.collection('members').deleteMany({});
  await app.service('people').create({ name: 'Cid', password: 'right' });
  const authentication = { strategy: 'local', name: 'Cid', password: 'right' };
  await (app.service('notes') as unknown as Notes).find({ ...of(), authentication, paginate: false });
  expect(seen).toEqual([expect.objectContaining({ name: 'Cid' })]);
});

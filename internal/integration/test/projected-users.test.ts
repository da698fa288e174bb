import { DocDbService, sessionStore } from '@framework/adapter-docdb';
import { AuthenticationService, JWTStrategy } from '@framework/authentication';
import { hashPassword, LocalStrategy } from '@framework/authentication-local';
import { framework } from '@framework/core';
import { startDatabase, type TestDatabase } from '@framework-internal/testing/database';
import { afterAll, beforeAll, expect, it } from '@jest/globals';

let database: TestDatabase;
let service: AuthenticationService;
const app = framework();

interface People {
  create(data: object): Promise<{ readonly _id: unknown }>;
  patch(id: unknown, data: object, params: object): Promise<unknown>;
}
const people = (): People => app.service('people') as unknown as People;

beforeAll(async () => {
  database = await startDatabase();
  app.use('people', new DocDbService({ Model: database.db.collection('people'), multi: true }));
  app.use('sessions', sessionStore(database.db.collection('sessions')));
  app.set('authentication', {
    secret: 'a secret of more than thirty-two bytes, for tests',
    service: 'people',
    entity: 'user',
    authStrategies: ['jwt', 'local'],
    sessions: true,
    local: { usernameField: 'email', passwordField: 'password', hashCost: { memoryCost: 64, timeCost: 1 } },
  });
  service = new AuthenticationService(app);
  service.register('jwt', new JWTStrategy());
  service.register('local', new LocalStrategy());
  app.use('authentication', service);
  app.service('people').hooks({ before: { create: [hashPassword('password')], patch: [hashPassword('password')] } });
  await app.setup();
});
afterAll(async () => {
  await app.teardown();
  await database.close();
});

const projection = { projection: { email: 1 } };

it.each<[what: string, params: object, isSeveral: boolean]>([
  ['of one user', { docdb: projection }, false],
  ['of several', { docdb: projection, query: { email: 'ANN of several' } }, true],
  [
    'of several, by a collation',
    { docdb: { ...projection, collation: { locale: 'en', strength: 2 } }, query: { email: 'ann OF several, by a collation' } },
    true,
  ],
])('S19 a write that asks for a part of its answer ends the sessions of who is disabled: %s', async (what, params, isSeveral) => {
  const email = `ANN ${what}`;
  const { _id: id } = await people().create({ email, password: 'right' });
  const { accessToken } = await service.create({ strategy: 'local', email, password: 'right' });
  await people().patch(isSeveral ? null : id, { disabled: true }, params);
  await expect(service.verifyAccessToken(String(accessToken))).rejects.toMatchObject({ code: 401 });
  await people().patch(isSeveral ? null : id, { disabled: false }, params);
  await expect(service.verifyAccessToken(String(accessToken))).rejects.toMatchObject({ code: 401 });
});

import { MemoryService } from '@framework/adapter-memory';
import {
  ApiKeyStrategy,
  authenticate as authenticateHook,
  AuthenticationBaseStrategy,
  AuthenticationService,
  JWTStrategy,
  type AuthenticationParams,
  type AuthenticationRequest,
  type AuthenticationResult,
} from '@framework/authentication';
import { framework } from '@framework/core';
import { Forbidden } from '@framework/errors';
import express, { authenticate, errorHandler, json, rest, type Application } from '@framework/transport-express';
import { socketio } from '@framework/transport-socketio';
import { call, connect, disconnectAll } from '@framework-internal/testing/sockets';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { listen, send, sendJson, type Running } from './harness.ts';

/** Written without types: what it gives in place of what `super.authenticate()` gave. */
class OwnService extends AuthenticationService {
  given: () => unknown = () => undefined;
  isOwn = false;
  override async authenticate(
    data: AuthenticationRequest,
    params: AuthenticationParams,
    ...names: string[]
  ): Promise<AuthenticationResult> {
    const result = await super.authenticate(data, params, ...names);
    return this.isOwn ? (this.given() as AuthenticationResult) : result;
  }
}

class NameStrategy extends AuthenticationBaseStrategy {
  async authenticate(): Promise<AuthenticationResult> {
    return { user: { id: 1, name: 'Ann' } };
  }
}

let server: Running;
let service: OwnService;
let key: string;
let token: string;
let warned: jest.SpiedFunction<typeof process.emitWarning>;

beforeEach(async () => {
  const app = express(framework()) as Application;
  app.use(json());
  app.configure(rest());
  app.configure(socketio());
  app.use('sessions', new MemoryService({ id: 'id' }));
  app.use('users', new MemoryService({ store: [{ id: 1, name: 'Ann' }] }));
  app.use('vault', { find: async () => 'gold' });
  app.service('vault').hooks({ before: { all: [authenticateHook('jwt', 'api-key')] } });
  app.get('/page', authenticate('jwt', 'api-key'), (_req, res) => void res.json({ gold: true }));
  app.set('authentication', {
    secret: 'a secret of more than thirty-two bytes, for tests',
    service: 'users',
    entity: 'user',
    authStrategies: ['jwt', 'api-key', 'name'],
    sessions: true,
  });
  service = new OwnService(app);
  service.register('jwt', new JWTStrategy());
  service.register('name', new NameStrategy());
  service.register('api-key', new ApiKeyStrategy());
  app.use('authentication', service);
  app.use(errorHandler({ logger: false }));
  server = await listen(app);
  ({ key } = await service.createApiKey({ entity: 1 }));
  token = String((await service.create({ strategy: 'name' }, {})).accessToken);
  warned = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
});

afterEach(async () => {
  warned.mockRestore();
  disconnectAll();
  await server.stop();
});

describe.each([[false], [undefined], [null], [true], [0], [''], ['Ann'], [[]]])(
  'an authentication service whose authenticate() gives %j',
  (given) => {
    const refused = { status: 401, body: { message: 'Invalid authentication information' } };
    const take = (): void => {
      service.given = () => given;
      service.isOwn = true;
    };

    it('lets nobody pass a hook or middleware, and tells whoever wrote it once', async () => {
      const headers = { 'x-api-key': key };
      expect(await send(server.url, '/vault', { headers })).toMatchObject({ status: 200, body: 'gold' });
      expect(await send(server.url, '/page', { headers })).toMatchObject({ status: 200, body: { gold: true } });
      take();
      expect(await send(server.url, '/vault', { headers })).toMatchObject(refused);
      expect(await send(server.url, '/page', { headers })).toMatchObject(refused);
      expect(warned.mock.calls).toEqual([
        [expect.stringContaining('authenticate() of the authentication service gave '), { code: 'NO_LOGIN_RESULT' }],
      ]);
    });

    it('gives nobody a token', async () => {
      take();
      expect(await sendJson(server.url, 'POST', '/authentication', { strategy: 'name' })).toMatchObject(refused);
    });

    it('answers no call over a socket', async () => {
      const socket = await connect(server.url, { extraHeaders: { 'x-api-key': key } });
      expect(await call(socket, 'find', 'vault', {})).toMatchObject({ error: null, result: 'gold' });
      take();
      expect(await call(socket, 'find', 'vault', {})).toMatchObject({
        error: { code: 401, message: 'Invalid authentication information' },
      });
    });

    it('does not say that a token was logged out', async () => {
      take();
      const headers = { authorization: `Bearer ${token}` };
      expect(await send(server.url, '/authentication', { method: 'DELETE', headers })).toMatchObject(refused);
    });
  },
);

it('refuses with the error that such an authenticate() gives back', async () => {
  service.given = () => new Forbidden('not today');
  service.isOwn = true;
  expect(await send(server.url, '/vault', { headers: { 'x-api-key': key } })).toMatchObject({
    status: 403,
    body: { message: 'not today' },
  });
});

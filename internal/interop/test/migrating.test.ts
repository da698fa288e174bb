import { createHash } from 'node:crypto';
import { memory } from '@feathersjs/memory';
import socketio from '@feathersjs/socketio';
import { hashPassword, LocalStrategy } from '@framework/authentication-local';
import { AuthenticationService, JWTStrategy } from '@framework/authentication';
import type { Channel } from '@feathersjs/transport-commons';
import { declareServiceOption, framework, type HookContext, type NextFunction, type Params } from '@framework/core';
import { Conflict, toFrameworkError } from '@framework/errors';
import bcrypt from '@node-rs/bcrypt';
import express, { rest, type Application, type FrameworkRequest } from '@framework/transport-express';
import { afterEach, describe, expect, it } from '@jest/globals';
import { request, start, stopAll } from './application.ts';
import { call, connect, disconnectAll } from '@framework-internal/testing/sockets';

type Publisher = (record: unknown, context: HookContext) => Channel | Channel[] | null | undefined;
interface Publishing {
  publish(publisher: Publisher): this;
  publish(event: string, publisher: Publisher): this;
}
// What adds to an interface repeats its parameters, whether it needs them or not.
/* oxlint-disable typescript/no-empty-object-type */
declare module '@framework/core' {
  interface ServiceAddons<A, S> extends Publishing {}
}
declare module '@framework/transport-express' {
  interface Application<Services extends object, Settings extends object> extends Publishing {
    readonly channels: string[];
    channel(...names: (string | string[])[]): Channel;
  }
}
/* oxlint-enable typescript/no-empty-object-type */

declare global {
  // oxlint-disable-next-line typescript/no-namespace -- as the guide says it
  namespace Express {
    interface Request {
      feathers?: FrameworkRequest;
    }
  }
}

afterEach(async () => {
  disconnectAll();
  await stopAll();
});

describe('what the guide docs/guides/migrating.md says', () => {
  it('configures plug-ins that are typed for the other application', async () => {
    const app = express(framework());
    app.configure(rest({ compatibility: 'feathers' })).configure(socketio() as never);
    app.use((req, _res, next) => {
      req.feathers = { ...req.feathers, tenant: 'blue' };
      next();
    });
    app.use('notes', memory());
    const server = await app.listen(0, '127.0.0.1');
    expect(server.listening).toBe(true);
    await (app as unknown as { io: { close(): Promise<void> } }).io.close();
    await app.close({ timeout: 500 });
  });

  it('types channels and publishing', async () => {
    const app = express(framework()).configure(rest());
    app.configure(socketio() as never);
    const typed = app.use('notes', memory());
    typed.publish((_record, context) => app.channel(context.path));
    typed.service('notes').publish('created', () => [app.channel('one', ['two']), app.channel('three')]);
    expect(app.channels).toEqual([]);
    // @ts-expect-error a publisher gives channels
    typed.service('notes').publish('created', () => 'one');
  });

  it('types the hooks of a service that keeps its application in a property', async () => {
    type NoteApplication = Application<{ notes: NoteService }>;
    class NoteService {
      app?: NoteApplication;
      async setup(app: NoteApplication): Promise<void> {
        this.app = app;
      }
      async create(data: { text: string }, params?: Params): Promise<{ text: string }> {
        return { text: `${data.text} ${String(params?.query !== undefined)}` };
      }
    }
    const seen: unknown[] = [];
    const log = async (context: HookContext<NoteApplication>, next: NextFunction): Promise<void> => {
      await next();
      seen.push(context.path, context.params.query);
    };
    const app: NoteApplication = express(framework<{ notes: NoteService }>());
    app.use('notes', new NoteService());
    app.service('notes').hooks({ around: { all: [log], create: [log] } });
    await app.setup();
    expect(app.service('notes').app).toBe(app);
    expect((await app.service('notes').create({ text: 'new' }, { query: {} })).text).toBe('new true');
    expect(seen).toEqual(['notes', {}, 'notes', {}]);
  });

  it('sends a fixed text for faults over sockets, and what was thrown for the caller as it is', async () => {
    const { url } = await start((app) => {
      app.configure(socketio() as never);
      app.hooks({
        error: {
          all: [
            (context) => {
              context.error = toFrameworkError(context.error);
            },
          ],
        },
      });
      app.use('notes', {
        async get(id: unknown) {
          throw id === 'taken' ? new Conflict('It is taken') : new Error('connect ECONNREFUSED db.internal:27017');
        },
      });
    });
    const socket = await connect(url);
    const { error } = await call(socket, 'get', 'notes', 1, {});
    expect(error).toMatchObject({ name: 'GeneralError', code: 500 });
    expect(JSON.stringify(error)).not.toMatch(/ECONNREFUSED|stack/);
    expect((await call(socket, 'get', 'notes', 'taken', {})).error).toMatchObject({ code: 409, message: 'It is taken' });
  });

  it('lets a plug-in declare an option of its own', async () => {
    const seen: unknown[] = [];
    declareServiceOption('interopPlugIn');
    await start((app) => {
      app.mixins.push((_service, _path, options) => seen.push((options as { interopPlugIn?: unknown }).interopPlugIn));
      app.use('notes', memory(), { interopPlugIn: { depth: 2 } } as never);
      expect(() => app.use('others', memory(), { interopPlugin: {} } as never)).toThrow(
        "Unknown option 'interopPlugin' of service 'others'. Did you mean 'interopPlugIn'?",
      );
    });
    expect(seen).toEqual([{ depth: 2 }]);
  });

  it('lets an application say the version that a plug-in asks for', async () => {
    const { app, url } = await start((added) => {
      Object.assign(added, { version: '5.0.50' });
      added.use('notes', memory());
      added.service('notes').hooks({
        before: {
          create: [
            // As `setField` of feathers-authentication-hooks begins.
            (context: HookContext<Application>) => {
              if (context.app.version < '4.0.0') throw new Error('Only works with Feathers 4');
            },
          ],
        },
      });
    });
    expect(app.version).toBe('5.0.50');
    expect((await request(url, 'POST', '/notes', { text: 'new' })).status).toBe(201);
  });

  it('refuses a token without jti or iat, a scheme with a colon, and says no more than that', async () => {
    const { app, url } = await start((added) => {
      added.set('authentication', {
        secret: 'a secret of more than thirty-two bytes, for tests',
        entity: null,
        authStrategies: ['jwt'],
      });
      const service = new AuthenticationService(added as never);
      service.register('jwt', new JWTStrategy());
      added.use('authentication', service);
    });
    const token: string = await app.service('authentication').createAccessToken({});
    const login = (accessToken: string, headers = {}): ReturnType<typeof request> =>
      request(url, 'POST', '/authentication', { strategy: 'jwt', accessToken }, headers);
    expect((await login(token)).status).toBe(201);
    const forged = `${token.split('.').slice(0, 2).join('.')}.${createHash('sha256').update('other').digest('base64url')}`;
    expect((await login(forged)).body).toMatchObject({ code: 401, message: 'invalid token', data: { name: 'JsonWebTokenError' } });
    const logout = (authorization: string): ReturnType<typeof request> =>
      request(url, 'DELETE', '/authentication', undefined, { authorization });
    expect((await logout(`Bearer: ${token}`)).status).toBe(401);
    expect((await logout(`Bearer ${token}`)).status).toBe(200);
  });

  it('keeps bcrypt in a subclass, through hashing and logins', async () => {
    class BcryptStrategy extends LocalStrategy {
      override hashPassword(password: string): Promise<string> {
        return bcrypt.hash(password, 4);
      }
    }
    const { app, url } = await start((added) => {
      added.set('authentication', {
        secret: 'a secret of more than thirty-two bytes, for tests',
        service: 'users',
        entity: 'user',
        authStrategies: ['local'],
        local: { usernameField: 'email', passwordField: 'password' },
      });
      added.use('users', memory({ startId: 1 }));
      added.service('users').hooks({ before: { create: [hashPassword('password')] } });
      const service = new AuthenticationService(added as never);
      service.register('local', new BcryptStrategy());
      added.use('authentication', service);
    });
    const credentials = { email: 'ann@example.com', password: 'the right password' };
    await app.service('users').create(credentials);
    for (const _login of [1, 2]) {
      expect((await request(url, 'POST', '/authentication', { strategy: 'local', ...credentials })).status).toBe(201);
      const { password } = await app.service('users').get(1);
      expect(password).toMatch(/^\$2[aby]\$04\$/);
      expect(await bcrypt.compare(credentials.password, password)).toBe(true);
    }
  });
});

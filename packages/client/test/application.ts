import type { AddressInfo } from 'node:net';
import { MemoryService } from '@framework/adapter-memory';
import { authenticate, AuthenticationService, JWTStrategy } from '@framework/authentication';
import { hashPassword, LocalStrategy, protect } from '@framework/authentication-local';
import { framework, type Params } from '@framework/core';
import { Conflict } from '@framework/errors';
import { DateSchema, Field, Hidden, Reference, serviceSchema, Type, WriteOnly, type DataType, type RecordType } from '@framework/schema';
import express, { errorHandler, idempotent, json, notFound, rest } from '@framework/transport-express';
import { socketio } from '@framework/transport-socketio';
import { sse, type SseOptions } from '@framework/transport-sse';
import { MemoryService as SessionStore } from '@framework-internal/testing';
import type { RequestHandler } from 'express';
import multer from 'multer';

export const userSchema = serviceSchema({
  record: Type.Object({
    id: Type.Integer(),
    email: Type.String(),
    password: WriteOnly(Type.String()),
    note: Type.Optional(Hidden(Type.String())),
  }),
});

export const messageSchema = serviceSchema({
  record: Type.Object({
    id: Type.Integer(),
    text: Type.String({ minLength: 1 }),
    authorId: Type.Optional(Reference('users', { as: 'author', id: Type.Integer(), record: userSchema })),
    likes: Type.Optional(Type.Integer()),
    tags: Type.Optional(Type.Array(Type.String())),
    at: Type.Optional(DateSchema()),
    secret: Type.Optional(Hidden(Type.String())),
    _version: Type.Optional(Type.Readonly(Type.String())),
  }),
});

interface Caller {
  readonly user?: { readonly email: string };
}
const onlyAnn = { readable: ({ user }: Caller) => user?.email === 'ann@example.com' };

export const staffSchema = serviceSchema({
  record: Type.Object({
    id: Type.Integer(),
    name: Type.String(),
    salary: Type.Optional(Field(Type.Integer(), onlyAnn)),
    home: Type.Optional(Type.Object({ city: Type.String(), street: Type.Optional(Field(Type.String(), onlyAnn)) })),
  }),
});

class UserService extends MemoryService<RecordType<typeof userSchema>, DataType<typeof userSchema>> {}
class MessageService extends MemoryService<RecordType<typeof messageSchema>, DataType<typeof messageSchema>> {
  async shout({ loud }: { loud: boolean }): Promise<string> {
    if (!loud) throw new Conflict('Not loud', { errors: [{ path: 'loud' }] });
    return 'HEY';
  }
}
class StaffService extends MemoryService<RecordType<typeof staffSchema>, DataType<typeof staffSchema>> {}
class NoteService extends MemoryService<{ id: number; text: string }, { text: string }> {}
class PageService extends MemoryService<{ id: number; place: number; mark?: string }, { place: number; mark?: string }> {}
class WhoService {
  async find(params: Params & Caller = {}): Promise<{ email: string | undefined }> {
    return { email: params.user?.email };
  }
  async create(data: { text: string }, params: Params & Caller = {}): Promise<{ by: string | undefined; text: string }> {
    return { ...data, by: params.user?.email };
  }
}
class UploadService {
  async create(_data: unknown, params: { file?: { originalname: string; size: number } } = {}): Promise<{ name: string; size: number }> {
    return { name: params.file?.originalname ?? '', size: params.file?.size ?? 0 };
  }
}
class RouteService {
  async find(params: { route?: Record<string, string> } = {}): Promise<{ userId: string | undefined }> {
    return { userId: params.route?.userId };
  }
}

/** What {@link start} may be told. */
export interface StartOptions {
  readonly authentication?: object;
  readonly sse?: SseOptions;
  /** Middleware in front of everything. */
  readonly first?: RequestHandler;
  readonly port?: number;
}

const upload = multer({ limits: { fileSize: 1_000_000 } });
const takeFile: RequestHandler = (req, _res, next) => {
  req.framework = { ...req.framework, file: (req as { file?: object }).file };
  next();
};

/** The server that the tests call: all of it in memory. */
export function createApp(options: StartOptions = {}) {
  const app = express(framework());
  app.set('authentication', {
    secret: 'a secret of more than thirty-two bytes, for tests',
    service: 'users',
    entity: 'user',
    authStrategies: ['jwt', 'local'],
    limiter: false,
    local: { usernameField: 'email', passwordField: 'password', hashCost: { memoryCost: 64, timeCost: 1 } },
    ...options.authentication,
  });
  if (options.first) app.use(options.first);
  app
    .use(json())
    .configure(rest())
    .configure(sse({ retry: [1, 10], ...options.sse }))
    .configure(socketio());
  app.use('sessions', new SessionStore({ multi: true }));
  const all = app
    .use('users', new UserService({ startId: 1 }), { schema: userSchema })
    .use('messages', new MessageService({ startId: 1, multi: true, version: '_version' }), {
      schema: messageSchema,
      methods: ['find', 'get', 'create', 'update', 'patch', 'remove', 'shout'],
      conditional: true,
    })
    .use('staff', new StaffService({ startId: 1, multi: true }), { schema: staffSchema })
    .use('notes', new NoteService({ multi: true, paginate: { default: 10, max: 50 } }))
    .use('pages', new PageService({ startId: 1, multi: true, paginate: { default: 3, max: 5 }, cursors: true }))
    .use('skips', new PageService({ startId: 1, multi: true, paginate: { default: 3, max: 5 } }))
    .use('who', new WhoService())
    .use('users/:userId/route', new RouteService())
    .use('uploads', upload.single('file'), takeFile, new UploadService());
  const authentication = new AuthenticationService(all);
  authentication.register('jwt', new JWTStrategy());
  authentication.register('local', new LocalStrategy());
  const whole = all.use('authentication', authentication);
  whole.service('users').hooks({ around: { all: [protect('password')] }, before: { create: [hashPassword('password')] } });
  whole.service('who').hooks({ before: { all: [authenticate('jwt')] } });
  whole.service('staff').hooks({ before: { all: [authenticate('jwt')] } });
  whole.hooks({ around: { all: [idempotent()] } });
  whole.on('connection', (connection: object) => whole.channel('everybody').join(connection));
  whole.publish(() => whole.channel('everybody'));
  whole.use(notFound());
  whole.use(errorHandler({ logger: false }));
  return whole;
}

export type TestApp = ReturnType<typeof createApp>;

/** A running server. */
export interface Running {
  readonly app: TestApp;
  readonly url: string;
  readonly port: number;
  stop(): Promise<void>;
}

/** Listens on a free port, with one user: `ann@example.com`, `correct horse`. */
export async function start(options: StartOptions = {}): Promise<Running> {
  const app = createApp(options);
  const server = await app.listen(options.port ?? 0, '127.0.0.1');
  const { port } = server.address() as AddressInfo;
  await app.service('users').create({ email: 'ann@example.com', password: 'correct horse', note: 'hidden' });
  const stop = async (): Promise<void> => {
    // A server waits half a second for connections that a client keeps: nobody uses these any more.
    server.closeIdleConnections();
    await app.close({ timeout: 1000 });
  };
  return { app, url: `http://127.0.0.1:${port}`, port, stop };
}

/** The login of the one user. */
export const LOGIN = { strategy: 'local', email: 'ann@example.com', password: 'correct horse' } as const;

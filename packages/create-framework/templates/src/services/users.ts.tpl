%% if database
import { DocDbService, sessionStore‹, type DocDbParams› } from '@framework/adapter-docdb';
%% else
import { randomUUID } from 'node:crypto';
import { MemoryService‹, type MemoryParams› } from '@framework/adapter-memory';
%% end
import { authenticate‹, type AuthenticationService› } from '@framework/authentication';
import { hashPassword } from '@framework/authentication-local';
%% if ts & memory
import type { HookContext, NextFunction, ServiceWith } from '@framework/core';
%% end
%% if ts & database
import type { HookContext, ServiceWith } from '@framework/core';
%% end
%% if memory
import { Conflict } from '@framework/errors';
%% end
import {
  ReadOnly,
  resolve,
  serviceSchema,
  Type,
  WriteOnly,
%% if ts
  type DataType,
  type PatchType,
  type QueryType,
  type Static,
%% end
} from '@framework/schema';
%% if ts
import type { Application } from '../app.ts';
%% end

%% if js
/** @typedef {import('@framework/core').HookContext & { params: { user?: { _id: unknown } } }} Context */

%% end
const record = Type.Object({
  _id: ReadOnly(Type.String()),
%% if oauth
  // Who comes from GitHub has neither.
  email: Type.Optional(Type.String({ format: 'email', maxLength: 254 })),
  password: Type.Optional(WriteOnly(Type.String({ minLength: 8, maxLength: 200 }))),
  githubId: Type.Optional(ReadOnly(Type.String())),
%% else
  email: Type.String({ format: 'email', maxLength: 254 }),
  password: WriteOnly(Type.String({ minLength: 8, maxLength: 200 })),
%% end
});
%% if ts
export type User = Static<typeof record>;
%% end

/** Addresses are the same in any case. */
%% if ts
const lowerCase = resolve<Partial<User>, HookContext>({ email: (value) => value?.toLowerCase() });
%% else
const lowerCase = resolve({ email: (/** @type {string | undefined} */ value) => value?.toLowerCase() });
%% end

/** A user. The password is hashed, and never leaves the server. */
export const userSchema = serviceSchema({
  record,
%% if oauth
  data: Type.Object({
    email: Type.String({ format: 'email', maxLength: 254 }),
    password: Type.String({ minLength: 8, maxLength: 200 }),
  }),
%% end
  resolvers: { data: { create: lowerCase, update: lowerCase, patch: lowerCase } },
});

%% if ts
type Data = DataType<typeof userSchema>;
%% if database
type Params = DocDbParams<QueryType<typeof userSchema>>;
%% else
type Params = MemoryParams<QueryType<typeof userSchema>>;
%% end
type Patch = PatchType<typeof userSchema>;

declare module '@framework/core' {
  interface Params {
    /** Who is logged in. */
    user?: User;
  }
}

%% end
%% if database
%% if ts
export class UsersService extends DocDbService<User, Data, Params, Patch> {}
%% else
export class UsersService extends DocDbService {}
%% end
%% else
%% if ts
export class UsersService extends MemoryService<User, Data, Params, Patch> {}
%% else
export class UsersService extends MemoryService {}
%% end
%% end

%% if ts
declare module '../app.ts' {
  interface Services {
    users: ServiceWith<UsersService, { schema: typeof userSchema }>;
  }
}

%% end
%% if ts
/** Registers users, and the service that keeps their sessions. */
%% else
/**
 * Registers users, and the service that keeps their sessions.
 *
 * @param {import('../app.js').Application} app
 */
%% end
export function users(app‹: Application›)‹: void› {
%% if database
  const db = app.get('db');
  const prepare = async () => {
    const collection = db.collection('users');
%% if oauth
    await collection.createIndexes([
      { key: { email: 1 }, unique: true, sparse: true },
      { key: { githubId: 1 }, unique: true, sparse: true },
    ]);
%% else
    await collection.createIndexes([{ key: { email: 1 }, unique: true }]);
%% end
    return collection;
  };
  app.use('users', new UsersService({ Model: prepare, paginate: { default: 20, max: 100 } }), { schema: userSchema });
  app.use('sessions', sessionStore(db.collection('sessions')), { methods: [] });
%% else
  const service = new UsersService({ id: '_id', createId: randomUUID, paginate: { default: 20, max: 100 } });
  app.use('users', service, { schema: userSchema });
  app.use('sessions', new MemoryService({ multi: true }), { methods: [] });
%% end
%% if memory
  const oneAddress = uniqueAddress(service);
%% end
  app.service('users').hooks({
    around: {
      find: [authenticate('jwt')],
      get: [authenticate('jwt')],
%% if memory
      create: [oneAddress],
      update: [authenticate('jwt'), oneAddress],
      patch: [authenticate('jwt'), oneAddress],
%% else
      update: [authenticate('jwt')],
      patch: [authenticate('jwt')],
%% end
      remove: [authenticate('jwt')],
    },
    before: {
      find: [onlyOneself],
      get: [onlyOneself],
      create: [hashPassword('password')],
      update: [onlyOneself, hashPassword('password')],
      patch: [onlyOneself, hashPassword('password')],
      remove: [onlyOneself],
    },
  });
}

/** The same for the address of a login. */
%% if js
/** @param {import('@framework/core').HookContext} context */
%% end
export function lowerCaseLogin(context‹: HookContext<Application, AuthenticationService, 'create'>›)‹: void› {
%% if ts
  const { email } = context.data;
%% else
  const { email } = /** @type {Record<string, unknown>} */ (context.data);
%% end
  if (typeof email === 'string') context.data = { ...‹context.data¦Object(context.data)›, email: email.toLowerCase() };
}

/** From outside everyone sees and changes only themselves: others are as if they were not there (404). */
%% if js
/** @param {Context} context */
%% end
function onlyOneself(context‹: HookContext<Application, UsersService, 'find' | 'get' | 'update' | 'patch' | 'remove'>›)‹: void› {
  const { provider, user } = context.params;
  if (provider === undefined) return;
  context.params = { ...context.params, query: { ...context.params.query, _id: String(user?._id) } };
}
%% if memory

/** One address, one user: what takes an address waits for its turn. On a database a unique index does that. */
%% if js
/**
 * @param {UsersService} users
 * @returns {(context: import('@framework/core').HookContext, next: import('@framework/core').NextFunction) => Promise<void>}
 */
%% end
function uniqueAddress(users‹: UsersService›) {
  let last‹: Promise<unknown>› = Promise.resolve();
%% if ts
  return async function oneAddress(context: HookContext, next: NextFunction): Promise<void> {
%% else
  return async function oneAddress(context, next) {
%% end
    const turn = last.then(async () => {
      const { data } = context;
      const email = typeof data === 'object' && data !== null && 'email' in data ? data.email : undefined;
      if (typeof email === 'string') {
        const found = await users.find({ query: { email: email.toLowerCase() }, paginate: false });
        if (found.some(({ _id }) => _id !== context.id)) throw new Conflict('There is a user with this address');
      }
      await next();
    });
    last = turn.catch(() => undefined);
    await turn;
  };
}
%% end

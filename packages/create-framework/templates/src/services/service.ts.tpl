%% if database
import { DocDbService‹, type DocDbParams› } from '@framework/adapter-docdb';
%% else
import { randomUUID } from 'node:crypto';
import { MemoryService‹, type MemoryParams› } from '@framework/adapter-memory';
%% end
%% if login
import { authenticate } from '@framework/authentication';
%% end
%% if ts
import type { HookContext, ServiceWith } from '@framework/core';
%% end
import { ReadOnly, resolve, serviceSchema, Type‹, type DataType, type PatchType, type QueryType, type Static› } from '@framework/schema';
%% if ts
import type { Application } from '«app»';
%% end

%% if js & login
/** @typedef {import('@framework/core').HookContext & { params: { user?: { _id: unknown } } }} Context */

%% end
const record = Type.Object({
  _id: ReadOnly(Type.String()),
  text: Type.String({ minLength: 1, maxLength: 1000 }),
%% if login
  userId: ReadOnly(Type.String()),
%% end
  createdAt: ReadOnly(Type.String({ format: 'date-time' })),
});
%% if ts
export type «Singular» = Static<typeof record>;
%% end

/** What is stored, taken and answered. Callers do not set what is read-only: it is set here. */
export const «singular»Schema = serviceSchema({
  record,
  resolvers: {
    data: {
%% if ts
      create: resolve<«Singular», HookContext>({
%% else
      create: resolve({
%% end
%% if login & ts
        userId: (value, _record, { params }) => (params.user ? String(params.user._id) : value),
%% end
%% if login & js
        userId: (value, _record, /** @type {Context} */ { params }) => (params.user ? String(params.user._id) : value),
%% end
        createdAt: () => new Date().toISOString(),
      }),
    },
  },
});

%% if ts
type Data = DataType<typeof «singular»Schema>;
%% if database
type Params = DocDbParams<QueryType<typeof «singular»Schema>>;
%% else
type Params = MemoryParams<QueryType<typeof «singular»Schema>>;
%% end
type Patch = PatchType<typeof «singular»Schema>;

%% end
%% if database
%% if ts
export class «Plural»Service extends DocDbService<«Singular», Data, Params, Patch> {}
%% else
export class «Plural»Service extends DocDbService {}
%% end
%% else
%% if ts
export class «Plural»Service extends MemoryService<«Singular», Data, Params, Patch> {}
%% else
export class «Plural»Service extends MemoryService {}
%% end
%% end

%% if ts
declare module '«app»' {
  interface Services {
    «property»: ServiceWith<«Plural»Service, { schema: typeof «singular»Schema }>;
  }
}

%% end
%% if ts
/** Registers the service. */
%% else
/**
 * Registers the service.
 *
 * @param {import('«app»').Application} app
 */
%% end
export function «plural»(app‹: Application›)‹: void› {
%% if database
  const service = new «Plural»Service({ Model: app.get('db').collection('«collection»'), paginate: { default: 20, max: 100 } });
%% else
  const service = new «Plural»Service({ id: '_id', createId: randomUUID, paginate: { default: 20, max: 100 } });
%% end
  app.use('«path»', service, { schema: «singular»Schema });
%% if login
  app.service('«path»').hooks({
    around: { all: [authenticate('jwt')] },
    before: { update: [onlyOwn], patch: [onlyOwn], remove: [onlyOwn] },
  });
%% end
%% if realtime
%% if login
  const toLoggedIn = () => app.channel('authenticated');
  app.service('«path»').publish(toLoggedIn);
%% else
  const toEverybody = () => app.channel('everybody');
  app.service('«path»').publish(toEverybody);
%% end
%% end
}
%% if login

/** From outside everyone changes only what is their own: the rest is as if it were not there (404). */
%% if js
/** @param {Context} context */
%% end
function onlyOwn(context‹: HookContext<Application, «Plural»Service, 'update' | 'patch' | 'remove'>›)‹: void› {
  const { provider, user } = context.params;
  if (provider === undefined) return;
  context.params = { ...context.params, query: { ...context.params.query, userId: String(user?._id) } };
}
%% end

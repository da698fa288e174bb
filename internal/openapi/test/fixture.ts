import { MemoryService } from '@framework/adapter-memory';
import { authenticate, AuthenticationService, JWTStrategy } from '@framework/authentication';
import { hashPassword, LocalStrategy } from '@framework/authentication-local';
import { framework, type Params } from '@framework/core';
import { openapi, type OpenApiOptions } from '@framework/openapi';
import { DateSchema, Field, Hidden, Nullable, Reference, ReadOnly, serviceSchema, StringEnum, Type, WriteOnly } from '@framework/schema';
import express, { errorHandler, json, notFound, rest, type RestOptions } from '@framework/transport-express';
import { sse } from '@framework/transport-sse';

/** Names that callers of whom nothing is known must not find in a document. */
export const SECRETS: readonly string[] = ['loginCount', 'internalNote', 'auditTrail', 'margin', 'counters', 'drafts'];

const person = serviceSchema({
  record: Type.Object(
    {
      id: Type.Integer(),
      email: Type.String({ format: 'email', maxLength: 200 }),
      password: WriteOnly(Type.String({ minLength: 8 })),
      loginCount: Type.Optional(Hidden(Type.Integer())),
      createdAt: Type.Optional(ReadOnly(DateSchema())),
    },
    { $id: 'Person' },
  ),
});

const Shape = Type.Union([
  Type.Object({ kind: Type.Literal('circle'), radius: Type.Number({ exclusiveMinimum: 0 }) }),
  Type.Object({
    kind: Type.Literal('square'),
    side: Type.Number({ exclusiveMinimum: 0 }),
    internalNote: Type.Optional(Hidden(Type.String())),
  }),
]);

const product = serviceSchema({
  record: Type.Object({
    id: Type.Integer(),
    version: Type.Optional(ReadOnly(Type.String())),
    name: Type.String({ minLength: 1, maxLength: 40 }),
    sku: Type.String({ pattern: '^[A-Z]{3}-\\d{4}$' }),
    size: StringEnum(['small', 'large']),
    price: Type.Number({ minimum: 0, multipleOf: 0.5 }),
    shape: Shape,
    tags: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { maxItems: 5 })),
    soldOut: Nullable(Type.Boolean()),
    releasedAt: Type.Optional(DateSchema()),
    ownerId: Type.Optional(Reference('people', { as: 'owner', id: Type.Integer() })),
    parts: Type.Optional(Type.Array(Type.Object({ label: Type.String(), auditTrail: Type.Optional(Hidden(Type.Array(Type.String()))) }))),
    margin: Type.Optional(
      Field(Type.Number(), { readable: ({ user }: Params & { user?: { email?: string } }) => user?.email === 'admin@example.com' }),
    ),
  }),
});

/** Custom methods, some of them described. */
class Products extends MemoryService {
  async discount({ percent }: { percent: number }): Promise<{ changed: number }> {
    if (typeof percent !== 'number') {
      const { BadRequest } = await import('@framework/errors');
      throw new BadRequest('percent has to be a number');
    }
    return { changed: 0 };
  }

  async refresh(): Promise<undefined> {
    return undefined;
  }
}

/** An application with a service of each kind. */
export function fixture(options: OpenApiOptions = {}, restOptions: RestOptions = {}): ReturnType<typeof assemble> {
  return assemble(options, restOptions);
}

function assemble(options: OpenApiOptions, restOptions: RestOptions) {
  const app = express(framework());
  app.use(json()).configure(rest(restOptions)).configure(sse());
  app.set('authentication', {
    secret: 'a secret of the tests that is long enough for everybody',
    service: 'people',
    entity: 'user',
    sessions: true,
    authStrategies: ['jwt', 'local'],
    // Hashes are none of what the document tells: they cost as little as may be.
    local: { usernameField: 'email', passwordField: 'password', hashCost: { memoryCost: 1024, timeCost: 1 } },
  });
  const pages = { default: 5, max: 20 };
  app.use('people', new MemoryService({ paginate: pages, startId: 1 }), { schema: person });
  app.service('people').hooks({
    before: {
      create: [hashPassword('password')],
      find: [authenticate('jwt')],
      get: [authenticate('jwt')],
      update: [authenticate('jwt'), hashPassword('password')],
      patch: [authenticate('jwt'), hashPassword('password')],
      remove: [authenticate('jwt')],
    },
  });
  app.use('products', new Products({ paginate: pages, startId: 1, multi: true, cursors: true, version: 'version' }), {
    schema: product,
    methods: ['find', 'get', 'create', 'update', 'patch', 'remove', 'discount', 'refresh'],
    conditional: true,
    docs: {
      description: 'What is sold.',
      operations: {
        find: { summary: 'Look at products' },
        discount: {
          summary: 'Make everything cheaper',
          data: Type.Object({ percent: Type.Integer({ minimum: 1, maximum: 100 }) }),
          result: Type.Object({ changed: Type.Integer() }),
        },
        refresh: { summary: 'Read the stock again', data: { type: 'object', maxProperties: 0 }, result: false },
      },
    },
  });
  app.use('people/:personId/notes', new MemoryService({ startId: 1 }), {
    schema: serviceSchema({
      record: Type.Object({ id: Type.Integer(), text: Type.String(), personId: Type.Optional(ReadOnly(Type.String())) }),
    }),
    docs: { description: 'Notes of one person.' },
  });
  app.use('counters', new MemoryService(), { methods: [] });
  app.use('drafts', new MemoryService(), { docs: false });
  const authentication = new AuthenticationService(app as never);
  authentication.register('jwt', new JWTStrategy());
  authentication.register('local', new LocalStrategy());
  app.use('authentication', authentication);
  app.use('sessions', new MemoryService({ id: 'id', multi: true, operators: ['$exists'] }));
  const info = { title: 'Products', version: '1.2.3', license: { name: 'MIT', identifier: 'MIT' } };
  app.configure(openapi({ info, ...options }));
  app.use(notFound()).use(errorHandler({ logger: false }));
  return app;
}

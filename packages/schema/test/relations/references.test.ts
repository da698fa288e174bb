import { MemoryService } from '@framework-internal/testing';
import { framework } from '@framework/core';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { Field, Hidden, Nullable, Reference, RecordShape, serviceSchema, Type, type TSchema } from '../../src/index.ts';

const setup = (record: TSchema | object, others: Record<string, object | undefined> = {}): Promise<unknown> => {
  const app = framework();
  // Before the services that it names.
  app.use('posts', new MemoryService(), { schema: serviceSchema({ record: record as TSchema }) });
  for (const [path, schema] of Object.entries(others))
    app.use(path, new MemoryService(), schema ? { schema: serviceSchema({ record: schema as TSchema }) } : {});
  return app.setup();
};
const author = (reference: TSchema): TSchema => Type.Object({ id: Type.Integer(), authorId: reference });
const user = (id: TSchema): TSchema => Type.Object({ id, name: Type.String() });
const toUsers = Reference('users', { as: 'author' });

describe('references, when the application is set up', () => {
  it.each([
    ['no such service', author(toUsers), {}, "reference at 'authorId' to 'users', and there is no such service"],
    [
      'ids of another type',
      author(toUsers),
      { users: user(Type.Integer()) },
      "'authorId' of type text, and 'id' of 'users' is of type number",
    ],
    [
      'ids of another type in a list inside a list',
      Type.Object({
        id: Type.Integer(),
        items: Type.Array(Type.Object({ ids: Type.Array(Reference('users', { as: 'all', id: Type.Integer() })) })),
      }),
      { users: user(Type.String()) },
      "'items.ids' of type number, and 'id' of 'users' is of type text",
    ],
    ['ids that can not be found', author(toUsers), { users: Type.Object({ name: Type.String() }) }, "does not describe its id 'id'"],
    ['ids that are hidden', author(toUsers), { users: user(Hidden(Type.String())) }, "hides its id 'id'"],
  ])('refuses %s, with the path and the cure', async (_name, record, others, message) => {
    await expect(setup(record, others)).rejects.toThrow(message);
    await expect(setup(record, others)).rejects.toThrow(/The record of 'posts' has a reference/);
  });

  it('refuses an option that there is not', () => {
    expect(() => Reference('users', { as: 'author', recrd: user(Type.Integer()) } as never)).toThrow(
      "Reference() has no option 'recrd'. Did you mean 'record'?",
    );
  });

  it('refuses a service that can not be found in', async () => {
    const app = framework();
    app.use('users', { get: async () => ({}) });
    app.use('posts', new MemoryService(), { schema: serviceSchema({ record: author(toUsers) }) });
    await expect(app.setup()).rejects.toThrow("has no method 'find'");
  });

  it.each([
    ['alike', author(toUsers), user(Type.String())],
    ['nullable', author(Nullable(toUsers)), user(Type.Union([Type.String(), Type.Integer()]))],
    [
      'of a fixed list',
      author(Reference('users', { as: 'author', id: Type.Union([Type.Literal('a'), Type.Literal('b')]) })),
      user(Type.String()),
    ],
    ['that nothing describes', author(toUsers), undefined],
  ])('takes ids %s', async (_name, record, users) => {
    await expect(setup(record, { users })).resolves.toBeDefined();
  });

  it('refuses one that comes later and does not fit, and leaves nothing behind', async () => {
    const app = framework();
    await app.setup();
    const schema = serviceSchema({ record: author(toUsers) });
    expect(() => app.use('posts', new MemoryService(), { schema })).toThrow('there is no such service: correct the path');
    expect(() => app.service('posts' as never)).toThrow("Can not find service 'posts'");
    app.use('users', new MemoryService());
    app.use('posts', new MemoryService(), { schema });
  });

  it('looks at services that others register while they are set up', async () => {
    const app = framework();
    app.use('posts', new MemoryService(), { schema: serviceSchema({ record: author(toUsers) }) });
    app.use('late', { find: async () => [], setup: async () => void app.use('users', new MemoryService()) });
    await expect(app.setup()).resolves.toBeDefined();
  });
});

describe('references of a record', () => {
  const found = (record: TSchema | object): Record<string, unknown> => Object.fromEntries(new RecordShape(record as never).references);

  it('are found in every form, by their paths', () => {
    const recursive = Type.Recursive((self) => Type.Object({ byId: toUsers, replies: Type.Array(self) }));
    expect(found(recursive)).toEqual({ byId: { service: 'users', as: 'author' }, 'replies.byId': { service: 'users', as: 'author' } });
    const json = {
      type: 'object',
      properties: { authorId: { $ref: '#/$defs/id' }, ids: { type: 'array', items: { $ref: '#/$defs/id' } } },
      $defs: { id: { type: 'string', reference: { service: 'users', as: 'author' } } },
    };
    expect(() => found(json)).toThrow("'ids' can not be put under 'author', which exists already");
    expect(found({ ...json, properties: { authorId: json.properties.authorId } })).toEqual({
      authorId: { service: 'users', as: 'author' },
    });
    const ofZod = serviceSchema({
      record: z.object({ id: z.number(), authorId: z.string().meta({ reference: { service: 'users', as: 'author' } }) }),
    });
    expect([...ofZod.shape.references.keys()]).toEqual(['authorId']);
    const optional = Type.Intersect([
      Type.Object({ a: Type.Optional(Field(toUsers, { readable: () => true })) }),
      Type.Object({ b: Type.String() }),
    ]);
    expect(found(optional)).toHaveProperty('a');
  });

  it.each([
    [
      'in a record of ids',
      Type.Object({ ids: Type.Record(Type.String(), toUsers) }),
      "'ids.*' of the record names a record of another service",
    ],
    ['in a tuple', Type.Object({ pair: Type.Tuple([toUsers, Type.String()]) }), "'pair[]' of the record"],
    ['below a keyword that is not followed', { type: 'object', properties: { a: { not: toUsers } } }, "'a' of the record has a mark"],
    [
      'to two services',
      Type.Object({ a: Type.Union([toUsers, Reference('teams', { as: 'team' })]) }),
      "'a' of the record names records of 'users' and 'teams'",
    ],
    [
      'under a name that is taken',
      Type.Object({ a: toUsers, author: Type.String() }),
      "can not be put under 'author', which exists already",
    ],
    ['under the name of another', Type.Object({ a: toUsers, b: toUsers }), "can not be put under 'author', which exists already"],
    ...['', 'a.b', '$a', '__proto__', '0'].map(
      (as) => [`under '${as}'`, Type.Object({ a: Reference('users', { as }) }), "The reference 'a' can not be read"] as const,
    ),
    ['without a service', { type: 'object', properties: { a: { reference: { as: 'b' } } } }, "The reference 'a' can not be read"],
    ['with something else', { type: 'object', properties: { a: { reference: { service: 'x', as: 'b', key: 'c' } } } }, "what is 'key'?"],
  ])('are refused %s', (_name, record, message) => {
    expect(() => found(record)).toThrow(message);
  });
});

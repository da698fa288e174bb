import { DocDbService } from '@framework/adapter-docdb';
import { framework } from '@framework/core';
import { startDatabase, type TestDatabase } from '@framework-internal/testing/database';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import * as v from 'valibot';
import { z } from 'zod';
import { Hidden, serviceSchema, Type, type JSONSchema, type TSchema } from '../src/index.ts';
import { asksOfKind } from '../src/validation/patched-kind.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await startDatabase();
});
afterAll(() => database.close());

let made = 0;
async function start(described: object): Promise<any> {
  const app = framework() as any;
  made += 1;
  app.use('shapes', new DocDbService({ Model: database.db.collection(`kinds${String(made)}`) as never, id: 'id' }) as never, {
    schema: serviceSchema(described as never),
  });
  await app.setup();
  return app.service('shapes');
}

const outside = { provider: 'rest' };
const refusal = {
  code: 400,
  errors: [
    {
      path: 'kind',
      keyword: 'kind',
      message: 'kind is another one in this record: a patch does not change the kind of a record. Replace it as a whole (update)',
    },
  ],
};

const zod = z.discriminatedUnion('kind', [
  z.object({ id: z.any().optional(), kind: z.literal('circle'), size: z.int(), note: z.string().optional() }),
  z.object({ id: z.any().optional(), kind: z.literal('box'), size: z.string(), edges: z.int(), note: z.string().optional() }),
]);
const valibot = v.variant('kind', [
  v.object({ id: v.any(), kind: v.literal('circle'), size: v.number(), note: v.optional(v.string()) }),
  v.object({ id: v.any(), kind: v.literal('box'), size: v.string(), edges: v.number(), note: v.optional(v.string()) }),
]);

it.each<[string, object]>([
  ['zod', zod],
  ['valibot', toStandardJsonSchema(valibot)],
])('a record of one of the kinds that %s describes is not made one of none by a patch', async (_library, record) => {
  const shapes = await start({ record });
  const { id } = await shapes.create({ kind: 'circle', size: 1 });
  for (const change of [{ kind: 'box' }, { kind: 'box', size: 'big', edges: 5 }, { size: 'big' }, { note: 'x', size: 'big' }])
    await expect(shapes.patch(id, change, outside)).rejects.toMatchObject(refusal);
  expect(await shapes.patch(id, { size: 2, note: 'x' }, outside)).toMatchObject({ kind: 'circle', size: 2, note: 'x' });
});

it('the kind is told by its property alone where a library has the schema of the change', async () => {
  const patch = z.looseObject({ kind: z.enum(['circle', 'box']).optional(), note: z.string().optional() });
  const shapes = await start({ record: zod, data: zod, patch });
  const { id } = await shapes.create({ kind: 'circle', size: 1 });
  await expect(shapes.patch(id, { kind: 'box' }, outside)).rejects.toMatchObject(refusal);
  expect(await shapes.patch(id, { kind: 'circle', note: 'x' }, outside)).toMatchObject({ note: 'x' });
  expect(await shapes.patch(id, { note: 'y' }, outside)).toMatchObject({ note: 'y' });
});

it('an operator that the schema of changes declares sets no other kind', async () => {
  const record = Type.Union([
    Type.Object({ id: Type.Any(), kind: Type.Literal('circle'), size: Type.Integer() }),
    Type.Object({ id: Type.Any(), kind: Type.Literal('box'), size: Type.String() }),
  ]);
  const patch = Type.Object({ $set: Type.Object({ kind: Type.Optional(Type.String()), size: Type.Optional(Type.Integer()) }) });
  const shapes = await start({ record, patch });
  const { id } = await shapes.create({ kind: 'circle', size: 1 });
  await expect(shapes.patch(id, { $set: { kind: 'box' } }, outside)).rejects.toMatchObject(refusal);
  expect(await shapes.patch(id, { $set: { kind: 'circle', size: 5 } }, outside)).toMatchObject({ kind: 'circle', size: 5 });
});

it('a caller is not told of a property that tells kinds apart and that it does not see', async () => {
  const of = (kind: string, size: TSchema): TSchema => Type.Object({ id: Type.Any(), kind: Hidden(Type.Literal(kind)), size });
  const shapes = await start({ record: Type.Union([of('circle', Type.Integer()), of('box', Type.String())]) });
  const { id } = await shapes.create({ kind: 'circle', size: 1 });
  await expect(shapes.patch(id, { size: 'big' }, outside)).rejects.toMatchObject({ code: 400, errors: [] });
  await expect(shapes.patch(id, { size: 'big' })).rejects.toMatchObject(refusal);
  expect(await shapes.patch(id, { size: 2 }, outside)).toMatchObject({ size: 2 });
});

it('a union that is an alternative of itself tells no kinds apart', async () => {
  const of = (kind: string): object => ({ type: 'object', properties: { id: {}, kind: { const: kind } }, required: ['kind'] });
  const $defs = { own: { anyOf: [{ $ref: '#/$defs/own' }, of('b')] } };
  const record = { anyOf: [of('a'), { $ref: '#/$defs/own' }], $defs } as JSONSchema;
  expect(asksOfKind(record, record, undefined)({ kind: 'b' })).toEqual([]);
  const telling = { ...of('b'), properties: { id: {}, kind: { $ref: '#/$defs/kind' } } };
  const odd = { anyOf: [of('a'), telling], $defs: { kind: { anyOf: [{ $ref: '#/$defs/kind' }, { const: 'b' }] } } } as JSONSchema;
  expect(asksOfKind(odd, odd, undefined)({ kind: 'b' })).toEqual([]);
});

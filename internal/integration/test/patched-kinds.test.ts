import { DocDbService } from '@framework/adapter-docdb';
import { MemoryService } from '@framework/adapter-memory';
import { framework } from '@framework/core';
import { serviceSchema, Type } from '@framework/schema';
import { Random, Variety } from '@framework-internal/testing';
import { startDatabase, type TestDatabase } from '@framework-internal/testing/database';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const SEED = Number(process.env.KIND_SEED ?? 20_261_130);
const RUNS = Number(process.env.KIND_RUNS ?? 300);

let database: TestDatabase;
beforeAll(async () => {
  database = await startDatabase();
});
afterAll(() => database.close());

type Row = Record<string, unknown>;

const circle = { id: Type.Integer(), kind: Type.Literal('circle'), size: Type.Integer(), note: Type.Optional(Type.String()) };
const box = {
  id: Type.Integer(),
  kind: Type.Literal('box'),
  size: Type.String(),
  edges: Type.Integer(),
  note: Type.Optional(Type.String()),
};
const open = Type.Union([Type.Object(circle), Type.Object(box)]);
const closed = { additionalProperties: false };
const shut = Type.Union([Type.Object(circle, closed), Type.Object(box, closed)]);
const { id: _one, ...circleData } = circle;
const { id: _other, ...boxData } = box;

const records: Record<string, { record: unknown; data?: unknown; patch?: unknown }> = {
  TypeBox: { record: open },
  'TypeBox, closed': { record: shut },
  'TypeBox, an intersection': {
    record: Type.Intersect([
      Type.Object({ id: Type.Integer(), note: Type.Optional(Type.String()) }),
      Type.Union([
        Type.Object({ kind: Type.Literal('circle'), size: Type.Integer() }),
        Type.Object({ kind: Type.Literal('box'), size: Type.String(), edges: Type.Integer() }),
      ]),
    ]),
  },
  'TypeBox, with data': { record: open, data: Type.Union([Type.Object(circleData, closed), Type.Object(boxData, closed)]) },
  'JSON Schema': {
    record: {
      oneOf: [{ $ref: '#/$defs/circle' }, { $ref: '#/$defs/box' }],
      $defs: {
        circle: {
          type: 'object',
          properties: { id: { type: 'integer' }, kind: { const: 'circle' }, size: { type: 'integer' }, note: { type: 'string' } },
          required: ['id', 'kind', 'size'],
        },
        box: {
          type: 'object',
          properties: {
            id: { type: 'integer' },
            kind: { enum: ['box'] },
            size: { type: 'string' },
            edges: { type: 'integer' },
            note: { type: 'string' },
          },
          required: ['id', 'kind', 'size', 'edges'],
        },
      },
    },
  },
};

const adapters = {
  memory: (): object => new MemoryService({ multi: true }),
  database: (): object =>
    new DocDbService({ Model: database.db.collection(`kinds${String((made += 1))}`) as never, id: 'id', multi: true }),
};
let made = 0;

async function start(adapter: keyof typeof adapters, described: object): Promise<any> {
  const app = framework() as any;
  app.use('shapes', adapters[adapter](), { schema: serviceSchema(described as never) });
  await app.setup();
  return app.service('shapes');
}

const outside = { provider: 'rest' };
const refusedAs = (message: string): object => ({ code: 400, errors: [{ path: 'kind', keyword: 'kind', message: `kind ${message}` }] });
const ANOTHER = 'is another one in this record: a patch does not change the kind of a record. Replace it as a whole (update)';
const UNSAID = 'has to be in the query: the data are not for records of every kind';

const cases = Object.keys(adapters).flatMap((adapter) =>
  Object.keys(records).map((name) => [adapter as keyof typeof adapters, name] as const),
);

describe.each(cases)('a record of one of several kinds, in %s, described by %s,', (adapter, name) => {
  it.each([
    ['from outside', outside],
    ['of the server', {}],
  ])('is not made one of none by a patch %s', async (_who, params) => {
    const shapes = await start(adapter, records[name] as object);
    const { id, ...round } = (await shapes.create({ kind: 'circle', size: 1 })) as Row;
    const { id: other } = (await shapes.create({ kind: 'box', size: 'big', edges: 12 })) as Row;
    for (const change of [{ kind: 'box' }, { kind: 'box', size: 'big', edges: 5 }, { size: 'big' }, { note: 'x', size: 'big' }])
      await expect(shapes.patch(id, change, params)).rejects.toMatchObject(refusedAs(ANOTHER));
    expect(await shapes.get(id)).toEqual({ id, ...round });
    // What fits its kind, or any, is changed; and it may be replaced by one of another kind.
    expect(await shapes.patch(id, { kind: 'circle', size: 2 }, params)).toMatchObject({ kind: 'circle', size: 2 });
    expect(await shapes.patch(id, { note: 'x' }, { ...params, query: { size: 2 } })).toMatchObject({ kind: 'circle', size: 2, note: 'x' });
    expect(await shapes.patch(other, { size: 'small' }, { ...params, query: { $select: ['size'] } })).toMatchObject({ size: 'small' });
    await expect(shapes.patch(id, { size: 'big' }, { ...params, query: { size: 5 } })).rejects.toMatchObject({ code: 404 });
    await expect(shapes.patch(999, { size: 'big' }, params)).rejects.toMatchObject({ code: 404 });
    expect(await shapes.update(id, { kind: 'box', size: 'big', edges: 5 }, params)).toMatchObject({ kind: 'box', edges: 5 });
  });

  it('is said in the query where several are changed', async () => {
    const shapes = await start(adapter, records[name] as object);
    for (const size of [1, 2]) await shapes.create({ kind: 'circle', size });
    await shapes.create({ kind: 'box', size: 'big', edges: 12 });
    for (const query of [
      {},
      { kind: 'box' },
      { kind: { $in: ['circle', 'box'] } },
      { kind: { $ne: 'box' } },
      { $or: [{ kind: 'circle' }] },
    ])
      await expect(shapes.patch(null, { size: 3 }, { ...outside, query })).rejects.toMatchObject(refusedAs(UNSAID));
    for (const [size, query] of [
      [3, { kind: 'circle' }],
      [4, { kind: { $in: ['circle'] } }],
      [5, { $and: [{ kind: 'circle' }] }],
    ] as const)
      expect(((await shapes.patch(null, { size }, { ...outside, query })) as Row[]).map((row) => row.size)).toEqual([size, size]);
    expect(await shapes.patch(null, { note: 'all' }, outside)).toHaveLength(3);
  });
});

describe('a patch of one kind', () => {
  it.each(['anyOf', 'oneOf'])('is told apart in unions of unions too: %s', async (keyword) => {
    const of = (kind: string, v: string): object => ({
      type: 'object',
      properties: { id: { type: 'integer' }, kind: { const: kind }, v: { type: v } },
      required: ['id', 'kind', 'v'],
    });
    const $defs = { inner: { [keyword]: [of('b', 'string'), of('c', 'boolean')] } };
    const shapes = await start('memory', { record: { [keyword]: [of('a', 'number'), { $ref: '#/$defs/inner' }], $defs } });
    const { id } = (await shapes.create({ kind: 'c', v: true })) as Row;
    for (const change of [{ v: 'x' }, { v: 5 }, { kind: 'b', v: 'x' }, { kind: 'a' }])
      await expect(shapes.patch(id, change, outside)).rejects.toMatchObject(refusedAs(ANOTHER));
    expect(await shapes.patch(id, { v: false }, outside)).toEqual({ id, kind: 'c', v: false });
  });

  it('leaves the query as the caller has written it, and keeps what hooks ask besides', async () => {
    const shapes = await start('memory', { record: shut });
    const { id } = (await shapes.create({ kind: 'circle', size: 1, note: 'mine' })) as Row;
    const seen: unknown[] = [];
    shapes.hooks({
      around: {
        patch: [
          async (context: any, next: () => Promise<void>) => {
            await next();
            seen.push(context.params.query);
          },
        ],
      },
      before: { patch: [(context: any) => void (context.params.query = { ...context.params.query, note: 'mine' })] },
    });
    const query = { $and: [{ size: { $gt: 0 } }] };
    expect(await shapes.patch(id, { size: 2 }, { ...outside, query })).toMatchObject({ size: 2 });
    expect(query).toEqual({ $and: [{ size: { $gt: 0 } }] });
    await expect(shapes.patch(id, { edges: 2 }, outside)).rejects.toMatchObject(refusedAs(ANOTHER));
    const { id: hers } = (await shapes.create({ kind: 'circle', size: 1, note: 'hers' })) as Row;
    await expect(shapes.patch(hers, { edges: 2 }, outside)).rejects.toMatchObject({ code: 404 });
    expect(seen).toHaveLength(1);
  });
});

/** Whether a record is of one of the kinds. */
function isOfAKind(row: Row): boolean {
  if (row.kind === 'circle') return Number.isInteger(row.size) && row.edges === undefined;
  return row.kind === 'box' && typeof row.size === 'string' && Number.isInteger(row.edges);
}

it.each(['memory', 'database'] as const)('random patches leave records of their kinds in %s', async (adapter) => {
  const [random, variety] = [new Random(SEED), new Variety()];
  const shapes = await start(adapter, { record: shut });
  const rows: Row[] = [];
  for (let at = 0; at < 6; at++)
    rows.push(await shapes.create(at % 2 === 0 ? { kind: 'circle', size: at } : { kind: 'box', size: 'big', edges: at }));
  for (let run = 0; run < RUNS; run++) {
    const change: Row = {
      ...(random.oneIn(3) ? { kind: random.oneIn(2) ? 'circle' : 'box' } : {}),
      ...(random.oneIn(2) ? { size: random.oneIn(2) ? random.below(9) : 'small' } : {}),
      ...(random.oneIn(3) ? { edges: random.below(9) } : {}),
      ...(random.oneIn(3) ? { note: String(random.below(9)) } : {}),
    };
    const query = random.oneIn(3) ? { kind: random.oneIn(2) ? 'circle' : 'box' } : {};
    const id = random.oneIn(4) ? null : rows[random.below(rows.length)]?.id;
    const outcome = await shapes.patch(id, change, { ...outside, query }).then(
      () => 'changed',
      (error: { code: number }) => String(error.code),
    );
    variety.tried(JSON.stringify([id, change, query]));
    variety.took(id === null ? `several ${outcome}` : outcome);
    const stored = (await shapes.find({ paginate: false })) as Row[];
    const seen = `seed ${String(SEED)}: ${JSON.stringify([id, change, query])}`;
    expect([seen, stored.filter((row) => !isOfAKind(row))]).toEqual([seen, []]);
  }
  console.log(variety.report('KIND_SEED', SEED));
  variety.expect(RUNS / 2, { changed: RUNS / 20, 400: RUNS / 10, 404: RUNS / 50, 'several changed': RUNS / 100, 'several 400': RUNS / 50 });
});

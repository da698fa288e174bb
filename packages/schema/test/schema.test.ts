import { framework, type HookContext } from '@framework/core';
import { describe, expect, it } from '@jest/globals';
import {
  coerce,
  DateSchema,
  getDataValidator,
  getValidator,
  querySyntax,
  resolve,
  resolveAll,
  resolveData,
  resolveExternal,
  resolveQuery,
  resolveResult,
  StringEnum,
  Type,
  validateData,
  validateQuery,
  virtual,
} from '../src/index.ts';

const city = Type.Object(
  {
    name: Type.String({ minLength: 1 }),
    population: Type.Integer(),
    height: Type.Number(),
    capital: Type.Boolean(),
    founded: DateSchema(),
    tags: Type.Array(Type.String()),
    kind: StringEnum(['town', 'city']),
    mayor: Type.Union([Type.String(), Type.Null()]),
  },
  { additionalProperties: false },
);
const query = getValidator(querySyntax(city));

describe('conversion of texts (interface 4.6)', () => {
  it.each([
    [{ population: '5' }, { population: 5 }],
    [{ population: { $gt: '-5', $in: ['1', '2'] } }, { population: { $gt: -5, $in: [1, 2] } }],
    [{ height: '1.5e2' }, { height: 150 }],
    [{ capital: 'true' }, { capital: true }],
    [{ capital: { $ne: 'false' } }, { capital: { $ne: false } }],
    [{ founded: { $lt: '2000-01-01' } }, { founded: { $lt: new Date('2000-01-01') } }],
    [{ name: '5' }, { name: '5' }],
    [{ name: { $in: { 0: 'a', 1: 'b', 10: 'c', 2: 'd' } } }, { name: { $in: ['a', 'b', 'd', 'c'] } }],
    [{ name: { $in: 'a' } }, { name: { $in: ['a'] } }],
    [{ tags: 'a' }, { tags: 'a' }],
    [
      { $limit: '5', $skip: '0', $sort: { name: '-1' }, $select: ['name'] },
      { $limit: 5, $skip: 0, $sort: { name: -1 }, $select: ['name'] },
    ],
    [{ $select: 'name' }, { $select: ['name'] }],
    [{ $or: [{ population: '1' }, { $and: [{ capital: 'true' }] }] }, { $or: [{ population: 1 }, { $and: [{ capital: true }] }] }],
  ])('%j is %j', async (given, expected) => {
    const before = structuredClone(given);
    expect(await query(given)).toEqual(expected);
    expect(given).toEqual(before);
  });

  it.each([
    [{ population: '10abc' }, 'population'],
    [{ population: '' }, 'population'],
    [{ population: '1.5' }, 'population'],
    [{ height: '1e309' }, 'height'],
    [{ height: 'NaN' }, 'height'],
    [{ height: ' 5' }, 'height'],
    [{ height: '0x10' }, 'height'],
    [{ capital: 'yes' }, 'capital'],
    [{ capital: '1' }, 'capital'],
    [{ founded: { $gt: 'tomorrow' } }, 'founded'],
    [{ population: null }, 'population'],
    [{ $limit: '-1' }, '$limit'],
    [{ $limit: '1.5' }, '$limit'],
    [{ $sort: { name: '2' } }, '$sort.name'],
    [{ $sort: { wrong: '1' } }, '$sort.wrong'],
    [{ $select: ['wrong'] }, '$select'],
    [{ wrong: 1 }, 'wrong'],
    [{ name: { $regex: 'a' } }, 'name'],
    [{ $or: [{ wrong: 1 }] }, '$or.0.wrong'],
    [{ name: {} }, 'name'],
    [{ kind: 'village' }, 'kind'],
  ])('%j is 400 and names %s', async (given, path) => {
    await expect(query(given)).rejects.toMatchObject({
      code: 400,
      message: 'validation failed',
      errors: expect.arrayContaining([
        expect.objectContaining({ path: expect.stringContaining(path), keyword: expect.any(String), message: expect.any(String) }),
      ]),
    });
  });

  it('lists every problem', async () => {
    const error = (await query({ population: 'x', capital: 'y', wrong: 1 }).catch((thrown: unknown) => thrown)) as {
      errors: { path: string }[];
    };
    expect(new Set(error.errors.map((problem) => problem.path.split('.')[0]))).toEqual(new Set(['population', 'capital', 'wrong']));
  });

  it('allows further operators only where they are added', async () => {
    const extended = getValidator(querySyntax(city, { name: { $regex: { type: 'string' }, $options: { type: 'string' } } }));
    await expect(extended({ name: { $regex: '^a', $options: 'i' } })).resolves.toEqual({ name: { $regex: '^a', $options: 'i' } });
    await expect(extended({ kind: { $regex: 'a' } })).rejects.toMatchObject({ code: 400 });
  });

  it('converts null and lists by themselves', () => {
    expect(coerce({ anyOf: [{ type: 'integer' }, { type: 'null' }] }, 'null')).toBeNull();
    expect(coerce({ type: 'array', items: { type: 'number' } }, { 0: '1', 1: '2' })).toEqual([1, 2]);
  });
});

describe('hooks', () => {
  const build = () => {
    const app = framework();
    const seen: unknown[] = [];
    app.use('cities', {
      async find(params: unknown) {
        seen.push((params as { query: unknown }).query);
        return [{ name: 'a', secret: 1 }];
      },
      async create(data: unknown) {
        seen.push(data);
        return data;
      },
      async patch(_id: unknown, data: unknown) {
        seen.push(data);
        return data;
      },
    });
    return {
      service: app.service('cities') as unknown as {
        find(params?: object): Promise<unknown>;
        create(data: unknown, params?: object): Promise<unknown>;
        patch(id: unknown, data: unknown): Promise<unknown>;
        hooks(map: object): void;
      },
      seen,
    };
  };

  it('validateQuery gives the service the converted query, and the checks beneath stay (S4)', async () => {
    const { service, seen } = build();
    service.hooks({ before: { find: [validateQuery(query)] } });
    await service.find({ query: { population: '5' } });
    expect(seen).toEqual([{ population: 5 }]);
    await expect(service.find({ query: { $where: '1' } })).rejects.toMatchObject({ code: 400 });
  });

  it('validateData checks each record, with parts for patch (S10)', async () => {
    const { service, seen } = build();
    const data = getDataValidator(
      Type.Object({ name: Type.String(), n: Type.Optional(Type.Integer({ default: 7 })) }, { additionalProperties: false, $id: 'City' }),
    );
    service.hooks({ before: { create: [validateData(data)], patch: [validateData(data)] } });
    await service.create([{ name: 'a', n: '1' }, { name: 'b' }]);
    await service.patch(1, { n: 2 });
    expect(seen).toEqual([
      [
        { name: 'a', n: 1 },
        { name: 'b', n: 7 },
      ],
      { n: 2 },
    ]);
    for (const bad of [{ name: 'a', role: 'admin' }, {}, { name: 5 }, JSON.parse('{"name":"a","__proto__":{"x":1}}')])
      await expect(service.create(bad)).rejects.toMatchObject({ code: 400 });
  });

  it('resolvers change data, query, result and what is sent', async () => {
    const { service, seen } = build();
    type Row = { name: string; secret?: number; upper?: string };
    service.hooks({
      around: {
        find: [
          resolveExternal(resolve<Row>({ secret: async () => undefined })),
          resolveResult(resolve<Row>({ upper: virtual(async (row) => row.name.toUpperCase()) })),
          resolveQuery(resolve<{ owner?: string }>({ owner: async () => 'me' })),
        ],
      },
      before: { create: [resolveData(resolve<{ name: string; made?: number }>({ made: async () => 1 }))] },
    });
    let dispatch: unknown;
    service.hooks({
      around: [
        async (context: HookContext, next: () => Promise<void>) => {
          await next();
          dispatch = context.dispatch;
        },
      ],
    });
    expect(await service.find()).toEqual([{ name: 'a', secret: 1, upper: 'A' }]);
    expect(dispatch).toEqual([{ name: 'a', upper: 'A' }]);
    await service.create({ name: 'x' });
    expect(seen).toEqual([{ owner: 'me' }, { name: 'x', made: 1 }]);
    await expect(service.find({ query: { $select: ['upper'] } })).resolves.toEqual([{ upper: 'A' }]);
  });

  it('collects the errors of resolvers by property', async () => {
    const failing = resolve<{ a: number; b: number }>({
      a: async () => {
        throw new Error('secret');
      },
      b: async () => 1,
    });
    await expect(failing.resolve({}, {})).rejects.toMatchObject({
      code: 400,
      message: 'Error resolving data',
      errors: { a: { code: 500, message: expect.not.stringContaining('secret') } },
    });
  });

  it('resolveAll is all in one', async () => {
    const { service, seen } = build();
    service.hooks({
      around: {
        find: [resolveAll({ query: resolve<{ q?: number }>({ q: async () => 1 }), result: resolve<{ r?: number }>({ r: async () => 2 }) })],
      },
    });
    expect(await service.find()).toEqual([{ name: 'a', secret: 1, r: 2 }]);
    expect(seen).toEqual([{ q: 1 }]);
    await expect(resolveResult(resolve({}))({ type: 'before' } as HookContext)).rejects.toThrow('must be used as an around hook');
  });
});

import { framework, getRules } from '@framework/core';
import { describe, expect, it } from '@jest/globals';
import { MemoryService, type MemoryServiceOptions } from '../src/index.ts';

type Row = Record<string, unknown>;

const service = (options: MemoryServiceOptions = {}): MemoryService<any, any, any, any> => new MemoryService({ multi: true, ...options });
const outside = { provider: 'rest' };

describe('records in memory', () => {
  it('with conditions that are wrong are 400, whether there is a record of the id or not', async () => {
    const one = service({ operators: ['$elemMatch'], store: [{ id: 1 }] });
    for (const id of [1, 2]) {
      for (const query of [{ n: { $elemMatch: 5 } }, { n: { $in: 5 } }]) {
        for (const call of [one.get(id, { query }), one.update(id, {}, { query }), one.patch(id, {}, { query }), one.remove(id, { query })])
          await expect(call).rejects.toMatchObject({ code: 400 });
      }
    }
    await expect(one.get(1, { query: { id: 2 } })).rejects.toMatchObject({ code: 404 });
    expect(await one.find()).toEqual([{ id: 1 }]);
  });

  it.each([{}, { $limit: 1 }])(
    'that a query leaves out do not disturb its order, whatever they hold where it sorts (%j)',
    async (limit) => {
      const rest = Array.from({ length: 10 }, (_, place) => ({ id: place + 2, owner: 2, list: [10 - place] }));
      const one = service({ store: [{ id: 1, owner: 1, list: [{ 0: 'x' }] }, ...rest] });
      const sorted = { $sort: { 'list.0': 1 }, ...limit };
      const [first] = (await one.find({ query: { owner: 2, ...sorted } })) as Row[];
      expect(first).toEqual({ id: 11, owner: 2, list: [1] });
      await expect(one.find({ query: sorted })).rejects.toMatchObject({ code: 400 });
    },
  );

  it('are not touched by a call from code with a misspelt option: its mistake is an error of the server', async () => {
    const one = service({ store: [{ id: 1 }], paginate: { default: 1 } });
    const calls: ((params: object) => Promise<unknown>)[] = [
      (params) => one.find(params),
      (params) => one.get(1, params),
      (params) => one.create({}, params),
      (params) => one.create([{}], params),
      (params) => one.update(1, { n: 1 }, params),
      (params) => one.patch(1, { n: 1 }, params),
      (params) => one.patch(null, { n: 1 }, params),
      (params) => one.remove(1, params),
      (params) => one.remove(null, params),
    ];
    for (const call of calls) {
      await expect(call({ adapter: { paginat: false } })).rejects.toThrow(
        "params.adapter of a call to MemoryService has no option 'paginat'. Did you mean 'paginate'? It has paginate, multi,",
      );
      await expect(call({ adapter: { startId: 5 } })).rejects.toThrow(TypeError);
    }
    expect(await one.find()).toMatchObject({ total: 1, data: [{ id: 1 }] });
    expect(await one.find({ adapter: { ...one.options, paginate: false } })).toEqual([{ id: 1 }]);
  });

  it('have no versions to be expected where the service keeps none, whether there is such a record or not', async () => {
    const one = service({ store: [{ id: 1 }] });
    for (const id of [1, 2])
      await expect(one.patch(id, {}, { precondition: { versions: ['a'] } })).rejects.toThrow(
        "params.precondition needs the service's 'version' option",
      );
  });

  it('are none where a list to create has a gap, or something else than a record, in it: nothing is created', async () => {
    const one = service();
    for (const hole of [undefined, null, 'text', [], 5])
      await expect(one.create([{ n: 1 }, hole] as never)).rejects.toMatchObject({ code: 400 });
    // oxlint-disable-next-line no-sparse-arrays -- a list with a hole is what is tested
    await expect(one.create([, { n: 1 }] as never)).rejects.toMatchObject({ code: 400 });
    expect(await one.create([])).toEqual([]);
    expect(await one.find()).toEqual([]);
  });

  it('share nothing with whoever gave or got them', async () => {
    const people = service();
    const given = { name: 'Ann', tags: ['a'], at: new Date(1), inside: { list: [{ n: 1 }] }, bytes: Buffer.from('ab') };
    const made = await people.create(given);
    const expected = { id: 0, name: 'Ann', tags: ['a'], at: new Date(1), inside: { list: [{ n: 1 }] }, bytes: Buffer.from('ab') };
    for (const record of [
      given,
      made,
      await people.get(0),
      (await people.find()) as Row[],
      await people.patch(0, { more: given.inside }),
    ].flat()) {
      const { tags, at, inside, bytes } = record as typeof given;
      tags.push('changed');
      at.setTime(5);
      Object.assign(inside.list[0] as object, { n: 2 });
      bytes[0] = 1;
    }
    expect(await people.get(0)).toEqual({ ...expected, more: { list: [{ n: 1 }] } });
  });

  it('have no order by two lists, however few are asked for, as on the database', async () => {
    const list = service({
      store: [
        { id: 0, a: 1, b: 1 },
        { id: 1, a: [5], b: [7] },
      ],
    });
    for (const limit of [{}, { $limit: 1 }])
      for (const direction of [1, -1])
        await expect(list.find({ query: { $sort: { a: direction, b: 1 }, ...limit } })).rejects.toMatchObject({
          code: 400,
          message: 'Records can not be sorted by properties in different lists at once: sort by one of them',
        });
  });

  it('at the start are a list, or an object by ids, and new ids are those that are free', async () => {
    const list = service({ store: [{ id: 1, n: 1 }, { n: 2 }], startId: 1 });
    expect(await list.find({ query: { $sort: { n: 1 } } })).toEqual([
      { id: 1, n: 1 },
      { id: 2, n: 2 },
    ]);
    expect(await list.create([{ id: 3 }, {}])).toEqual([{ id: 3 }, { id: 4 }]);
    expect(await list.create([{ id: '5' }, {}])).toEqual([{ id: '5' }, { id: 6 }]);
    const named = service({ store: { a: { n: 1 } }, createId: () => 'made' });
    expect([await named.get('a'), await named.create({})]).toEqual([{ id: 'a', n: 1 }, { id: 'made' }]);
    expect(() => service({ store: [{ id: 1 }, { id: '1' }] })).toThrow('A record with the same id exists already');
  });

  it('are created all or none', async () => {
    const people = service({ store: [{ id: 1 }] });
    await expect(people.create([{ id: 2 }, { id: 1 }])).rejects.toMatchObject({ code: 409, data: { fields: ['id'] } });
    await expect(people.create([{ id: 2 }, { id: '2' }])).rejects.toMatchObject({ code: 409 });
    await expect(people.create([{ id: 2 }, { id: { $gt: 1 } }])).rejects.toMatchObject({ code: 400 });
    await expect(people.create([{ id: 2 }, { f: () => 1 }])).rejects.toMatchObject({ code: 400 });
    await expect(people.create([{ id: 2 }, JSON.parse('{"id":{"toString":1}}')])).rejects.toMatchObject({ code: 400 });
    expect(await people.find()).toEqual([{ id: 1 }]);
  });

  it('are found by ids as texts, as they come in paths, and keep their place and their id', async () => {
    const people = service({ store: [{ id: 1 }, { id: 2 }, { id: 3 }] });
    expect(await people.get('2')).toEqual({ id: 2 });
    expect(await people.update('2', { id: 9, n: 1 })).toEqual({ id: 2, n: 1 });
    expect(await people.patch('2', { id: 9, n: 2 })).toEqual({ id: 2, n: 2 });
    expect(await people.find()).toEqual([{ id: 1 }, { id: 2, n: 2 }, { id: 3 }]);
  });

  it('hold plain data: undefined is left out, maps and instances become objects, anything else is 400 with its path', async () => {
    const people = service();
    class Point {
      x = 1;
      get far(): boolean {
        return false;
      }
    }
    const data = { u: undefined, list: [undefined, 1], map: new Map([['a', new Point()]]) };
    expect(await people.create(data)).toEqual({ id: 0, list: [null, 1], map: { a: { x: 1 } } });
    await expect(people.create({ a: [{ b: new Set() }] })).rejects.toMatchObject({
      code: 400,
      message: expect.stringContaining("'a[0].b'"),
    });
    let deep: Row = {};
    for (let depth = 0; depth < 200; depth++) deep = { deep };
    await expect(people.create(deep)).rejects.toMatchObject({ code: 400, message: 'The data is nested too deeply' });
    for (const text of ['text', null, 5, []]) await expect(people.update(0, text)).rejects.toMatchObject({ code: 400 });
  });

  it.each([[new URLSearchParams('name=a')], [new Map([['name', 'a']])]])(
    'stay as they are where the query of a write to several is no plain object: %p',
    async (query) => {
      const people = service({
        multi: true,
        store: [
          { id: 0, name: 'a' },
          { id: 1, name: 'b' },
        ],
      });
      for (const call of [() => people.patch(null, { name: 'c' }, { query } as never), () => people.remove(null, { query } as never)])
        await expect(call()).rejects.toMatchObject({ code: 400, message: 'The query must be an object' });
      expect(await people.find()).toEqual([
        { id: 0, name: 'a' },
        { id: 1, name: 'b' },
      ]);
    },
  );
});

describe('what comes from outside', () => {
  it.each([['$set'], ['constructor'], ['a\0b'], ['a.__proto__.b'], ['$where']])('S6 S8 does not name %j in data', async (name) => {
    const people = service({ store: [{ id: 0 }] });
    for (const data of [{ [name]: { a: 1 } }, { inside: [{ [name]: 1 }] }, JSON.parse('{"__proto__":{"a":1}}')]) {
      for (const call of [() => people.create(data, outside), () => people.update(0, data, outside), () => people.patch(0, data, outside)])
        await expect(call()).rejects.toMatchObject({ code: 400 });
    }
    expect(await people.find()).toEqual([{ id: 0 }]);
    expect(({} as Row).a).toBeUndefined();
  });

  it.each([[{}], [[]], [true], [{ $ne: null }], ['x'.repeat(1025)], ['__proto__'], [''], [undefined], [Number.NaN]])(
    'S1 has no id %p: 400',
    async (id) => {
      const people = service({ store: [{ id: 0 }] });
      for (const call of [
        () => people.get(id as never),
        () => people.update(id as never, {}),
        () => people.patch(id as never, {}),
        () => people.remove(id as never),
      ])
        await expect(call()).rejects.toMatchObject({ code: 400 });
    },
  );

  it('has no object that passes for a value of the database: 400, and no failure', async () => {
    const people = service({ store: [{ id: 0 }] });
    const disguised = { _bsontype: 'ObjectId', toHexString: 1, $where: 1 };
    for (const call of [
      () => people.create({ a: disguised }, outside),
      () => people.create({ id: disguised }, outside),
      () => people.patch(0, { 'a.b': [disguised] }, outside),
      () => people.create({ id: disguised }),
      () => people.get(disguised as never),
    ])
      await expect(call()).rejects.toMatchObject({ code: 400 });
    await expect(people.find({ query: { a: disguised } as never })).rejects.toMatchObject({ code: 400 });
  });

  it('brings no id that no path leads to: nothing is created', async () => {
    const one = service({ store: [{ id: 1 }] });
    for (const id of ['.', '..', 'constructor', 'a\0b', '\udc00'])
      for (const data of [{ id }, [{ id: 'good' }, { id }]])
        await expect(one.create(data, outside)).rejects.toMatchObject({ code: 400, message: expect.stringContaining('no path leads to') });
    expect(await one.find()).toEqual([{ id: 1 }]);
    expect(await one.create({ id: 'constructor' })).toEqual({ id: 'constructor' });
  });

  it('finds no id among what all objects have', async () => {
    const people = service();
    for (const id of ['toString', 'constructor', 'hasOwnProperty']) await expect(people.get(id)).rejects.toMatchObject({ code: 404 });
  });

  it('S3 S7 queries declared paths alone, and nothing that is hidden', async () => {
    const people = service({
      store: [{ id: 0, name: 'a', password: 'b', address: { city: 'c', code: 1 } }],
      hidden: ['password'],
      paths: ['address.city'],
    });
    const app = framework().use('people', people as never);
    expect(getRules(app.service('people' as never))?.property(['password'], { params: {} } as never)).toMatchObject({ readable: false });
    const find = (query: object): Promise<unknown> => people.find({ ...outside, query });
    expect(await find({ 'address.city': 'c' })).toHaveLength(1);
    for (const query of [{ 'address.code': 1 }, { password: 'b' }, { $sort: { password: 1 } }, { $select: ['password'] }])
      await expect(find(query)).rejects.toMatchObject({ code: 400 });
    expect(await people.find({ query: { password: 'b', 'address.code': 1 } })).toHaveLength(1);
  });

  it('S14 S16 has bounded patterns, skips and writes', async () => {
    const people = service({
      store: [
        { id: 0, s: 'aaa' },
        { id: 1, s: 'b' },
      ],
      operators: ['$regex', '$options'],
      maxSkip: 5,
      maxMulti: 1,
    });
    expect(await people.find({ ...outside, query: { s: { $regex: '^A', $options: 'i' } } })).toHaveLength(1);
    await expect(people.find({ ...outside, query: { s: { $regex: '(a+)+$' } } })).rejects.toMatchObject({ code: 400 });
    await expect(people.find({ query: { s: { $regex: '(' } } })).rejects.toMatchObject({ code: 400 });
    await expect(people.find({ ...outside, query: { $skip: 6 } })).rejects.toMatchObject({ code: 400 });
    for (const call of [() => people.patch(null, { n: 1 }), () => people.remove(null)])
      await expect(call()).rejects.toMatchObject({ code: 400, message: expect.stringContaining('maxMulti') });
    expect(await people.find()).toEqual([
      { id: 0, s: 'aaa' },
      { id: 1, s: 'b' },
    ]);
  });
});

describe('options', () => {
  it('bound how deep and how wide queries are, for the service and for one call', async () => {
    const deep = { $and: [{ $or: [{ $and: [{ n: { $gt: 1 } }] }] }] };
    const wide = { $or: Array.from({ length: 101 }, (_, n) => ({ n })) };
    const store = [{ id: 0, n: 5 }];
    for (const [query, option, bound] of [
      [deep, 'maxDepth', 6],
      [wide, 'maxKeys', 102],
    ] as const) {
      await expect(service({ store }).find({ query })).rejects.toMatchObject({ code: 400, message: expect.stringContaining(option) });
      expect(await service({ store, [option]: bound }).find({ ...outside, query })).toEqual(store);
      expect(await service({ store }).find({ query, adapter: { [option]: bound } })).toEqual(store);
      expect(() => service({ [option]: '9' } as never)).toThrow(`'${option}' of MemoryService is a whole number`);
    }
  });

  it('of one call name paths in a list: of a text each part would be one', async () => {
    const people = service({ store: [{ id: 0, b: { c: 1 } }] });
    const asked = people.find({ ...outside, query: { 'b.c': 1 }, adapter: { paths: 'a.b.c' } } as never);
    await expect(asked).rejects.toThrow("The option 'paths' of MemoryService is a list of names, and not 'a.b.c'");
  });

  it('that there are not, and operators, are refused at start', () => {
    expect(() => service({ idField: 'x' } as never)).toThrow("MemoryService has no option 'idField'. It has id, startId");
    for (const [name, value] of Object.entries({ operators: '$regex', paths: 'a.b', hidden: 'password', indexes: 'name' }))
      expect(() => service({ [name]: value })).toThrow(`The option '${name}' of MemoryService is a list of names, and not '${value}'`);
    expect(() => service({ paths: true } as never)).toThrow("'paths' of MemoryService is a list of names, and not true");
    expect(() => service({ operators: ['$where'] })).toThrow("MemoryService has no operator '$where'. 'operators' takes $all, ");
  });

  it.each([
    [{ paginate: 10 }, "The option 'paginate' of MemoryService is false or page sizes such as { default: 10, max: 50 }, and not 10"],
    [{ paginate: { defaul: 10 } }, "The option 'paginate' of MemoryService has no size 'defaul': it takes default and max"],
    [{ paginate: { default: '10' } }, "has a 'default' that is no whole number from 0: '10'"],
    [{ paginate: { max: -1 } }, "has a 'max' that is no whole number from 0: -1"],
    [{ multi: 'create' }, "The option 'multi' of MemoryService is true, false or a list of methods such as ['create'], and not 'create'"],
    [{ multi: ['creat'] }, "The option 'multi' of MemoryService has no method 'creat': it takes create, patch and remove"],
  ])('that would silently mean nothing are refused at start: %j', (options, message) => {
    expect(() => service(options as never)).toThrow(message);
  });

  it.each([
    [{ paginate: [] }, "The option 'paginate' of MemoryService is false or page sizes such as { default: 10, max: 50 }, and not a list"],
    [{ cursors: { secret: 'x' }, paginate: { default: 1 } }, "The option 'cursors' of MemoryService is true or false, and not an object"],
    [{ startId: '5' }, "The option 'startId' of MemoryService is a whole number, and not '5'"],
    [{ startId: NaN }, "The option 'startId' of MemoryService is a whole number, and not NaN"],
    [{ createId: 'uuid' }, "The option 'createId' of MemoryService is a function that gives its value at once, and not 'uuid'"],
    [
      { store: new Map([[1, { id: 1 }]]) },
      "The option 'store' of MemoryService is a list of records, or an object of records by their ids",
    ],
    [{ store: 'abc' }, "The option 'store' of MemoryService is a list of records"],
    [{ store: [1] }, "The option 'store' of MemoryService is a list of records"],
    [{ store: { 1: null } }, "The option 'store' of MemoryService is a list of records"],
  ])('that would be taken for others are refused at start: %j', (options, message) => {
    expect(() => service(options as never)).toThrow(message);
  });

  it('createId that is asynchronous is refused at start, and a promise that it gives is no id of a caller', async () => {
    const message = "The option 'createId' of MemoryService is a function that gives its value at once, and not";
    expect(() => service({ createId: (async () => 'a') as never })).toThrow(message);
    const late = service({ createId: (() => Promise.resolve('a')) as never });
    await expect(late.create({})).rejects.toThrow(
      new TypeError('The id of a new record is a promise: wait for it, and then create the record'),
    );
  });

  it('that are undefined are as if they were left out', async () => {
    const missing = {
      id: undefined,
      maxMulti: undefined,
      multi: undefined,
      paginate: undefined,
      events: undefined,
      store: undefined,
    } as never;
    expect(new MemoryService(missing).options).toEqual(new MemoryService().options);
    const bounded = service({ maxMulti: 1, paginate: { default: 1 }, store: [{ id: 1 }, { id: 2 }] });
    const adapter = { maxMulti: undefined, paginate: undefined } as never;
    expect(await bounded.find({ adapter })).toMatchObject({ total: 2, limit: 1 });
    await expect(bounded.remove(null, { adapter })).rejects.toMatchObject({ code: 400 });
  });

  it('take sizes that are left out or without end, and methods of the class itself', () => {
    expect(service({ paginate: { max: Infinity }, multi: ['create', 'update'] }).allowsMulti('create')).toBe(true);
  });

  it.each<[object, string[]]>([
    [{ tags: { $all: ['a', 'b'] } }, ['ab']],
    [{ tags: { $size: 1 } }, ['a']],
    [{ tags: { $exists: false } }, ['none']],
    [{ tags: { $exists: true } }, ['ab', 'a', 'items']],
    [{ items: { $elemMatch: { k: 1, n: { $gt: 1 } } } }, ['items']],
    [{ items: { $elemMatch: { k: 2, n: { $gt: 2 } } } }, []],
    [{ numbers: { $elemMatch: { $gt: 2, $lt: 4 } } }, ['a']],
    [{ numbers: { $gt: 2, $lt: 4 } }, ['ab', 'a']],
    [{ name: { $not: { $in: ['a', 'ab'] } } }, ['none', 'items']],
    [{ $nor: [{ name: 'a' }, { tags: 'b' }] }, ['none', 'items']],
    [{ name: { $eq: 'a' } }, ['a']],
    [{ name: { $regex: '^a' } }, ['ab', 'a']],
    [{ tags: { $all: [] } }, []],
  ])('operators: %j finds %j', async (query, names) => {
    const people = service({
      operators: ['$all', '$size', '$exists', '$elemMatch', '$not', '$nor', '$eq', '$regex'],
      store: [
        { name: 'ab', tags: ['a', 'b'], numbers: [1, 5] },
        { name: 'a', tags: ['a'], numbers: [3] },
        { name: 'none' },
        {
          name: 'items',
          tags: [],
          items: [
            { k: 1, n: 2 },
            { k: 2, n: 1 },
          ],
        },
      ],
    });
    expect(((await people.find({ query })) as Row[]).map(({ name }) => name)).toEqual(names);
  });

  it('indexes: of a list one element may satisfy one end of a range, and another the other', async () => {
    const people = service({ indexes: ['n'], store: [{ id: 0, n: [0, 9] }, ...Array.from({ length: 20 }, () => ({ n: 30 })), { n: 2 }] });
    const find = async (n: object): Promise<unknown[]> => ((await people.find({ query: { n } })) as Row[]).map(({ id }) => id);
    expect(await find({ $gt: 1, $lt: 5 })).toEqual([0, 21]);
    expect(await find({ $gt: 2, $lt: 2 })).toEqual([0]);
    expect(await find({ $in: [9] })).toEqual([0]);
    await people.remove(0);
    expect(await find({ $gt: 1, $lt: 5 })).toEqual([21]);
  });

  it('for all calls may come from a subclass, and so may what runs without hooks', async () => {
    class Few extends MemoryService<Row> {
      override getOptions(params = {}): ReturnType<MemoryService['getOptions']> {
        return { ...super.getOptions(params), maxMulti: 1, multi: true };
      }
      override async _get(id: number | string): Promise<Row> {
        return { id, said: 'by the subclass' };
      }
    }
    const few = new Few({ store: [{ id: 0 }, { id: 1 }] });
    for (const call of [() => few.patch(null, { n: 1 }), () => few.remove(null), () => few._remove(null)])
      await expect(call()).rejects.toMatchObject({ code: 400, message: expect.stringContaining('maxMulti') });
    expect([await few.get(5), await few._get(6)]).toEqual([
      { id: 5, said: 'by the subclass' },
      { id: 6, said: 'by the subclass' },
    ]);
  });

  it('version: each write gives another one, and writes can ask for one', async () => {
    const people = service({ version: 'v', store: [{ id: 0, n: 1 }] });
    const first = (await people.get(0)) as { v: string };
    const second = (await people.patch(0, { n: 2 }, { precondition: { versions: [first.v] } })) as { v: string };
    expect(second.v).not.toBe(first.v);
    for (const call of [
      () => people.patch(0, { n: 3 }, { precondition: { versions: [first.v] } }),
      () => people.update(0, { n: 3 }, { precondition: { notVersions: [second.v] } }),
      () => people.remove(0, { precondition: { versions: [first.v] } }),
      () => people.patch(7, { n: 3 }, { precondition: { versions: '*' } }),
    ])
      await expect(call()).rejects.toMatchObject({ code: 412 });
    await expect(people.patch(null, {}, { precondition: { versions: '*' } })).rejects.toMatchObject({ code: 400 });
    expect(await people.get(0)).toEqual({ id: 0, n: 2, v: second.v });
  });

  it('cursors: pages in both directions, whatever comes and goes between, and no other cursor is taken', async () => {
    const people = service({ paginate: { default: 2, max: 5 }, cursors: true });
    await people.create([5, 1, 3, 3, 2, null].map((n) => ({ n, at: new Date(n ?? 0) })));
    const page = async (query: object): Promise<any> => people.find({ query: { $sort: { n: -1, at: 1 }, ...query } });
    const first = await page({});
    expect([first.data.map(({ id }: Row) => id), first.previous]).toEqual([[0, 2], null]);
    await people.remove(2);
    await people.create({ n: 4 });
    const second = await page({ $after: first.next });
    expect(second.data.map(({ id }: Row) => id)).toEqual([3, 4]);
    const third = await page({ $after: second.next });
    expect([third.data.map(({ id }: Row) => id), third.next]).toEqual([[1, 5], null]);
    expect((await page({ $before: third.previous })).data.map(({ id }: Row) => id)).toEqual([3, 4]);
    for (const query of [
      { $after: 'x' },
      { $after: 5 },
      { $after: first.next, $sort: { n: 1 } },
      { $after: first.next, $before: first.next },
    ])
      await expect(page(query)).rejects.toMatchObject({ code: 400 });
    await expect(people.get(0, { query: { $after: first.next } })).rejects.toMatchObject({ code: 400 });
  });

  it('paths in a patch set what is inside, and say what is not there', async () => {
    const people = service({ store: [{ id: 0, a: { b: 1 }, list: [{ x: 1 }], text: 't' }] });
    expect(await people.patch(0, { 'a.c': 2, 'list.0.x': 5, 'new.inner': 1, 'list.1': 7 })).toEqual({
      id: 0,
      a: { b: 1, c: 2 },
      list: [{ x: 5 }, 7],
      text: 't',
      new: { inner: 1 },
    });
    for (const path of ['text.inner', 'list.name', 'list.5'])
      await expect(people.patch(0, { [path]: 1 })).rejects.toMatchObject({ code: 400 });
  });
});

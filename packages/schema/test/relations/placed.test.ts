import { createContext, framework, type Params } from '@framework/core';
import { describe, expect, it } from '@jest/globals';
import { getDispatch, Hidden, Reference, resolve, serviceSchema, Type, virtual } from '../../src/index.ts';

const int = { id: Type.Integer() };
const leaf = Type.Object({ id: Type.Integer(), secret: Type.Optional(Hidden(Type.String())) });
const node = Type.Object({
  id: Type.Integer(),
  leafId: Type.Optional(Reference('leaves', { as: 'leaf', ...int })),
  leafIds: Type.Optional(Type.Unknown()),
  ids: Type.Optional(Type.Array(Reference('leaves', { as: 'all', ...int }))),
  nodeIds: Type.Optional(Type.Array(Reference('nodes', { as: 'nodes', ...int }))),
  parts: Type.Optional(
    Type.Array(Type.Object({ partId: Reference('leaves', { as: 'part', ...int }), note: Type.Optional(Hidden(Type.String())) })),
  ),
});

interface Asks {
  readonly query?: { readonly id?: { readonly $in: readonly number[] } };
}

const LEAVES = { schema: serviceSchema({ record: leaf }) as never };
const NODES = { schema: serviceSchema({ record: node }) as never };

/** An application whose leaves are there up to 100,000, and whose nodes are what a test says. */
function build(nodes: unknown) {
  const finds: number[] = [];
  const app = framework();
  app.use(
    'leaves',
    {
      find: async ({ query }: Params & Asks) => {
        const ids = query?.id?.$in ?? [];
        finds.push(ids.length);
        return ids.filter((id) => id < 100_000).map((id) => ({ id, secret: 'SECRET' }));
      },
    } as never,
    LEAVES,
  );
  app.use(
    'nodes',
    {
      find: async ({ query }: Params & Asks) => {
        const ids = query?.id?.$in;
        return ids === undefined ? nodes : ids.map((id) => ({ id, leafId: id }));
      },
    } as never,
    NODES,
  );
  const service = app.service('nodes' as never) as unknown as { find(params: object, context?: object): Promise<unknown> };
  const find = (populate: string, params: object = { provider: 'rest' }): Promise<unknown> =>
    service.find({ query: { $populate: populate }, ...params });
  return { find, finds, service };
}
const numbers = (length: number, from = 0): number[] => Array.from({ length }, (_, index) => from + index);

describe('records beside their ids', () => {
  it('are null where there is none, left out of lists, and not there without an id', async () => {
    const { find, finds } = build([
      { id: 1, leafId: 1 },
      { id: 2, leafId: 100_000 },
      { id: 3, leafId: null },
      { id: 4 },
      { id: 5, leafId: 'text' },
    ]);
    expect(await find('leaf')).toStrictEqual([
      { id: 1, leafId: 1, leaf: { id: 1 } },
      { id: 2, leafId: 100_000, leaf: null },
      { id: 3, leafId: null, leaf: null },
      { id: 4 },
      { id: 5, leafId: 'text', leaf: null },
    ]);
    expect(finds).toEqual([2]);
    const lists = build([
      { id: 1, ids: [1, 100_000, null, 2] },
      { id: 2, ids: [] },
      { id: 3, ids: null },
    ]);
    expect(await lists.find('all')).toStrictEqual([
      { id: 1, ids: [1, 100_000, null, 2], all: [{ id: 1 }, { id: 2 }] },
      { id: 2, ids: [], all: [] },
      { id: 3, ids: null, all: null },
    ]);
  });

  it('ask nothing where there are no ids', async () => {
    const { find, finds } = build([{ id: 1 }, { id: 2, leafId: null }]);
    await find('leaf');
    expect(finds).toEqual([]);
  });

  it('lie where their ids do, in lists of objects and in lists of lists', async () => {
    const parts = [{ partId: 1 }, [{ partId: 2 }], null, 'text', {}];
    const { find } = build([{ id: 1, parts }, { id: 2, parts: { partId: 3 } }, { id: 3, parts: 'text' }, { id: 4 }]);
    expect(await find('parts.part')).toStrictEqual([
      { id: 1, parts: [{ partId: 1, part: { id: 1 } }, [{ partId: 2, part: { id: 2 } }], null, 'text', {}] },
      { id: 2, parts: { partId: 3, part: { id: 3 } } },
      { id: 3, parts: 'text' },
      { id: 4 },
    ]);
    const deep = build([
      { id: 1, ids: [[[[[1]]]], [2]] },
      { id: 2, ids: [[[[[[[3]]]]]]] },
    ]);
    expect(await deep.find('all')).toStrictEqual([
      { id: 1, ids: [[[[[1]]]], [2]], all: [[[[[{ id: 1 }]]]], [{ id: 2 }]] },
      { id: 2, ids: [[[[[[[3]]]]]]], all: [[[[[[[]]]]]]] },
    ]);
  });

  it('are put into copies: what a service keeps stays as it is', async () => {
    const kept = [{ id: 1, parts: [{ partId: 1 }] }, { id: 2 }];
    const before = JSON.stringify(kept);
    const made = (await build(kept).find('parts.part', {})) as object[];
    expect(JSON.stringify(kept)).toBe(before);
    expect([made[0] === kept[0], made[1] === kept[1]]).toEqual([false, true]);
  });

  it('are put into documents of a database library, as these make their JSON', async () => {
    class Document {
      readonly #data = { id: 1, leafId: 7 };
      toJSON(): object {
        return this.#data;
      }
    }
    expect(await build([new Document()]).find('leaf', {})).toEqual([{ id: 1, leafId: 7, leaf: { id: 7, secret: 'SECRET' } }]);
  });

  it('are not looked for in what holds no properties, and that stays as it is', async () => {
    const map = new Map([['partId', 1]]);
    for (const parts of [map, new Set([1]), new Date(0), 5, 'text', null, [map, 'text'], { partId: undefined }, {}, [{}], [[]]]) {
      const record = { id: 1, parts };
      const { find, finds } = build([record]);
      const [made] = (await find('parts.part', {})) as [{ parts: unknown }];
      expect(made.parts).toEqual(
        typeof parts === 'object' && parts !== null && 'partId' in parts ? { partId: undefined, part: null } : parts,
      );
      expect(finds).toEqual([]);
    }
    const kept = [
      { id: 1, parts: [{}, 'text'] },
      { id: 2, parts: { other: 1 } },
      { id: 3, parts: [[{}]] },
      { id: 4, parts: null },
    ];
    const same = (await build(kept).find('parts.part', {})) as unknown[];
    expect(same.map((record, index) => record === kept[index])).toEqual([true, true, true, true]);
  });

  it('leave what is no record in a list of results', async () => {
    const { find } = build(['text', null, 5, { id: 1, leafId: 1 }]);
    for (const params of [{}, { provider: 'rest' }])
      expect(await find('leaf', params)).toMatchObject(['text', null, 5, { id: 1, leafId: 1, leaf: { id: 1 } }]);
  });

  it('stand in what a resolver made for the outside too, wherever the record is put', async () => {
    const app = framework();
    const rows = [{ id: 1, leafId: 1, ids: [1, 2] }];
    const dispatch = resolve<{ id: number; ids?: number[]; shown?: string }>({
      ids: async (ids) => ids?.slice(0, 1),
      shown: virtual(({ id }) => `row ${String(id)}`),
    });
    const leaves = async ({ query }: Params & Asks) => (query?.id?.$in ?? []).map((id) => ({ id, secret: 'SECRET' }));
    app.use('leaves', { find: leaves } as never, LEAVES);
    app.use('nodes', { find: async () => rows } as never, { schema: serviceSchema({ record: node, resolvers: { dispatch } }) as never });
    const service = app.service('nodes' as never) as unknown as { find(params: object): Promise<unknown> };
    const found = await service.find({ query: { $populate: ['leaf', 'all'] } });
    expect(found).toMatchObject([{ leaf: { secret: 'SECRET' }, all: [{ secret: 'SECRET' }, { secret: 'SECRET' }] }]);
    expect(getDispatch({ any: found })).toEqual({
      any: [{ id: 1, leafId: 1, ids: [1], shown: 'row 1', leaf: { id: 1 }, all: [{ id: 1 }] }],
    });
  });

  it('are in a page, and in what one call gives by itself', async () => {
    const page = { data: [{ id: 1, leafId: 1 }], total: 1, limit: 5, skip: 0 };
    expect(await build(page).find('leaf')).toEqual({ ...page, data: [{ id: 1, leafId: 1, leaf: { id: 1 } }] });
  });

  it('stay secret wherever they are put', async () => {
    const found = await build([{ id: 1, leafId: 1, parts: [{ partId: 2 }] }]).find('leaf', {});
    expect(JSON.stringify(found)).toContain('SECRET');
    expect(getDispatch({ any: found })).toEqual({ any: [{ id: 1, leafId: 1, parts: [{ partId: 2 }], leaf: { id: 1 } }] });
  });
});

describe('a part of a record that something was put into', () => {
  it('keeps the rules of its place', async () => {
    const { find } = build([{ id: 1, parts: [{ partId: 1, note: 'SECRET' }] }]);
    const [found] = (await find('parts.part', {})) as [{ readonly parts: readonly object[] }];
    expect(found.parts).toEqual([{ partId: 1, note: 'SECRET', part: { id: 1, secret: 'SECRET' } }]);
    expect(getDispatch({ all: found.parts, one: found.parts[0] })).toEqual({
      all: [{ partId: 1, part: { id: 1 } }],
      one: { partId: 1, part: { id: 1 } },
    });
  });
});

describe('what others would be sent of a call', () => {
  it('has nothing that was put beside ids for the server', async () => {
    for (const [params, shown] of [
      [{}, false],
      [{ provider: 'rest' }, true],
    ] as const) {
      const { service } = build([{ id: 1, leafId: 1 }]);
      const context = createContext(service, 'find');
      await service.find({ query: { $populate: 'leaf' }, ...params }, context);
      expect(JSON.stringify(context.result).includes('SECRET')).toBe(!shown);
      expect(JSON.stringify(context.dispatch ?? null)).not.toContain('SECRET');
    }
  });
});

describe('how many records one answer holds', () => {
  const message =
    '$populate would give more than 10000 records, those counted twice that are in the answer twice: ask for smaller pages, or for fewer relations';

  it('are 10,000 for callers from outside, by queries of 1,000 ids', async () => {
    // What names no record is none.
    const { find, finds } = build([{ id: 1, ids: [null, ...numbers(10_000), undefined] }]);
    expect(((await find('all')) as { all: unknown[] }[])[0]?.all).toHaveLength(10_000);
    expect(finds).toEqual(Array.from({ length: 10 }, () => 1000));
    const more = build([{ id: 1, ids: numbers(10_001) }]);
    await expect(more.find('all')).rejects.toMatchObject({ code: 400, message, data: { parameter: '$populate' } });
    expect(more.finds).toEqual([]);
  });

  it('are as many as there are for the server, also more than a call takes arguments', async () => {
    const many = build([{ id: 1, ids: numbers(130_000, 99_999) }]);
    expect(((await many.find('all', {})) as { all: unknown[] }[])[0]?.all).toEqual([{ id: 99_999, secret: 'SECRET' }]);
    await expect(build([{ id: 1, ids: numbers(130_000) }]).find('all')).rejects.toMatchObject({ code: 400 });
  });

  it('are as many as there are for the server', async () => {
    const found = (await build([{ id: 1, ids: numbers(10_001) }]).find('all', {})) as { all: unknown[] }[];
    expect(found[0]?.all).toHaveLength(10_001);
  });

  it('count what lies inside of others, and what is there twice', async () => {
    const twice = [
      { id: 1, ids: numbers(5000) },
      { id: 2, ids: numbers(5001) },
    ];
    await expect(build(twice).find('all')).rejects.toMatchObject({ message });
    expect(await build([{ id: 1, nodeIds: numbers(5000) }]).find('nodes.leaf')).toHaveLength(1);
    await expect(build([{ id: 1, nodeIds: numbers(5001) }]).find('nodes.leaf')).rejects.toMatchObject({ message });
  });

  it('count all relations of a call together', async () => {
    const wide = (length: number): object => ({ id: 1, ids: numbers(9_999), parts: numbers(length).map((partId) => ({ partId })) });
    const both = (found: unknown): Promise<unknown> => build(found).find(['all', 'parts.part'] as never);
    expect(await both([wide(1)])).toHaveLength(1);
    await expect(both([wide(2)])).rejects.toMatchObject({ message });
  });
});

describe('how much one answer holds (security S12)', () => {
  const message =
    '$populate would give more than 16 MB of records, those counted twice that are in the answer twice: ask for smaller pages, for fewer relations, or select less of what is behind them';
  const large = (letters: number) => {
    const app = framework();
    const record = Type.Object({
      id: Type.Integer(),
      bio: Type.Optional(Type.String()),
      friendIds: Type.Optional(Type.Array(Reference('users', { as: 'friends', id: Type.Integer() }))),
    });
    const bio = 'x'.repeat(letters - '{"id":1,"bio":""}'.length);
    const records = (given: unknown): object[] => {
      const { $in } = given as { readonly $in: readonly number[] };
      return $in.map((id) => ({ id, bio }));
    };
    let pages: unknown = [];
    app.use(
      'users',
      { find: async ({ query }: Params) => (query?.id === undefined ? pages : records(query.id)) } as never,
      { schema: serviceSchema({ record }) } as never,
    );
    return async (given: unknown, params: Params = { provider: 'rest' }): Promise<unknown> => {
      pages = given;
      return (app.service('users') as unknown as { find(params: Params): Promise<unknown> }).find({
        query: { $populate: 'friends' },
        ...params,
      });
    };
  };
  const named = (times: number): object => ({ id: 1, friendIds: Array.from({ length: times }, () => 1) });

  it('is 16 MB of JSON, of which the first hundred records are no part', async () => {
    const find = large(100_000);
    expect(await find([named(260)])).toHaveLength(1);
    await expect(find([named(261)])).rejects.toMatchObject({ code: 400, message, data: { parameter: '$populate' } });
    // The records of a page count together.
    await expect(find([named(130), named(131)])).rejects.toMatchObject({ message });
  });

  it('is any for the server, and for records as they usually are', async () => {
    expect(await large(100_000)([named(261)], {})).toHaveLength(1);
    expect(await large(1500)([named(10_000)])).toHaveLength(1);
  });

  it('counts anew for each part of a stream, which is sent before the next one is there', async () => {
    const source = async function* (length: number, times: number) {
      for (let id = 0; id < length; id++) yield named(times);
    };
    const read = async (given: unknown): Promise<number> => {
      let count = 0;
      for await (const record of (await large(100_000)(given)) as AsyncIterable<{ friends: object[] }>) count += record.friends.length;
      return count;
    };
    expect(await read(source(400, 1))).toBe(400);
    await expect(read(source(1, 261))).rejects.toMatchObject({ message });
  });
});

describe('a stream of records', () => {
  const source = (length: number, ended: () => void, failsAt = Infinity) =>
    (async function* () {
      try {
        for (let id = 0; id < length; id++) {
          if (id === failsAt) throw new Error('the source is away');
          yield { id, leafId: id };
        }
      } finally {
        ended();
      }
    })();
  const read = async (stream: unknown, most = Infinity): Promise<unknown[]> => {
    const records: unknown[] = [];
    for await (const record of stream as AsyncIterable<unknown>) if (records.push(record) >= most) break;
    return records;
  };

  it('is populated in batches of 100, and ends its source once', async () => {
    let ended = 0;
    const { find, finds } = build(source(201, () => (ended += 1)));
    const records = await read(await find('leaf'));
    expect(records).toEqual(numbers(201).map((id) => ({ id, leafId: id, leaf: { id } })));
    expect([finds, ended]).toEqual([[100, 100, 1], 1]);
  });

  it('that ends with a batch asks nothing more', async () => {
    const { find, finds } = build(source(100, () => undefined));
    expect(await read(await find('leaf'))).toHaveLength(100);
    expect(finds).toEqual([100]);
    const empty = build(source(0, () => undefined));
    expect(await read(await empty.find('leaf'))).toEqual([]);
    expect(empty.finds).toEqual([]);
  });

  it('ends its source when the reader ends, and tells when it fails', async () => {
    let ended = 0;
    const { find } = build(source(300, () => (ended += 1)));
    expect(await read(await find('leaf'), 2)).toHaveLength(2);
    expect(ended).toBe(1);
    const failing = build(source(300, () => (ended += 1), 150));
    await expect(read(await failing.find('leaf'))).rejects.toThrow('the source is away');
    expect(ended).toBe(2);
  });

  it('does not wait for records that are not there yet', async () => {
    let go: (() => void) | undefined;
    const slow = (async function* () {
      yield { id: 0, leafId: 0 };
      await new Promise<void>((resolve) => (go = resolve));
      yield { id: 1, leafId: 1 };
    })();
    const { find, finds } = build(slow);
    const records = ((await find('leaf')) as AsyncIterable<unknown>)[Symbol.asyncIterator]();
    expect((await records.next()).value).toEqual({ id: 0, leafId: 0, leaf: { id: 0 } });
    go?.();
    expect((await records.next()).value).toEqual({ id: 1, leafId: 1, leaf: { id: 1 } });
    expect((await records.next()).done).toBe(true);
    expect(finds).toEqual([1, 1]);
  });

  it('lets a reader end while the source waits, which ends with what it gives next', async () => {
    for (const fails of [false, true]) {
      let ended = 0;
      const waits: (() => void)[] = [];
      const waiting = (async function* () {
        try {
          yield { id: 0, leafId: 0 };
          await new Promise<void>((resolve) => waits.push(resolve));
          if (fails) throw new Error('the source is away');
          yield { id: 1, leafId: 1 };
        } finally {
          ended += 1;
        }
      })();
      expect(await read(await build(waiting).find('leaf'), 1)).toEqual([{ id: 0, leafId: 0, leaf: { id: 0 } }]);
      expect(ended).toBe(0);
      for (const go of waits) go();
      await new Promise(setImmediate);
      expect(ended).toBe(1);
    }
  });

  it('counts the records of all its batches', async () => {
    const many = (length: number) =>
      (async function* () {
        for (let id = 0; id < length; id++) yield { id, ids: numbers(100) };
      })();
    expect(await read(await build(many(100)).find('all'))).toHaveLength(100);
    await expect(read(await build(many(101)).find('all'))).rejects.toMatchObject({ code: 400 });
  });
});

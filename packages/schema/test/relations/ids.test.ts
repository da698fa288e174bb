import { framework, type Params } from '@framework/core';
import { describe, expect, it } from '@jest/globals';
import { ObjectId } from 'mongodb';
import { createAjv, loader, serviceSchema, type JSONSchema, type RecordLoader, type TSchema } from '../../src/index.ts';

const HEX = '65f0c0ffee0123456789abcd';

interface Asked {
  readonly query: Record<string, { readonly $in: unknown[] } | undefined>;
}

/** A service that gives the same, whatever it is asked, and notes what that was. */
function service(records: unknown, { id, schema, ...more }: { id?: string; schema?: TSchema } & Record<string, unknown> = {}) {
  const asked: unknown[][] = [];
  const app = framework();
  const found = {
    find: async ({ query }: Params & Asked) => {
      asked.push([...(query[id ?? 'id']?.$in ?? [])]);
      return records;
    },
    ...(id === undefined ? {} : { id }),
    ...more,
  };
  app.use('things', found as never, schema ? { schema: serviceSchema({ record: schema, ajv: ajv() }) } : {});
  const load = (): RecordLoader => loader(app.service('things' as never), {});
  return { asked, load };
}

function ajv(): ReturnType<typeof createAjv> {
  const made = createAjv();
  made.addKeyword({ keyword: 'objectid', schemaType: 'boolean', validate: () => true });
  return made;
}

describe('ids of records', () => {
  it('are found as text or as object id, whichever of the two the record has', async () => {
    const objectId = new ObjectId(HEX);
    const byObject = service([{ id: objectId, name: 'object' }]);
    const byText = service([{ id: HEX, name: 'text' }]);
    for (const id of [HEX, HEX.toUpperCase(), objectId]) expect(await byObject.load().load(id)).toMatchObject({ name: 'object' });
    for (const id of [HEX, objectId]) expect(await byText.load().load(id)).toMatchObject({ name: 'text' });
    expect(await byText.load().load(HEX.toUpperCase())).toBeNull();
  });

  it('are the very ones where a record of each form is there', async () => {
    const both = service([
      { id: HEX, name: 'text' },
      { id: new ObjectId(HEX), name: 'object' },
    ]);
    expect(await both.load().loadMany([HEX, new ObjectId(HEX)])).toEqual([
      { id: HEX, name: 'text' },
      { id: expect.anything(), name: 'object' },
    ]);
  });

  it('are not those of others: a text is no number, and other texts are no object ids', async () => {
    const numbered = service([{ id: 5 }, { id: 'abc' }, { id: '' }, { name: 'without' }, { id: { a: 1 } }]);
    expect(await numbered.load().loadMany(['5', 5, 5n, 'abc', 'ab', 6])).toEqual([null, { id: 5 }, { id: 5 }, { id: 'abc' }, null, null]);
    const texts = service([{ id: new ObjectId(HEX) }]);
    expect(await texts.load().loadMany([`${HEX}0`, HEX.slice(1), `x${HEX.slice(1)}`])).toEqual([null, null, null]);
  });

  it('are asked for once each, by the name that the service has for its id', async () => {
    const named = service([{ number: 1, id: 9 }], { id: 'number' });
    expect(await named.load().loadMany([1, 2, 1])).toEqual([{ number: 1, id: 9 }, null, { number: 1, id: 9 }]);
    expect(named.asked).toEqual([[1, 2]]);
  });

  const record = (id: JSONSchema): TSchema => ({ type: 'object', properties: { id } }) as unknown as TSchema;
  const objectId = new ObjectId(HEX);
  it.each<[string, JSONSchema, unknown[]]>([
    ['texts', { type: 'string' }, ['abc', HEX]],
    ['numbers', { type: 'integer' }, [5, 7]],
    [
      'object ids',
      {
        anyOf: [
          { type: 'string', objectid: true },
          { type: 'object', objectid: true },
        ],
      },
      [HEX, objectId],
    ],
    ['texts or numbers', { type: ['string', 'integer'] }, ['abc', HEX, 5, 7]],
    ['texts or nothing', { anyOf: [{ type: 'string' }, { type: 'null' }] }, ['abc', HEX]],
    ['texts of a list', { enum: ['abc', 'def'] }, ['abc']],
    ['one number', { const: 5 }, [5]],
    ['the number 0', { const: 0 }, []],
    ['texts of a form', { type: 'string', pattern: '^a' }, ['abc']],
    ['numbers that are small', { type: 'integer', maximum: 6 }, [5]],
    ['none of these', { type: 'string', format: 'uuid' }, []],
    ['truths', { type: 'boolean' }, []],
    ['anything', {}, ['abc', HEX, objectId, 5, 7n]],
  ])('are asked for where they can be those of the service: %s', async (_what, id, expected) => {
    const { asked, load } = service([], { schema: record(id) });
    const found = await load().loadMany(['abc', HEX, objectId, 5, 7n]);
    expect(found).toEqual([null, null, null, null, null]);
    expect(asked).toEqual(expected.length === 0 ? [] : [expected]);
  });
});

describe('a loader', () => {
  it('forgets a record by each form of its id', async () => {
    for (const [first, second] of [
      [HEX, new ObjectId(HEX)],
      [new ObjectId(HEX), HEX],
      [HEX.toUpperCase(), new ObjectId(HEX)],
      [HEX.toUpperCase(), HEX],
      [HEX, HEX.toUpperCase()],
      [5, 5n],
    ] as const) {
      const records = [{ id: typeof first === 'number' ? first : new ObjectId(HEX), version: 1 }];
      const things = service(records).load();
      expect(await things.load(first)).toMatchObject({ version: 1 });
      records[0] = { ...records[0], version: 2 } as (typeof records)[0];
      expect(await things.load(first)).toMatchObject({ version: 1 });
      expect(things.clear(second)).toBe(things);
      expect(await things.load(first)).toMatchObject({ version: 2 });
    }
  });

  it('forgets nothing for what is no id', async () => {
    const { asked, load } = service([{ id: 1 }]);
    const things = load();
    await things.load(1);
    things.clear(undefined).clear(2);
    await things.load(1);
    expect(asked).toEqual([[1]]);
  });

  it('says what an id is, and which service it needs', async () => {
    for (const id of ['', Infinity, {}, { toHexString: HEX }, null])
      await expect(service([]).load().load(id)).rejects.toMatchObject({
        code: 400,
        message: 'A record is loaded by its id: text, a number or an object id',
      });
    for (const given of [{}, undefined, null, 'users'])
      expect(() => loader(given as never, {})).toThrow(
        new TypeError("A loader needs a registered service with the method 'find': app.service('users')"),
      );
  });

  it('reads what find gives: a list, a page, a stream or nothing, and only what is a record', async () => {
    async function* stream(): AsyncGenerator {
      yield 'text';
      yield { id: 1, name: 'streamed' };
      yield null;
    }
    const list = [null, 'text', { id: 1, name: 'listed' }, 5];
    expect(await service(list).load().load(1)).toMatchObject({ name: 'listed' });
    expect(await service({ data: list, limit: 10 }).load().load(1)).toMatchObject({ name: 'listed' });
    expect(await service(stream()).load().load(1)).toMatchObject({ name: 'streamed' });
    for (const nothing of [undefined, null, {}, { data: 'text' }, 'text', 5]) expect(await service(nothing).load().load(1)).toBeNull();
  });

  it('asks again for the rest where a service keeps to its page size, and ends where it gives nothing of that', async () => {
    const asked: unknown[][] = [];
    const app = framework();
    app.use('paged', {
      find: async ({ query }: Params & Asked) => {
        const ids = query.id?.$in ?? [];
        asked.push(ids);
        return { data: ids.slice(0, 2).map((id) => ({ id })), limit: 2, skip: 0, total: ids.length };
      },
    } as never);
    const found = await loader(app.service('paged' as never), {}).loadMany([1, 2, 3, 4, 5]);
    expect(found).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }, { id: 5 }]);
    expect(asked).toEqual([[1, 2, 3, 4, 5], [3, 4], [5]]);
    const stuck = service({ data: [{ id: 8 }, { id: 9 }], limit: 2 });
    expect(await stuck.load().loadMany([1, 2, 3])).toEqual([null, null, null]);
    expect(stuck.asked).toEqual([[1, 2, 3], [1, 2], [3]]);
    const few = service({ data: [{ id: 1 }], limit: 2 });
    expect(await few.load().loadMany([1, 2, 3])).toEqual([{ id: 1 }, null, null]);
    expect(few.asked).toEqual([[1, 2, 3]]);
  });
});

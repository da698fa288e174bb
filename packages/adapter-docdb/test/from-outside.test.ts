import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Long, MinKey, ObjectId, Timestamp, UUID } from 'mongodb';
import { toFrameworkError } from '../src/index.ts';
import { startHarness, type ServiceHarness } from './harness.ts';

let harness: ServiceHarness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.database.close());
beforeEach(() => harness.reset());

const outside = { provider: 'rest' };
const disguised = { _bsontype: 'ObjectId', id: 'x' };

describe('an object that looks like a value of the database', () => {
  it.each<[string, object]>([
    ['a condition', { name: disguised }],
    ['a comparison', { name: { $gt: disguised } }],
    ['a list', { name: { $in: ['a', disguised] } }],
    ['a branch', { $or: [{ name: { _bsontype: 'Code', code: 'x' } }] }],
    ['the query itself', { _bsontype: 'Long' }],
    ['the order', { $sort: { _bsontype: 1 } }],
    ['the selection', { $select: ['_bsontype'] }],
    ['a path', { 'name._bsontype': 'Long' }],
  ])('is 400 in a query, as %s, and never reaches the driver', async (_title, query) => {
    const service = harness.service({ paths: ['name._bsontype'] });
    for (const params of [outside, {}]) await expect(service.find({ ...params, query } as never)).rejects.toMatchObject({ code: 400 });
    expect(harness.commands).toEqual([]);
  });

  it.each<[string, object]>([
    ['a filter of the service', { $text: disguised }],
    ['a value within it', { $text: { $search: { _bsontype: 'Code', code: 'x' } } }],
  ])('is 400 in a query, as %s, and never reaches the driver', async (_title, query) => {
    const service = harness.service({ filters: ['$text'] });
    for (const params of [outside, {}]) {
      const message = expect.stringContaining("'_bsontype' is not allowed in the query");
      await expect(service.find({ ...params, query } as never)).rejects.toMatchObject({ code: 400, message });
    }
    expect(harness.commands).toEqual([]);
  });

  it.each<[string, object]>([
    ['a path', { 'a._bsontype': 'Long' }],
    ['a path of an operator', { $set: { 'a._bsontype': 'Long' } }],
  ])('is 400 in data from outside, as %s', async (_title, data) => {
    const service = harness.service({ updateOperators: ['$set'] });
    for (const call of [() => service.create(data, outside), () => service.patch('one', data, outside)])
      await expect(call()).rejects.toMatchObject({ code: 400 });
    expect(harness.commands).toEqual([]);
  });

  it.each<[string, object]>([
    ['a property', { a: disguised }],
    ['a list', { a: [[disguised]] }],
    ['the data itself', { _bsontype: 'Long', low: 1 }],
    ['the id', { _id: disguised }],
    ['an operand', { $set: { a: disguised } }],
    ['an element', { $push: { list: { $each: [disguised] } } }],
    ['the order of elements', { $push: { list: { $each: [1], $sort: disguised } } }],
    ['a place among elements', { $push: { list: { $each: [1], $position: { _bsontype: 'Int32', value: 0 } } } }],
  ])('is 400 in data, as %s, and never reaches the driver', async (_title, data) => {
    const service = harness.service({ updateOperators: ['$set', '$push'], multi: true });
    for (const params of [outside, {}]) {
      for (const call of [
        () => service.create(data, params),
        () => service.create([{ _id: 'fine' }, data], params),
        () => service.update('one', data, params),
        () => service.patch('one', data, params),
        () => service.patch(null, data, params),
      ])
        await expect(call()).rejects.toMatchObject({ code: 400, message: expect.stringContaining('is not allowed in the data') });
    }
    expect(harness.commands).toEqual([]);
  });

  it('is 400 in data of the server also below classes and maps, and data that holds itself is looked through once', async () => {
    class Envelope {
      readonly body = [disguised];
    }
    const round: Record<string, unknown> = { a: disguised };
    Object.assign(round, { left: round, right: [round, round] });
    for (const data of [{ log: new Envelope() }, { log: new Map([['a', disguised]]) }, round])
      await expect(harness.service().create(data)).rejects.toMatchObject({ code: 400, message: expect.stringContaining("'_bsontype'") });
    expect(harness.commands).toEqual([]);
  });

  it('a list longer than a call can have arguments is looked through and stored', async () => {
    const list = Array.from({ length: 200_000 }, (_none, index) => index);
    const people = harness.service();
    await people.create({ _id: 'long', list });
    expect((await people.get('long')).list).toEqual(list);
    await expect(people.patch('long', { list: [...list, disguised] })).rejects.toMatchObject({ code: 400 });
  });

  it('values of the database are stored as they are', async () => {
    const _id = new ObjectId();
    await harness.service().create({ _id, list: [{ at: Long.fromNumber(5) }], map: new Map([['id', _id]]) });
    expect(await harness.database.db.collection('people').findOne({})).toEqual({ _id, list: [{ at: 5 }], map: { id: _id } });
  });
});

describe('names within paths', () => {
  it.each(['a.__proto__.b', 'a.constructor', 'prototype.a', '__proto__.a'])(
    'that would reach a prototype are refused: %s',
    async (path) => {
      const service = harness.service({ updateOperators: ['$set'] });
      for (const data of [{ [path]: 1 }, { $set: { [path]: 1 } }])
        await expect(service.patch('one', data, outside)).rejects.toMatchObject({
          code: 400,
          message: `'${path}' is not allowed in the data`,
        });
      expect(harness.commands).toEqual([]);
    },
  );
});

describe('ids of new records', () => {
  it.each<[string, unknown]>([
    ['an empty text', ''],
    ['a name of prototypes', '__proto__'],
    ['a long text', 'x'.repeat(1025)],
    ['true', true],
    ['no number', NaN],
    ['a date', new Date(5)],
    ['an empty object', {}],
    ['an object', { a: 1 }],
    ['a list', ['a']],
    ['a pattern', /a/],
    ['a time of the log', new Timestamp({ t: 1, i: 1 })],
    ['what is below everything', new MinKey()],
  ])('are those that calls take, or nobody could read or remove the record: not %s', async (_title, id) => {
    for (const [name, service] of [
      ['_id', harness.service({ multi: true, operators: ['$eq'] })],
      ['key', harness.service({ multi: true, operators: ['$eq'], id: 'key' })],
    ] as const)
      for (const call of [
        (params: object) => service.create({ [name]: id } as never, params),
        (params: object) => service.create([{ [name]: 'good' }, { [name]: id }] as never, params),
        () => service.patch(null, { age: 1 }, { query: { [name]: { $eq: id } }, docdb: { upsert: true } }),
      ])
        for (const params of [outside, {}])
          await expect(call(params)).rejects.toMatchObject({
            code: 400,
            message: expect.stringMatching(/^Invalid id '.+': expected text, a number or an object id$/),
          });
    expect(harness.commands).toEqual([]);
  });

  it.each(['.', '..', 'constructor', 'a\0b', '\ud800'])(
    'are no ids that no path leads to, where a caller gives them: not %j',
    async (id) => {
      for (const [name, service] of [
        ['_id', harness.service({ multi: true })],
        ['key', harness.service({ multi: true, id: 'key' })],
      ] as const)
        for (const data of [{ [name]: id }, [{ [name]: 'good' }, { [name]: id }]])
          await expect(service.create(data as never, outside)).rejects.toMatchObject({
            code: 400,
            message: expect.stringMatching(/^Invalid id '.+': no path leads/),
          });
      expect(harness.commands).toEqual([]);
    },
  );

  it('may be numbers and bytes of the database, by which the records are found', async () => {
    const service = harness.service();
    for (const id of [new ObjectId(), new UUID(), Long.fromString('9007199254740993'), 9_007_199_254_740_995n, new Uint8Array([1, 2])]) {
      const made = await service.create({ _id: id, name: 'a' });
      expect(await service.get(made._id as never)).toEqual(made);
    }
  });

  it('are made where they are null, of the type that the service makes', async () => {
    expect(await harness.service().create({ _id: null }, outside)).toEqual({ _id: expect.any(ObjectId) });
    expect(await harness.service({ disableObjectify: true }).create({ _id: null }, outside)).toEqual({
      _id: expect.stringMatching(/^[0-9a-f]{24}$/),
    });
    const made = await harness.service({ id: 'key' }).create({ key: null, name: 'a' }, outside);
    expect(await harness.service({ id: 'key' }).get(String(Reflect.get(made, 'key')))).toMatchObject({ name: 'a' });
  });
});

describe('ids and versions', () => {
  it.each([
    ['_id', {}],
    ['key', { id: 'key' }],
    ['v', { version: 'v' }],
  ])('are not what something is renamed to: %s', async (name, options) => {
    const service = harness.service({ ...options, updateOperators: ['$rename'], disabledOperators: [] });
    await service.create({ _id: 'one', key: 'one', name: 'mine' });
    for (const call of [
      () => service.patch('one', { $rename: { name } } as never, outside),
      () => service.update('one', { $rename: { name } } as never, outside),
    ])
      await expect(call()).rejects.toMatchObject({ code: 400, message: expect.stringContaining(`Nothing can be renamed to '${name}'`) });
    await expect(service.patch('one', { $rename: { name: `${name}.of` } } as never)).rejects.toMatchObject({ code: 400 });
    expect(await service.patch('one', { $rename: { name: 'title' } } as never, outside)).toMatchObject({ title: 'mine', key: 'one' });
  });

  it('have no parts that something could set: a record that is made would have an object for an id', async () => {
    const service = harness.service({ id: 'key', version: 'v', multi: true });
    for (const name of ['key', 'v', '_id'])
      for (const data of [{ [`${name}.of`]: 1 }, { $set: { [`${name}.of`]: 1 } }, { $setOnInsert: { [`${name}.of`]: 1 } }])
        await expect(service.patch(null, data as never, { query: { name: 'Ann' }, docdb: { upsert: true } })).rejects.toMatchObject({
          code: 400,
          message: `'${name}.of' can not be set: ids never change, and versions are the service's own`,
        });
    expect(await service.find()).toEqual([]);
  });
});

describe('a search of texts', () => {
  it.each([[{ toString: 'x' }], [['a']], [null], [true], [{}]])('is 400 for what is no text: %j', async (search) => {
    const service = harness.service({ filters: ['$search'] });
    await expect(service.find({ ...outside, query: { $search: search } })).rejects.toMatchObject({
      code: 400,
      message: 'Invalid value for $search: expected text',
      data: { parameter: '$search' },
    });
    expect(harness.commands).toEqual([]);
  });
});

it('a new record has no update operators as properties: whoever writes it back would apply them', async () => {
  const service = harness.service({ multi: true, updateOperators: ['$inc'] });
  for (const params of [outside, {}])
    for (const data of [{ $inc: { balance: 1 } }, [{ name: 'fine' }, { name: 'b', $inc: { balance: 1 } }]])
      await expect(service.create(data as never, params)).rejects.toMatchObject({
        code: 400,
        message: "'$inc' is not allowed in the data: update operators are for update and patch",
      });
  expect(harness.commands).toEqual([]);
});

describe('raw cursors', () => {
  it('of no records have none, and not all', async () => {
    const service = harness.service({ multi: true, paginate: { default: 10, max: 20 } });
    await service.create([{ name: 'a' }, { name: 'b' }]);
    const query = { $limit: 0, name: { $ne: 'c' } };
    expect(await (await service.findRaw({ query })).toArray()).toEqual([]);
    expect(await (await service.aggregateRaw({ query })).toArray()).toEqual([]);
    const pipeline = [{ $set: { _id: 1 } }, { $framework: {} }, { $project: { name: 1 } }];
    expect(await (await service.aggregateRaw({ query, pipeline })).toArray()).toEqual([]);
    expect(await (await service.findRaw({ query: { $limit: '1' } })).toArray()).toHaveLength(1);
  });
});

describe('a collation', () => {
  it('for all methods does not keep records from being made', async () => {
    const service = harness.service({ multi: true });
    for (const params of [{ collation: { locale: 'en' } }, { docdb: { collation: { locale: 'en' } } }]) {
      expect(await service.create({ name: 'a' }, params)).toMatchObject({ name: 'a' });
      expect(await service.create([{ name: 'b' }], params)).toMatchObject([{ name: 'b' }]);
    }
  });

  it.each([['en'], [{}], [{ locale: 5 }], [[]]])('that is none is told to whoever wrote it: %j', async (collation) => {
    const service = harness.service();
    for (const params of [{ collation }, { docdb: { collation } }]) {
      await expect(service.find(params as never)).rejects.toThrow(
        "The collation of a call is an object with a locale, for example { locale: 'en', strength: 2 }",
      );
    }
  });
});

it.each([
  ['Set', { tags: new Set(['a']) }],
  ['Promise', { author: { name: Promise.resolve('Ann') } }],
  ['Set', { $set: { 'list.0': [new Set()] } }],
])('a %s is refused, which the driver would store as an empty object: %j', async (kind, data) => {
  const service = harness.service();
  const { _id: id } = (await service.create({ name: 'a' })) as { _id: string };
  const calls = [
    service.patch(id, data as never),
    ...('$set' in data ? [] : [service.create(data as never), service.update(id, data as never)]),
    // A hook may put it into the data of a caller.
    ...('$set' in data ? [] : [service.create(data as never, { provider: 'rest' })]),
  ];
  for (const call of calls)
    await expect(call).rejects.toMatchObject({ code: 400, message: expect.stringContaining(`A ${kind} can not be stored`) });
  expect(await service.get(id)).toEqual({ _id: id, name: 'a' });
});

it.each([[null], [undefined], ['text'], [5]])('whatever was thrown has a status: %p', (thrown) => {
  expect(toFrameworkError(thrown)).toMatchObject({ code: 500, message: 'The database failed', cause: thrown });
});

describe('data that the database does not store', () => {
  it.each<[string, Record<string, '2d' | '2dsphere' | 'hashed' | 'text'>, object]>([
    ['a text in an index of places', { place: '2dsphere' }, { place: 'here' }],
    ['a text in an index of flat places', { place: '2d' }, { place: 'here' }],
    ['a place outside of an index', { place: '2d' }, { place: [1000, 2] }],
    ['a list in a hashed index', { tag: 'hashed' }, { tag: ['a'] }],
    ['a language that searches do not have', { text: 'text' }, { text: 'nuqneH', language: 'klingon' }],
    ['a language that is no text', { text: 'text' }, { text: 'nuqneH', language: 5 }],
  ])('is 400: %s', async (_title, key, data) => {
    await harness.database.db.collection('people').createIndexes([{ key }]);
    await expect(harness.service().create(data, outside)).rejects.toMatchObject({ code: 400 });
  });

  it('is 400: a name with a zero character', async () => {
    const people = harness.service({ updateOperators: ['$rename'], disabledOperators: [] });
    await people.create({ _id: 'one', name: 'a' });
    await expect(people.patch('one', { $rename: { name: 'a\0' } } as object, outside)).rejects.toMatchObject({ code: 400 });
  });

  it('is 400: what makes a document longer than one may be', async () => {
    const people = harness.service({ updateOperators: ['$push'] });
    const half = 'x'.repeat(9_000_000);
    await people.create({ _id: 'one', list: [half] });
    await expect(people.patch('one', { $push: { list: half } } as object, outside)).rejects.toMatchObject({ code: 400 });
  });
});

it('an order by more names than the database takes is 400', async () => {
  const $sort = Object.fromEntries(Array.from({ length: 33 }, (_none, index) => [`name${index}`, 1]));
  await expect(harness.service().find({ ...outside, query: { $sort }, pipeline: [] })).rejects.toMatchObject({ code: 400 });
});

describe('what the database refuses is told by what is wrong, and without a value of the record', () => {
  it.each<[string, object, string]>([
    ['a path through a text', { 'secret.a': 1 }, 'leads through a value that has no properties'],
    ['a path through nothing', { 'none.a': 1 }, 'leads through a value that has no properties'],
    ['a name in a list', { 'list.x': 1 }, 'leads through a value that has no properties'],
    ['an empty name', { '': 1 }, 'is empty, or a path begins or ends with a dot'],
    ['a path that ends with a dot', { 'a.': 1 }, 'is empty, or a path begins or ends with a dot'],
    [
      'an object and a property inside it',
      { inner: { b: 1 }, 'inner.a': 2 },
      'changes a property twice, or an object and a property inside it',
    ],
    ['the sum of a text', { $inc: { secret: 1 } }, 'another type than its operator takes'],
    ['a text to be added', { $inc: { n: 'hidden text' } }, 'another type than its operator takes'],
  ])('as %s', async (_kind, data, text) => {
    const service = harness.service({ updateOperators: ['$inc'] });
    await service.create({ _id: 'one', secret: 'hidden text', none: null, list: [1], inner: { a: 1 }, n: 1 });
    const error: unknown = await service.patch('one', data, outside).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 400, message: expect.stringContaining(text) });
    expect(JSON.stringify(error)).not.toContain('hidden');
  });

  it('as an operator that there is not, a record that is too large, and an id that can be none', async () => {
    const service = harness.service();
    await service.create({ _id: 'one', n: 1 });
    const large = { text: 'x'.repeat(17_000_000) };
    for (const [call, text] of [
      [() => service.patch('one', { $incc: { n: 1 } }), 'an operator that there is not'],
      [() => service.create(large), 'larger than the database stores'],
      [() => harness.service({ id: 'key' }).create({ _id: /x/ }), 'An id is a list or a pattern'],
    ] as const)
      await expect(call()).rejects.toMatchObject({ code: 400, message: expect.stringContaining(text) });
  });
});

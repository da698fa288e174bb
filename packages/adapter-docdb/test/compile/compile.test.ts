import { describe, expect, it } from '@jest/globals';
import { BadRequest, PreconditionFailed } from '@framework/errors';
import { ObjectId } from 'mongodb';
import { parseQuery } from '@framework/query';
import { compileCriteria, recordId, withId } from '../../src/compile/criteria.ts';
import { mergePipeline, queryStages } from '../../src/compile/pipeline.ts';
import { compileProjection, selectedNames } from '../../src/compile/projection.ts';
import { newVersion, versionFilter } from '../../src/compile/version.ts';
import { checkData, compilePatch, compileUpdate, insertDocument } from '../../src/compile/write-data.ts';
import type { DocDbServiceOptions } from '../../src/docdb-types.ts';
import { resolveOptions } from '../../src/options.ts';

const options = (more: Partial<DocDbServiceOptions> = {}) => resolveOptions({ Model: (() => undefined) as never, ...more });
const HEX = '0123456789abcdef01234567';
const ID = new ObjectId(HEX);

describe('criteria', () => {
  const compiled = (criteria: object, more: Partial<DocDbServiceOptions> = {}, extra: object = {}, external = false) =>
    compileCriteria({ ...parseQuery({}), criteria, extra } as never, options(more), external);

  it.each<[object, object]>([
    [{ _id: HEX }, { _id: ID }],
    [{ _id: { $in: [HEX, 'x'] } }, { _id: { $in: [ID, 'x'] } }],
    [{ _id: { $ne: HEX } }, { _id: { $ne: ID } }],
    [{ _id: { $not: { $in: [HEX] } } }, { _id: { $not: { $in: [ID] } } }],
    [{ _id: [HEX] }, { _id: [ID] }],
    [{ owner: HEX }, { owner: ID }],
    [{ 'inner.by': { $nin: [HEX] } }, { 'inner.by': { $nin: [ID] } }],
    [{ inner: { by: HEX, other: HEX } }, { inner: { by: ID, other: HEX } }],
    [{ owner: { $elemMatch: { $eq: HEX } } }, { owner: { $elemMatch: { $eq: ID } } }],
    [{ list: { $elemMatch: { $or: [{ owner: HEX }] } } }, { list: { $elemMatch: { $or: [{ owner: ID }] } } }],
    [{ list: { $elemMatch: { $and: [{ owner: HEX }] } } }, { list: { $elemMatch: { $and: [{ owner: ID }] } } }],
    [{ list: { $elemMatch: { $nor: [{ owner: HEX }] } } }, { list: { $elemMatch: { $nor: [{ owner: ID }] } } }],
    [
      { $or: [{ _id: HEX }, { $and: [{ owner: HEX }, { $nor: [{ name: HEX }] }] }] },
      { $or: [{ _id: ID }, { $and: [{ owner: ID }, { $nor: [{ name: HEX }] }] }] },
    ],
    [
      { name: HEX, owner: null },
      { name: HEX, owner: null },
    ],
    [{ list: { $elemMatch: { _id: HEX, $or: [{ _id: HEX }] } } }, { list: { $elemMatch: { _id: HEX, $or: [{ _id: HEX }] } } }],
    [{ 'list.0.owner': HEX }, { 'list.0.owner': ID }],
    [{ 'owner.0': { $ne: HEX } }, { 'owner.0': { $ne: ID } }],
    [{ owner: { $in: [[HEX, 'x']] } }, { owner: { $in: [[ID, 'x']] } }],
    [{ list: [{ owner: HEX, name: HEX }] }, { list: [{ owner: ID, name: HEX }] }],
    [{ list: { $eq: { owner: HEX } } }, { list: { $eq: { owner: ID } } }],
    [{ list: { $nin: [{ owner: HEX }] } }, { list: { $nin: [{ owner: ID }] } }],
    [
      { list: { $all: [{ owner: HEX }, { $elemMatch: { owner: HEX } }] } },
      { list: { $all: [{ owner: ID }, { $elemMatch: { owner: ID } }] } },
    ],
    [{ owner: { $all: [HEX] } }, { owner: { $all: [ID] } }],
    [{ owner: { $regex: HEX, $exists: true } }, { owner: { $regex: HEX, $exists: true } }],
    [{ 'slots.0': HEX }, { 'slots.0': ID }],
  ])('%j has object ids where they are named', (criteria, expected) => {
    expect(compiled(criteria, { objectIds: ['owner', 'inner.by', 'list.owner', 'slots.0'] })).toEqual(expected);
  });

  it('keeps texts where ids are none', () => {
    expect(compiled({ _id: HEX, owner: HEX }, { disableObjectify: true, objectIds: ['owner'] })).toEqual({ _id: HEX, owner: HEX });
    expect([recordId(HEX, options()), recordId(HEX, options({ id: 'key' })), recordId(HEX, options({ disableObjectify: true }))]).toEqual([
      ID,
      HEX,
      HEX,
    ]);
  });

  it('has a search of texts, and places in pages are not of it', () => {
    expect(compiled({ a: 1 }, {}, { $search: 5, $after: 'x', $before: 'y', other: 2 })).toEqual({
      a: 1,
      $text: { $search: '5' },
      other: 2,
    });
  });

  it('S8 checks patterns from outside alone', () => {
    const pattern = { $or: [{ name: { $not: { $regex: '(x+)+$' } } }] };
    expect(() => compiled(pattern, {}, {}, true)).toThrow(BadRequest);
    expect(compiled(pattern)).toEqual(pattern);
  });

  it('of one record has its id beside the conditions, also beside one of the id', () => {
    expect(withId({ a: 1 }, HEX, options())).toEqual({ a: 1, _id: ID });
    expect(withId({ _id: { $ne: ID } }, HEX, options())).toEqual({ $and: [{ _id: { $ne: ID } }, { _id: ID }] });
    expect(withId({ a: 1 }, 'x', options({ id: 'key' }))).toEqual({ a: 1, key: 'x' });
  });
});

describe('stages', () => {
  const stages = (query: object, filter = {}) => queryStages(filter, { ...parseQuery({}), ...query } as never, options());
  it.each<[object, object, object[]]>([
    [{}, {}, []],
    [{ sort: {}, skip: 0 }, {}, []],
    [
      { sort: { a: 1 }, skip: 2, limit: 0, select: ['a'] },
      { b: 1 },
      [{ $match: { b: 1 } }, { $sort: { a: 1 } }, { $skip: 2 }, { $limit: 0 }, { $project: { a: 1, _id: 1 } }],
    ],
  ])('of %j with %j', (query, filter, expected) => {
    expect(stages(query, filter)).toEqual(expected);
  });

  it('stand at their mark, or before all others', () => {
    const [own, a, b] = [{ $match: {} }, { $a: 1 }, { $b: 1 }];
    expect(mergePipeline([a, { $framework: {} }, b], [own])).toEqual([a, own, b]);
    expect(mergePipeline([{ $framework: {} }, b], [own])).toEqual([own, b]);
    expect(mergePipeline([a, b], [own])).toEqual([own, a, b]);
  });

  it.each<[unknown, string]>([
    [{ $match: { tenant: 1 } }, 'params.pipeline is a list of stages'],
    ['$match', 'params.pipeline is a list of stages'],
    [[{ $framework: {} }, null], 'params.pipeline is a list of stages'],
    [[[{ $framework: {} }]], 'params.pipeline is a list of stages'],
    [[{ $framework: {}, $match: { tenant: 1 } }], 'has $match beside $framework in one stage'],
    [[{ $framework: {} }, { $a: 1 }, { $framework: {} }], 'has { $framework: {} } more than once'],
    [[{ $facet: { rows: [{ $framework: {} }], all: [{ $count: 'n' }] } }], 'has { $framework: {} } within $facet'],
    [[{ $lookup: { from: 'b', pipeline: [{ $a: 1 }, { $framework: {} }], as: 'b' } }], 'has { $framework: {} } within $lookup'],
    [[{ $framework: {} }, { $unionWith: { coll: 'b', pipeline: [{ $framework: {} }] } }], 'has { $framework: {} } within $unionWith'],
  ])('can not be put into %j', (pipeline, told) => {
    expect(() => mergePipeline(pipeline as never, [{ $match: {} }])).toThrow(told);
  });

  it('can be put beside stages that have pipelines of their own, or none', () => {
    const others = [
      { $facet: { all: [{ $count: 'n' }] } },
      { $unionWith: 'b' },
      { $lookup: { from: 'b', localField: 'a', foreignField: 'b', as: 'c' } },
    ];
    expect(mergePipeline([...others, { $framework: {} }], [{ $match: {} }])).toEqual([...others, { $match: {} }]);
  });

  it('can be put beside stages of other kinds of objects, which the driver sends too', () => {
    class Limit {
      readonly $limit = 1;
    }
    const others = [new Map([['$sort', { name: 1 }]]), new Limit()];
    expect(mergePipeline([...others, { $framework: {} }], [{ $match: {} }])).toEqual([...others, { $match: {} }]);
  });
});

describe('projections', () => {
  it.each<[string[] | undefined, Partial<DocDbServiceOptions>, object | undefined]>([
    [undefined, {}, undefined],
    [[], {}, { _id: 1 }],
    [['a'], {}, { a: 1, _id: 1 }],
    [['a', 'a.b', 'ab'], {}, { a: 1, ab: 1, _id: 1 }],
    [['a.b', 'a.c'], {}, { 'a.b': 1, 'a.c': 1, _id: 1 }],
    [['a'], { id: 'key' }, { a: 1, key: 1, _id: 0 }],
    [['_id'], { id: 'key' }, { _id: 1, key: 1 }],
    [['a'], { version: 'v' }, { a: 1, _id: 1, v: 1 }],
  ])('of %j with %j', (select, more, expected) => {
    expect(compileProjection(select, options(more))).toEqual(expected);
  });

  it('name each property once', () => {
    expect(selectedNames(['a', '_id', 'a', 'v'], options({ version: 'v' }))).toEqual(['a', '_id', 'v']);
  });
});

describe('versions', () => {
  // Databases written in Go have no pattern that looks ahead.
  const just = (pattern: string): RegExp => new RegExp(`^${pattern}\\z`);
  const versioned = options({ version: 'v' });
  it('are random, and none without the option', () => {
    expect(newVersion(options())).toEqual({});
    const [one, other] = [newVersion(versioned), newVersion(versioned)];
    expect(one.v).toMatch(/^[\w-]{16}$/);
    expect(one.v).not.toBe(other.v);
  });

  it.each<[object | undefined, object | undefined]>([
    [undefined, undefined],
    [{}, undefined],
    [{ versions: '*' }, undefined],
    [{ versions: '*', notVersions: [] }, undefined],
    [{ versions: ['a', ''] }, { $and: [{ v: { $in: [just('a'), null] } }] }],
    [{ notVersions: ['b', ''] }, { $and: [{ v: { $nin: [just('b'), null] } }] }],
    [{ versions: ['a.1'], notVersions: ['b'] }, { $and: [{ v: { $in: [just('a\\.1')] } }, { v: { $nin: [just('b')] } }] }],
    [{ versions: [5, 'x'.repeat(8001)] }, { $and: [{ v: { $in: [5, 'x'.repeat(8001)] } }] }],
  ])('the condition %j is the filter %j', (precondition, expected) => {
    expect(versionFilter(precondition, versioned)).toEqual(expected);
  });

  it('a write to what must not exist is refused, and so is a condition without versions', () => {
    expect(() => versionFilter({ notVersions: '*' }, versioned)).toThrow(PreconditionFailed);
    expect(() => versionFilter({ versions: ['a'] }, options())).toThrow("params.precondition needs the service's 'version' option");
    expect(versionFilter(undefined, options())).toBeUndefined();
    for (const other of [{ version: 'a' }, { versions: 'a' }, { notVersions: null }])
      expect(() => versionFilter(other as never, versioned)).toThrow("params.precondition takes 'versions' and 'notVersions'");
  });
});

describe('data from outside', () => {
  const check =
    (data: unknown, updateOperators?: string[], declared: object = {}) =>
    () => {
      checkData(data, {
        options: options(updateOperators ? { updateOperators } : {}),
        params: { provider: 'rest' },
        declared: declared as never,
      });
    };
  const nested = (depth: number): unknown => (depth === 0 ? 1 : { a: nested(depth - 1) });

  it.each<[unknown, string[] | undefined]>([
    [{ a: 1, b: { c: [{ d: 1 }] } }, undefined],
    [[{ a: 1 }, { b: 2 }], undefined],
    [{ $inc: { a: 1 }, b: 2 }, ['$inc']],
    [{ $push: { a: { $each: [1, { b: 2 }] } } }, ['$push']],
  ])('%j may be sent', (data, operators) => {
    expect(check(data, operators)).not.toThrow();
  });

  it.each<[unknown, string[] | undefined, string]>([
    ['text', undefined, 'The data must be an object'],
    [[{ a: 1 }, 5], undefined, 'The data must be an object'],
    [{ $inc: { a: 1 } }, undefined, "'$inc' is not allowed in the data. List it in the service's 'updateOperators' option to allow it"],
    [{ $set: { a: 1 } }, ['$inc'], "'$set' is not allowed"],
    [{ $inc: 5 }, ['$inc'], '$inc takes an object'],
    [{ $inc: { $a: 1 } }, ['$inc'], "'$a' is not allowed"],
    [{ $inc: { 'a.__proto__.b': 1 } }, ['$inc'], "'a.__proto__.b' is not allowed"],
    [{ $push: { a: { $slice: 1 } } }, ['$push'], "'$slice' is not allowed"],
    [{ $push: { a: { $each: [{ $b: 1 }] } } }, ['$push'], "'$b' is not allowed"],
    [{ a: { $b: 1 } }, undefined, "'$b' is not allowed"],
    [{ a: [{ b: [{ $c: 1 }] }] }, undefined, "'$c' is not allowed"],
    [{ a: { constructor: 1 } }, undefined, "'constructor' is not allowed"],
    [{ prototype: 1 }, undefined, "'prototype' is not allowed"],
    [JSON.parse('{"a":{"__proto__":1}}'), undefined, "'__proto__' is not allowed"],
    [{ 'a\0b': 1 }, undefined, 'is not allowed'],
    [{ [`$${'x'.repeat(100)}`]: 1 }, undefined, `'$${'x'.repeat(49)}' is not allowed`],
  ])('S6 %j is refused with %j', (data, operators, message) => {
    expect(check(data, operators)).toThrow(BadRequest);
    expect(check(data, operators)).toThrow(message);
  });

  it('S6 data may be a hundred levels deep, lists among them', () => {
    for (const data of [nested(100), { a: [nested(98)] }]) expect(check(data)).not.toThrow();
    for (const data of [nested(101), { a: [nested(99)] }]) expect(check(data)).toThrow('The data is nested too deeply');
  });

  it('a schema may allow operators for its calls; calls on the server may send anything that is an object', () => {
    expect(check({ $inc: { a: 1 } }, undefined, { updateOperators: ['$inc'] })).not.toThrow();
    const inside = (data: unknown) => () => {
      checkData(data, { options: options(), params: {}, declared: {} as never });
    };
    expect(inside({ $anything: 1, a: { $b: 1 } })).not.toThrow();
    expect(inside(5)).toThrow('The data must be an object');
  });
});

describe('what is inserted', () => {
  const made = (data: object, more: Partial<DocDbServiceOptions> = {}) => insertDocument(data, options(more), () => 'made');
  it('has an id first, of the right type, and nothing undefined', () => {
    expect(Object.entries(made({ a: 1, b: undefined, c: null }))).toEqual([
      ['_id', 'made'],
      ['a', 1],
      ['c', null],
    ]);
    expect(made({ a: 1, _id: HEX })).toEqual({ _id: ID, a: 1 });
    expect(made({ _id: HEX }, { disableObjectify: true })).toEqual({ _id: HEX });
    expect(made({ owner: HEX, other: HEX }, { objectIds: ['owner'] })).toEqual({ _id: 'made', owner: ID, other: HEX });
  });

  it('with an id property of its own has both ids', () => {
    const record = made({ a: 1 }, { id: 'key' });
    expect(record).toEqual({ _id: expect.any(ObjectId), a: 1, key: 'made' });
    expect(made({ key: 'own', _id: 5 }, { id: 'key' })).toEqual({ _id: 5, key: 'own' });
  });

  it('has a version of the service, whatever it came with', () => {
    expect(made({ v: 'mine' }, { version: 'v' }).v).not.toBe('mine');
  });
});

describe('what is updated', () => {
  it('data replaces the record, without ids and versions; operators are applied to what is not fixed', () => {
    expect(compileUpdate({ _id: 1, a: 1, b: undefined, v: 1 }, options())).toEqual({ kind: 'replace', document: { a: 1, v: 1 } });
    expect(compileUpdate({ key: 1, _id: 2, a: 1 }, options({ id: 'key' }))).toEqual({ kind: 'replace', document: { a: 1 } });
    expect(compileUpdate({ $inc: { a: 1, _id: 1 }, $set: { b: 2 } }, options())).toEqual({
      kind: 'operators',
      update: { $inc: { a: 1 }, $set: { b: 2 } },
    });
    const versioned = compileUpdate({ $inc: { a: 1, v: 1 }, $set: { b: 2 } }, options({ version: 'v' }));
    expect(versioned).toEqual({ kind: 'operators', update: { $inc: { a: 1 }, $set: { b: 2, v: expect.any(String) } } });
    expect(() => compileUpdate({ $inc: { a: 1 }, b: 1 }, options())).toThrow('An update has operators or properties, not both');
  });

  it('a patch sets properties and applies operators, but for those that are switched off', () => {
    const data = { a: 1, b: undefined, _id: 5, $set: { c: 2, _id: 6 }, $inc: { d: 1, _id: 1 }, $unset: { e: 1 }, $rename: 'x' };
    expect(compilePatch(data, options({ disabledOperators: ['$unset'] }))).toEqual({ $set: { a: 1, c: 2 }, $inc: { d: 1 }, $rename: 'x' });
    expect(compilePatch({ a: 1, v: 2 }, options({ version: 'v' }))).toEqual({ $set: { a: 1, v: expect.any(String) } });
  });

  it('a patch of a property with something to keep in it reads it in the same command, and can do nothing beside', () => {
    const kept = ['a.secret', 'b'];
    expect(compilePatch({ a: { x: 1 }, c: 5 }, options(), kept)).toEqual([
      {
        $set: {
          a: {
            $cond: [{ $isArray: '$a' }, { $toInt: { $type: '$a' } }, { $mergeObjects: [{ $literal: { x: 1 } }, { secret: '$a.secret' }] }],
          },
          c: { $literal: 5 },
        },
      },
    ]);
    expect(compilePatch({ b: { x: 1 }, ab: 1 }, options(), kept)).toEqual({ $set: { b: { x: 1 }, ab: 1 } });
    for (const beside of [{ $inc: { d: 1 } }, { 'c.d': 1 }])
      expect(() => compilePatch({ a: {}, ...beside }, options(), kept)).toThrow(
        "'a' can not be changed together with operators or paths: send two patches",
      );
  });
});

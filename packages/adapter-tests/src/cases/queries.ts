import assert from 'node:assert/strict';
import { created, found, has, recordOf, recordsOf, refused } from '../asserting.ts';
import type { AdapterCase, CaseRecord, CaseService } from '../types.ts';

const PEOPLE: readonly CaseRecord[] = [
  { name: 'a', n: 1, s: 'x', b: true, d: new Date(0) },
  { name: 'b', n: 2, s: 'X', b: false, d: new Date(1000) },
  { name: 'c', n: 10, s: 'xy', d: new Date(2000) },
  { name: 'd', n: null, s: '', b: null },
  { name: 'e', n: '2', s: 'é' },
  { name: 'f' },
];

async function people(make: (options?: object) => Promise<CaseService>): Promise<CaseService> {
  const service = await make();
  await created(service, ...PEOPLE);
  return service;
}

/** Conditions, and the names of the people that they mean. */
const MEANT: readonly (readonly [CaseRecord, string])[] = [
  [{}, 'abcdef'],
  [{ n: 2 }, 'b'],
  [{ n: '2' }, 'e'],
  [{ n: null }, 'df'],
  [{ s: '' }, 'd'],
  [{ b: true }, 'a'],
  [{ b: false }, 'b'],
  [{ d: new Date(1000) }, 'b'],
  [{ n: { $gt: 1 } }, 'bc'],
  [{ n: { $gte: 1 } }, 'abc'],
  [{ n: { $lt: 10 } }, 'ab'],
  [{ n: { $lte: 10 } }, 'abc'],
  [{ n: { $gt: 1, $lt: 10 } }, 'b'],
  [{ n: { $gt: '1' } }, 'e'],
  [{ s: { $gt: 'x' } }, 'ce'],
  [{ s: { $lt: 'x' } }, 'bd'],
  [{ d: { $gte: new Date(1000) } }, 'bc'],
  [{ b: { $gt: false } }, 'a'],
  [{ n: { $ne: 2 } }, 'acdef'],
  [{ n: { $ne: null } }, 'abce'],
  [{ n: { $in: [1, '2', 77] } }, 'ae'],
  [{ n: { $in: [null] } }, 'df'],
  [{ n: { $in: [] } }, ''],
  [{ n: { $nin: [1, 2] } }, 'cdef'],
  [{ n: { $nin: [null] } }, 'abce'],
  [{ n: { $nin: [] } }, 'abcdef'],
  [{ n: 2, s: 'X' }, 'b'],
  [{ n: 2, s: 'x' }, ''],
  [{ $or: [{ n: 1 }, { n: 10 }] }, 'ac'],
  [{ $or: [{ n: 1 }, { n: 10 }], s: 'xy' }, 'c'],
  [{ $and: [{ n: { $gt: 0 } }, { n: { $lt: 5 } }] }, 'ab'],
  [{ $and: [{ $or: [{ n: 1 }, { n: 2 }] }, { $or: [{ b: true }, { s: 'xy' }] }] }, 'a'],
  [{ toString: null }, 'abcdef'],
];

const WRONG: readonly CaseRecord[] = [
  { $where: 1 },
  { $unknown: 1 },
  { n: { $wrong: 1 } },
  { n: { $gt: 1, $wrong: 1 } },
  { n: { $in: 1 } },
  { n: { $nin: 'text' } },
  { n: { $gt: { $lt: 1 } } },
  { $or: 1 },
  { $or: [1] },
  { $and: { n: 1 } },
  { $or: [{ $limit: 1 }] },
  { $limit: -1 },
  { $limit: 'x' },
  { $limit: 1.5 },
  { $skip: -1 },
  { $sort: 'n' },
  { $sort: { n: 2 } },
  { $select: [1] },
  { $select: 5 },
];

/** The syntax of queries. */
export const queryCases: readonly Omit<AdapterCase, 'section'>[] = [
  ...MEANT.map(([query, names]): Omit<AdapterCase, 'section'> => ({
    title: `${JSON.stringify(query)} means ${names === '' ? 'nothing' : names}`,
    async run({ service }) {
      assert.equal((await found(await people(service), { ...query, $sort: { name: 1 } })).join(''), names);
    },
  })),
  ...WRONG.map((query): Omit<AdapterCase, 'section'> => ({
    title: `${JSON.stringify(query)} is 400 for each method, and changes nothing`,
    async run({ service, id }) {
      const own = await service({ multi: true });
      const [record = {}] = await created(own, { n: 1 });
      await refused(own.find({ query }), 400);
      await refused(own.get(record[id], { query }), 400);
      await refused(own.update(record[id], { n: 2 }, { query }), 400);
      await refused(own.create({ n: 2 }, { query }), 400);
      // A limit is no part of a write to several records, and is not looked at.
      if (!('$limit' in query)) {
        await refused(own.patch(null, { n: 2 }, { query }), 400);
        await refused(own.remove(null, { query }), 400);
      }
      await has(own, [record], id);
    },
  })),
  {
    title: '$sort has several keys, and puts what is missing first, numbers before texts',
    async run({ service }) {
      const all = await people(service);
      assert.equal((await found(all, { $sort: { n: 1, name: -1 } })).join(''), 'fdabce');
      assert.equal((await found(all, { $sort: { n: -1, name: 1 } })).join(''), 'ecbadf');
      assert.equal((await found(all, { $sort: { s: '1', name: 1 } })).join(''), 'fdbace');
    },
  },
  {
    title: '$limit and $skip cut what was sorted',
    async run({ service }) {
      const all = await people(service);
      assert.equal((await found(all, { $sort: { name: 1 }, $limit: 2 })).join(''), 'ab');
      assert.equal((await found(all, { $sort: { name: -1 }, $skip: 1, $limit: 2 })).join(''), 'ed');
      assert.equal((await found(all, { $sort: { name: 1 }, $skip: '5' })).join(''), 'f');
      assert.equal((await found(all, { $sort: { name: 1 }, $skip: 77 })).join(''), '');
      assert.equal((await found(all, { $limit: 0 })).join(''), '');
    },
  },
  {
    title: '$select works for every method, and the id comes along',
    async run({ service, id }) {
      const own = await service({ multi: true });
      const query = { $select: ['n'] };
      const made = recordOf(await own.create({ n: 1, s: 'x' }, { query }));
      const key = made[id];
      assert.deepEqual(made, { [id]: key, n: 1 });
      assert.deepEqual(await own.get(key, { query }), { [id]: key, n: 1 });
      assert.deepEqual(await own.find({ query, paginate: false }), [{ [id]: key, n: 1 }]);
      assert.deepEqual(await own.patch(key, { n: 2 }, { query }), { [id]: key, n: 2 });
      assert.deepEqual(await own.update(key, { n: 3, s: 'y' }, { query }), { [id]: key, n: 3 });
      assert.deepEqual(await own.patch(null, { n: 4 }, { query }), [{ [id]: key, n: 4 }]);
      assert.deepEqual(await own.get(key), { [id]: key, n: 4, s: 'y' });
      assert.deepEqual(await own.remove(key, { query }), { [id]: key, n: 4 });
    },
  },
  {
    title: 'the query restricts get, update, patch and remove: what it does not mean is 404 and stays',
    async run({ service, id }) {
      const own = await service({ multi: true });
      const [mine = {}, other = {}] = await created(own, { owner: 1, n: 1 }, { owner: 2, n: 1 });
      const params = { query: { owner: 1 } };
      await refused(own.get(other[id], params), 404);
      await refused(own.update(other[id], { owner: 1, n: 2 }, params), 404);
      await refused(own.patch(other[id], { n: 2 }, params), 404);
      await refused(own.remove(other[id], params), 404);
      await refused(own.get(other[id], { query: { [id]: mine[id] } }), 404);
      await has(own, [mine, other], id);
      assert.deepEqual(await own.get(mine[id], params), mine);
      assert.deepEqual(await own.remove(null, params), [mine]);
      await has(own, [other], id);
    },
  },
  {
    title: 'a query is not changed, and one of text and one of objects mean the same',
    async run({ service }) {
      const all = await people(service);
      const query = Object.freeze({ n: Object.freeze({ $in: Object.freeze([1, 2]) }), $sort: Object.freeze({ name: -1 }), $limit: 1 });
      assert.deepEqual(await found(all, query), ['b']);
      assert.deepEqual(await found(all, { ...query, $limit: '1', $sort: { name: '-1' } }), ['b']);
    },
  },
  {
    title: 'conditions look into lists: any element counts, each end of a range by itself',
    needs: 'lists',
    async run({ service }) {
      const own = await service();
      await created(own, { name: 'a', l: [1, 9] }, { name: 'b', l: [] }, { name: 'c', l: 5 }, { name: 'd', l: ['x', null] }, { name: 'e' });
      const names = async (query: CaseRecord): Promise<string> => (await found(own, { ...query, $sort: { name: 1 } })).join('');
      assert.equal(await names({ l: 9 }), 'a');
      assert.equal(await names({ l: { $gt: 4, $lt: 6 } }), 'ac');
      assert.equal(await names({ l: { $ne: 1 } }), 'bcde');
      assert.equal(await names({ l: null }), 'de');
      assert.equal(await names({ l: { $in: ['x', 5] } }), 'cd');
      assert.equal(await names({ l: [1, 9] }), 'a');
    },
  },
  {
    title: 'dotted paths lead into objects, and through lists of them',
    needs: 'paths',
    async run({ service }) {
      const own = await service();
      await created(
        own,
        { name: 'a', o: { x: { y: 1 } } },
        { name: 'b', o: { x: 5 } },
        { name: 'c', o: [{ x: { y: 2 } }, { x: { y: 3 } }] },
        { name: 'd' },
      );
      const names = async (query: CaseRecord): Promise<string> => (await found(own, { $sort: { name: 1 }, ...query })).join('');
      assert.equal(await names({ 'o.x.y': 1 }), 'a');
      assert.equal(await names({ 'o.x.y': { $gte: 2 } }), 'c');
      assert.equal(await names({ 'o.x.y': null }), 'bd');
      assert.equal(await names({ 'o.x': 5 }), 'b');
      assert.equal(await names({ $sort: { 'o.x.y': -1, name: 1 }, $limit: 2 }), 'ca');
      assert.deepEqual(
        recordsOf(await own.find({ query: { name: 'a', $select: ['o.x.y'] }, paginate: false })).map(({ o }) => o),
        [{ x: { y: 1 } }],
      );
    },
  },
];

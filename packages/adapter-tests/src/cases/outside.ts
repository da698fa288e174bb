import assert from 'node:assert/strict';
import { created, has, recordOf, refused } from '../asserting.ts';
import type { AdapterCase, CaseRecord } from '../types.ts';

const OUTSIDE = { provider: 'rest' };

/** Names in data that would mean something else than a property. */
const HOSTILE: readonly string[] = ['$set', '$where', '$inc', 'constructor', 'prototype', '__proto__', 'a\0b'];

/** What callers from outside may not do, and what depends on the version of a record. */
export const outsideCases: readonly Omit<AdapterCase, 'section'>[] = [
  ...HOSTILE.map((name): Omit<AdapterCase, 'section'> => ({
    title: `${JSON.stringify(name)} in data from outside is 400, at any depth`,
    async run({ service, id }) {
      const own = await service({ multi: true });
      const before = await created(own, { n: 1 });
      const key = before[0]?.[id];
      // As a parser makes it, also of a name that cannot be written in source.
      const plain = recordOf(JSON.parse(`{${JSON.stringify(name)}:{"n":2}}`));
      for (const data of [plain, { inside: plain }, { list: [plain] }]) {
        // At the top the name is one of an operator, or of nothing.
        await refused(own.create(data, OUTSIDE), 400, `create ${JSON.stringify(data)}`);
        await refused(own.update(key, data, OUTSIDE), 400, `update ${JSON.stringify(data)}`);
        await refused(own.patch(key, data, OUTSIDE), 400, `patch ${JSON.stringify(data)}`);
      }
      await has(own, before, id);
      assert.equal(Reflect.get({}, 'n'), undefined);
    },
  })),
  {
    title: 'dotted paths from outside are 400 unless the option paths has them',
    needs: 'paths',
    async run({ service }) {
      const own = await service({ paths: ['a.b'] });
      await created(own, { a: { b: 1, c: 2 } });
      const count = async (query: CaseRecord): Promise<unknown> => {
        const list = await own.find({ query, ...OUTSIDE });
        return Array.isArray(list) ? list.length : list;
      };
      assert.equal(await count({ 'a.b': 1 }), 1);
      await refused(count({ 'a.c': 2 }), 400);
      await refused(count({ $sort: { 'a.c': 1 } }), 400);
      await refused(count({ $or: [{ 'a.c': 2 }] }), 400);
    },
  },
  {
    title: 'hidden properties can not be asked for from outside',
    needs: 'hidden',
    async run({ service }) {
      const own = await service({ hidden: ['secret'] });
      await created(own, { secret: 'a', n: 1 });
      for (const query of [
        { secret: 'a' },
        { secret: { $gt: '' } },
        { $or: [{ secret: 'a' }] },
        { $sort: { secret: 1 } },
        { $select: ['secret'] },
      ])
        await refused(own.find({ query, ...OUTSIDE }), 400, JSON.stringify(query));
      const list = await own.find({ query: { secret: 'a' } });
      assert.ok(Array.isArray(list) && list.length === 1, 'the server may ask');
    },
  },
  {
    title: 'paths in a patch set what is inside and leave the rest',
    needs: 'paths',
    async run({ service, id }) {
      const own = await service();
      const [record = {}] = await created(own, { a: { b: 1, c: 2 }, n: 1 });
      const expected = { [id]: record[id], a: { b: 5, c: 2, d: 6 }, n: 1 };
      assert.deepEqual(await own.patch(record[id], { 'a.b': 5, 'a.d': 6 }), expected);
      await has(own, [expected], id);
    },
  },
  {
    title: 'each write gives another version, and one that asks for an older one is 412 and changes nothing',
    needs: 'versions',
    async run({ service, id, missing }) {
      const own = await service({ version: 'v', multi: true });
      const [first = {}] = await created(own, { n: 1 });
      const key = first[id];
      const asks = (versions: unknown): object => ({ precondition: { versions } });
      const second = recordOf(await own.patch(key, { n: 2 }, asks([first.v])));
      const third = recordOf(await own.update(key, { n: 3 }, asks([second.v])));
      assert.equal(new Set([first.v, second.v, third.v]).size, 3);
      await refused(own.patch(key, { n: 4 }, asks([first.v])), 412);
      await refused(own.update(key, { n: 4 }, asks([second.v])), 412);
      await refused(own.remove(key, asks([second.v])), 412);
      await refused(own.patch(key, { n: 4 }, { precondition: { notVersions: [third.v] } }), 412);
      await refused(own.patch(missing, { n: 4 }, asks('*')), 412);
      await refused(own.patch(null, { n: 4 }, asks('*')), 400);
      await has(own, [third], id);
      const forged = recordOf(await own.patch(key, { v: first.v }, asks('*')));
      assert.notEqual(forged.v, first.v);
      assert.deepEqual(recordOf(await own.remove(key, asks([forged.v])))[id], key);
    },
  },
  {
    title: 'of many writes at once that ask for one version, one is made',
    needs: 'versions',
    async run({ service, id }) {
      const own = await service({ version: 'v' });
      const [record = {}] = await created(own, { n: 0 });
      const params = { precondition: { versions: [record.v] } };
      const outcomes = await Promise.allSettled(Array.from({ length: 10 }, (_, n) => own.patch(record[id], { n }, params)));
      assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1);
    },
  },
];

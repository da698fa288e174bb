import assert from 'node:assert/strict';
import { created, found, has, recordOf, recordsOf, refused } from '../asserting.ts';
import type { AdapterCase } from '../types.ts';

/** The six methods, of one record and of several. */
export const methodCases: readonly Omit<AdapterCase, 'section'>[] = [
  {
    title: 'create gives the record with an id, and get finds it',
    async run({ service, id }) {
      const people = await service();
      const made = recordOf(await people.create({ name: 'Ann', age: 30, at: new Date(5), inside: { list: [1, { two: 2 }] }, none: null }));
      assert.ok(made[id] !== undefined && made[id] !== null, `a record needs '${id}'`);
      assert.deepEqual(made, { [id]: made[id], name: 'Ann', age: 30, at: new Date(5), inside: { list: [1, { two: 2 }] }, none: null });
      assert.deepEqual(await people.get(made[id]), made);
      assert.deepEqual(await people.get(String(made[id])), made, 'ids are found by their texts too, as they come in paths');
    },
  },
  {
    title: 'create does not change what it was given, and makes another id each time',
    async run({ service, id }) {
      const people = await service();
      const data = { name: 'Ann', inside: { list: [1] } };
      const [one, two] = await created(people, data, data);
      assert.deepEqual(data, { name: 'Ann', inside: { list: [1] } });
      assert.notDeepEqual(one?.[id], two?.[id]);
    },
  },
  {
    title: 'update and patch do not change what they were given',
    async run({ service, id }) {
      const people = await service();
      const [record = {}] = await created(people, { n: 1 });
      for (const method of ['update', 'patch'] as const) {
        const data = { n: 2, inside: { list: [1] } };
        await people[method](record[id], data);
        assert.deepEqual(data, { n: 2, inside: { list: [1] } }, method);
      }
    },
  },
  {
    title: 'what callers got or gave is no way to what is stored',
    async run({ service, id }) {
      const people = await service();
      const data = { tags: ['a'], inside: { n: 1 } };
      const made = recordOf(await people.create(data));
      const key = made[id];
      const first = await people.get(key);
      const found = await people.find({ paginate: false });
      for (const each of [data, made, first, ...recordsOf(found)]) {
        const record = recordOf(each);
        recordOf(record.inside).n = 2;
        assert.ok(Array.isArray(record.tags));
        record.tags.push('b');
      }
      assert.deepEqual(await people.get(key), { [id]: key, tags: ['a'], inside: { n: 1 } });
    },
  },
  {
    title: 'create takes an id of its own, and refuses one that is taken with 409',
    async run({ service, id, missing }) {
      const people = await service();
      assert.deepEqual(await people.create({ [id]: missing, n: 1 }), { [id]: missing, n: 1 });
      await refused(people.create({ [id]: missing, n: 2 }), 409);
      await has(people, [{ [id]: missing, n: 1 }], id);
    },
  },
  {
    title: 'create of several keeps the order, and needs multi',
    async run({ service, id }) {
      const people = await service({ multi: true });
      const made = recordsOf(await people.create([{ n: 3 }, { n: 1 }, { n: 2 }]));
      assert.deepEqual(
        made.map(({ n }) => n),
        [3, 1, 2],
      );
      assert.equal(new Set(made.map((record) => String(record[id]))).size, 3);
      assert.deepEqual(await people.create([]), []);
      for (const multi of [false, ['patch', 'remove']]) {
        const other = await service({ multi });
        await refused(other.create([{ n: 1 }]), 405);
        await has(other, [], id);
      }
    },
  },
  {
    title: 'create of several with an id that is taken, or there twice, is 409 and makes none',
    needs: 'batches',
    async run({ service, id, missing }) {
      for (const taken of [true, false]) {
        const people = await service({ multi: true });
        const before = taken ? await created(people, { [id]: missing, n: 0 }) : [];
        const several = [{ n: 1 }, { [id]: missing, n: 2 }, ...(taken ? [] : [{ [id]: missing, n: 3 }])];
        await refused(people.create(several), 409, taken ? 'an id that is taken' : 'an id that is there twice');
        await has(people, before, id);
      }
    },
  },
  {
    title: 'get, update, patch and remove of a record that is not there are 404, and make none',
    async run({ service, id, missing }) {
      const people = await service();
      await refused(people.get(missing), 404);
      await refused(people.update(missing, { n: 1 }), 404);
      await refused(people.patch(missing, { n: 1 }), 404);
      await refused(people.remove(missing), 404);
      await has(people, [], id);
    },
  },
  {
    title: 'update replaces all but the id, and needs one',
    async run({ service, id, missing }) {
      const people = await service({ multi: true });
      const [ann = {}, bob = {}] = await created(people, { name: 'Ann', age: 30 }, { name: 'Bob', age: 40 });
      const key = ann[id];
      assert.deepEqual(await people.update(key, { [id]: missing, name: 'Anna' }), { [id]: key, name: 'Anna' });
      await has(people, [{ [id]: key, name: 'Anna' }, bob], id);
      await refused(people.update(null, { name: 'all' }), 400);
      await refused(people.update(key, [{ name: 'list' }]), 400);
      await has(people, [{ [id]: key, name: 'Anna' }, bob], id);
    },
  },
  {
    title: 'patch changes what it names, and never the id',
    async run({ service, id, missing }) {
      const people = await service();
      const [ann = {}, bob = {}] = await created(people, { name: 'Ann', inside: { a: 1, b: 2 } }, { name: 'Bob' });
      const key = ann[id];
      const expected = { [id]: key, name: 'Ann', inside: { a: 3 }, age: 30 };
      assert.deepEqual(await people.patch(key, { [id]: missing, inside: { a: 3 }, age: 30 }), expected);
      await has(people, [expected, bob], id);
      assert.deepEqual(await people.patch(key, { age: undefined, none: null }), { ...expected, none: null });
    },
  },
  {
    title: 'patch of several changes those that match, and needs multi',
    async run({ service, id }) {
      const people = await service({ multi: true });
      await created(people, { k: 1, name: 'a' }, { k: 2, name: 'b' }, { k: 1, name: 'c' });
      const patched = recordsOf(await people.patch(null, { seen: true }, { query: { k: 1, $sort: { name: -1 } } }));
      assert.deepEqual(
        patched.map(({ name, seen }) => [name, seen]),
        [
          ['c', true],
          ['a', true],
        ],
      );
      assert.deepEqual(await found(people, { seen: true, $sort: { name: 1 } }), ['a', 'c']);
      assert.deepEqual(
        recordsOf(await people.patch(null, { k: 5 }, { query: { k: 1 } })).map(({ k }) => k),
        [5, 5],
        'what is changed away from the condition is given back too',
      );
      assert.deepEqual(await people.patch(null, { k: 6 }, { query: { k: 77 } }), []);
      const other = await service({ multi: ['create', 'remove'] });
      await created(other, { k: 1 });
      await refused(other.patch(null, { k: 2 }), 405);
      assert.deepEqual(await found(other, {}, 'k'), [1]);
      assert.ok(id);
    },
  },
  {
    title: 'remove gives back what was removed, one or all that match, and needs multi for several',
    async run({ service, id }) {
      const people = await service({ multi: true });
      const [ann = {}, bob, cid = {}] = await created(people, { k: 1, name: 'Ann' }, { k: 2 }, { k: 1, name: 'Cid' });
      assert.deepEqual(await people.remove(ann[id]), ann);
      await refused(people.get(ann[id]), 404);
      assert.deepEqual(await people.remove(null, { query: { k: 1 } }), [cid]);
      await has(people, bob ? [bob] : [], id);
      assert.deepEqual(await people.remove(null, { query: { k: 77 } }), []);
      const other = await service({ multi: ['create', 'patch'] });
      await created(other, { k: 1 });
      await refused(other.remove(null), 405);
      assert.deepEqual(await found(other, {}, 'k'), [1]);
    },
  },
  {
    title: 'writes to several are not cut by a page',
    async run({ service, id }) {
      const people = await service({ multi: true, paginate: { default: 1, max: 2 } });
      await created(people, { n: 1 }, { n: 2 }, { n: 3 });
      assert.equal(recordsOf(await people.patch(null, { seen: true })).length, 3);
      assert.equal(recordsOf(await people.remove(null, { query: { seen: true, $limit: 1 } })).length, 3);
      await has(people, [], id);
    },
  },
  {
    title: 'an id that is none is 400 and reaches nothing',
    async run({ service, id }) {
      const people = await service({ multi: true });
      const before = await created(people, { n: 1 }, { n: 2 });
      for (const bad of [{}, [], true, { $ne: null }, '', '__proto__', undefined, Number.NaN, 'x'.repeat(1025)]) {
        const about = `id ${JSON.stringify(bad) ?? String(bad)}`;
        await refused(people.get(bad), 400, about);
        await refused(people.update(bad, { n: 5 }), 400, about);
        await refused(people.patch(bad, { n: 5 }), 400, about);
        await refused(people.remove(bad), 400, about);
      }
      await has(people, before, id);
    },
  },
  {
    title: 'data that is no object is 400',
    async run({ service, id }) {
      const people = await service({ multi: true });
      const [record = {}] = await created(people, { n: 1 });
      for (const bad of ['text', 5, null]) {
        await refused(people.create(bad), 400, `create ${String(bad)}`);
        await refused(people.update(record[id], bad), 400, `update ${String(bad)}`);
        await refused(people.patch(record[id], bad), 400, `patch ${String(bad)}`);
      }
      await refused(people.patch(record[id], [{ n: 2 }]), 400);
      await has(people, [record], id);
    },
  },
  {
    title: 'of many creates at once with one id, one is made',
    async run({ service, id, missing }) {
      const people = await service();
      const calls = Array.from({ length: 10 }, (_, n) => people.create({ [id]: missing, n }));
      const outcomes = await Promise.allSettled(calls);
      assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1);
      assert.equal(recordsOf(await people.find({ paginate: false })).length, 1);
    },
  },
  {
    title: 'of many patches at once that change different properties, none is lost',
    async run({ service, id }) {
      const people = await service();
      const [record = {}] = await created(people, { name: 'Ann' });
      const names = Array.from({ length: 10 }, (_, n) => `n${n}`);
      await Promise.all(names.map((name) => people.patch(record[id], { [name]: true })));
      const all = Object.fromEntries(names.map((name) => [name, true]));
      assert.deepEqual(await people.get(record[id]), { ...record, ...all });
    },
  },
  {
    title: 'of many removes at once of one record, one gives it and the others are 404',
    async run({ service, id }) {
      const people = await service();
      const [record = {}] = await created(people, { name: 'Ann' });
      const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => people.remove(record[id])));
      assert.deepEqual(outcomes.map((outcome) => (outcome.status === 'fulfilled' ? 200 : recordOf(outcome.reason).code)).sort(), [
        200,
        ...Array.from({ length: 9 }, () => 404),
      ]);
    },
  },
  {
    title: 'of many patches at once with a condition that each of them ends, one is made',
    async run({ service, id }) {
      const people = await service();
      const [record = {}] = await created(people, { state: 'open' });
      const calls = Array.from({ length: 10 }, (_, n) =>
        people.patch(record[id], { state: `taken by ${n}` }, { query: { state: 'open' } }),
      );
      const outcomes = await Promise.allSettled(calls);
      assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1, 'the condition has to be part of the write');
    },
  },
];

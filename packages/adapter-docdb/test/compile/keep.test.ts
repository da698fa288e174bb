import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { keeping } from '../../src/compile/keep.ts';
import { startHarness, type ServiceHarness } from '../harness.ts';

let harness: ServiceHarness;
/** The stored record, alone in a collection. */
const filled = async () => {
  const people = harness.database.db.collection<{ _id: number }>('kept');
  await people.deleteMany({});
  await people.insertOne(stored);
  return people;
};
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.database.close());

const stored = {
  _id: 1,
  name: 'Ann',
  password: 'p',
  auth: { hash: 'h', salt: 's', shown: 1, inner: { key: 'k', other: 2 } },
  list: [{ secret: 1 }],
};

it.each<[string, unknown, string[], unknown]>([
  ['nothing where nothing is named', { name: 'Bob' }, [], { name: 'Bob' }],
  ['a property that the value does not have', { name: 'Bob' }, ['password'], { name: 'Bob', password: 'p' }],
  ['not one that it has', { password: 'new' }, ['password'], { password: 'new' }],
  [
    'what is inside of a property that it has',
    { auth: { shown: 2 } },
    ['auth.hash', 'auth.salt'],
    { auth: { shown: 2, hash: 'h', salt: 's' } },
  ],
  ['what is deeper', { auth: { inner: {} } }, ['auth.inner.key', 'auth.hash'], { auth: { inner: { key: 'k' }, hash: 'h' } }],
  ['a whole property where a part of it is named beside it', { name: 'B' }, ['auth', 'auth.hash'], { name: 'B', auth: stored.auth }],
  ['not what is not stored', { name: 'B' }, ['missing', 'auth2.x'], { name: 'B' }],
  ['nothing in what is no object any more', { auth: 5 }, ['auth.hash'], { auth: 5 }],
  ['nothing in a list', { auth: [1] }, ['auth.hash'], { auth: [1] }],
  [
    'values as they are, also such as look like expressions',
    { name: '$password', auth: { shown: { $add: [1, 1] } } },
    ['auth.hash'],
    { name: '$password', auth: { shown: { $add: [1, 1] }, hash: 'h' } },
  ],
])('a record that is replaced keeps %s', async (_, value, kept, expected) => {
  const people = await filled();
  await people.updateOne({ _id: 1 }, [{ $replaceWith: { $mergeObjects: [keeping(value, '', kept), { _id: 1 }] } }]);
  expect(await people.findOne({}, { projection: { _id: 0 } })).toEqual(expected);
});

it.each<[unknown, string[], unknown]>([
  [{ shown: 2 }, ['auth.hash', 'password', 'authority.x'], { shown: 2, hash: 'h' }],
  [{ inner: { other: 3 } }, ['auth.inner.key'], { inner: { other: 3, key: 'k' } }],
  ['x', ['auth.hash'], 'x'],
])('a property that is set to %j keeps what is named of it alone', async (value, kept, expected) => {
  const people = await filled();
  await people.updateOne({ _id: 1 }, [{ $set: { copy: keeping(value, 'auth', kept) } }]);
  expect(await people.findOne({}, { projection: { _id: 0, copy: 1 } })).toEqual({ copy: expected });
});

import { afterAll, afterEach, beforeAll, expect, it, jest } from '@jest/globals';
import type { Document } from 'mongodb';
import { SLICE } from '../../src/commands/operation.ts';
import { start, untilRunning, type Harness } from '../harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await start();
  const items = harness.db.collection('items');
  await items.createIndexes([
    { key: { name: 1 }, unique: true },
    { key: { group: 1 }, name: 'group' },
  ]);
  await items.insertMany(Array.from({ length: 2000 }, (_, n) => ({ name: `other ${n}`, group: 1 })));
});
afterEach(() => {
  jest.restoreAllMocks();
});
afterAll(() => harness.stop());

/** Carries out a command whose search takes many turns, and something else once it searches. */
async function whileSearching(command: Document, meanwhile: () => Promise<unknown>): Promise<Document> {
  let now = performance.now();
  // Moved on by looks at it, and not with the machine.
  jest.spyOn(performance, 'now').mockImplementation(() => (now += SLICE / 8));
  const name = String(Object.keys(command)[0]);
  const answer = harness.db.command(command);
  await untilRunning(harness.client, { [`command.${name}`]: 'items' });
  await meanwhile();
  return answer;
}

it.each<[string, string, (query: Document) => Document, Document]>([
  [
    'an update',
    'a',
    (q) => ({ update: 'items', updates: [{ q, u: { $inc: { n: 1 } }, upsert: true, hint: 'group' }] }),
    { n: 1, nModified: 1 },
  ],
  [
    'a findAndModify',
    'b',
    (query) => ({ findAndModify: 'items', query, update: { $inc: { n: 1 } }, upsert: true, new: true, hint: 'group' }),
    { lastErrorObject: { n: 1, updatedExisting: true }, value: { name: 'b', n: 1 } },
  ],
])('%s that upserts finds what somebody else has written since it has searched', async (_what, name, command, answer) => {
  const items = harness.db.collection('items');
  const made = whileSearching(command({ name }), () => items.insertOne({ name, group: 1 }));
  await expect(made).resolves.toMatchObject(answer);
  expect(await items.find({ name }).toArray()).toEqual([expect.objectContaining({ n: 1 })]);
});

it('an upsert is refused for what has its key and is not what it looks for', async () => {
  const items = harness.db.collection('items');
  const command = { update: 'items', updates: [{ q: { name: 'c', group: 1 }, u: { $inc: { n: 1 } }, upsert: true, hint: 'group' }] };
  const made = whileSearching(command, () => items.insertOne({ name: 'c', group: 2 }));
  await expect(made).resolves.toMatchObject({ n: 0, writeErrors: [{ code: 11000, keyValue: { name: 'c' } }] });
  expect(await items.countDocuments({ name: 'c' })).toBe(1);
});

import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { Random, Variety } from '@framework-internal/random';
import type { Collection, Document } from 'mongodb';
import { start, type Harness } from '../harness.ts';

const SEED = Number(process.env.KEYS_SEED ?? 20261129);
let harness: Harness;
let items: Collection;
beforeAll(async () => {
  harness = await start();
});
afterAll(() => harness.stop());
beforeEach(async () => {
  await harness.db.dropDatabase();
  items = harness.db.collection('items');
});

/** Makes an index unique that documents with one key keep from that. */
async function refusal(): Promise<{ readonly message: string; readonly violations: { readonly ids: unknown[] }[] } | undefined> {
  await items.createIndex({ a: 1 });
  await harness.db.command({ collMod: 'items', index: { name: 'a_1', prepareUnique: true } });
  try {
    await harness.db.command({ collMod: 'items', index: { name: 'a_1', unique: true } });
    return undefined;
  } catch (error) {
    const { code, message, errorResponse } = error as { code: number; message: string; errorResponse: Document };
    expect(code).toBe(359);
    return { message, violations: errorResponse.violations as { ids: unknown[] }[] };
  }
}

it('an index that can not become unique names the documents that share a key, in the order of the index', async () => {
  await items.insertMany([
    { _id: 1 as never, a: 'z' },
    { _id: 2 as never, a: 'b' },
    { _id: 3 as never, a: ['b', 'y'] },
    { _id: 4 as never },
    { _id: 5 as never, a: 'z' },
    { _id: 6 as never, a: null },
    { _id: 7 as never, a: 'only' },
  ]);
  expect((await refusal())?.violations).toEqual([{ ids: [4, 6] }, { ids: [2, 3] }, { ids: [1, 5] }]);
});

it('texts that differ behind what the index has of them are no conflict', async () => {
  const long = 'x'.repeat(2000);
  await items.insertMany([`${long}1`, `${long}2`, `${long}3`, `${long}2`].map((a, _id) => ({ _id: _id as never, a })));
  expect((await refusal())?.violations).toEqual([{ ids: [1, 3] }]);
});

it('documents that are too many to be named are told to be', async () => {
  const name = 'x'.repeat(1_000_000);
  for (let at = 0; at < 12; at++) await items.insertOne({ _id: `${String(at)}${name}` as never, a: 1 });
  const { message, violations } = (await refusal()) ?? { message: '', violations: [] };
  expect(message).toContain('Too many conflicting documents were detected');
  expect(violations).toHaveLength(1);
  expect(violations[0]?.ids.length).toBeLessThan(12);
});

it('the documents that are named are those that share keys, whatever they hold', async () => {
  const random = new Random(SEED);
  const variety = new Variety();
  const long = 'y'.repeat(950);
  const value = (): unknown =>
    random.pick<() => unknown>([
      () => random.below(30),
      () => `${long}${String(random.below(20))}`,
      () => null,
      () => String(random.below(30)),
    ])();
  for (let round = 0; round < 20; round++) {
    await items.drop();
    const docs = Array.from({ length: 1 + random.below(12) }, (_none, _id) => ({
      _id,
      a: random.oneIn(4) ? [value(), value()] : value(),
    }));
    await items.insertMany(docs as never);
    const holders = new Map<unknown, number[]>();
    for (const { _id, a } of docs)
      for (const key of new Set(Array.isArray(a) ? (a as unknown[]) : [a])) holders.set(key, [...(holders.get(key) ?? []), _id]);
    const expected = [...holders.values()].filter((ids) => ids.length > 1).map((ids) => ids.join());
    const found = await refusal();
    expect((found?.violations ?? []).map(({ ids }) => ids.join()).sort()).toEqual(expected.sort());
    variety.tried(JSON.stringify(docs));
    variety.took(found ? 'refused' : 'made');
  }
  console.log(variety.report('KEYS_SEED', SEED));
  variety.expect(15, { refused: 5, made: 2 });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { serialize, type Document } from 'bson';
import { start, type Harness } from '../harness.ts';
import { WireClient } from '../wire-client.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await start();
  await harness.db.collection('many').insertMany(Array.from({ length: 20_000 }, (_none, n) => ({ n })));
});
afterAll(() => harness.stop());

/** Takes minutes, also on a fast machine. */
const SLOW = { $expr: { $gt: [{ $sum: { $range: [0, { $add: ['$n', 10_000] }] } }, 1e12] } };

const command = (document: Document): Uint8Array[] => [Buffer.of(0), serialize({ ...document, $db: 'test' })];
const running = async (): Promise<number> => {
  const { inprog } = await harness.client.db('admin').command({ currentOp: 1, ns: 'test.many' });
  return (inprog as unknown[]).length;
};
/** Looks until so many commands run, at most for some seconds. */
async function becomes(count: number): Promise<number> {
  for (let tries = 0; tries < 500 && (await running()) !== count; tries++) await new Promise((resolve) => setTimeout(resolve, 10));
  return running();
}

describe('a client that goes', () => {
  it.each<[string, Document]>([
    ['a search', { find: 'many', filter: SLOW }],
    ['an aggregation', { aggregate: 'many', pipeline: [{ $match: SLOW }], cursor: {} }],
    ['a count', { count: 'many', query: SLOW }],
    ['an update', { update: 'many', updates: [{ q: SLOW, u: { $set: { a: 1 } }, multi: true }] }],
  ])(
    'ends %s that it waits for',
    async (_name, asked) => {
      const wire = await WireClient.connect(harness.server);
      wire.send(command(asked), 0);
      expect(await becomes(1)).toBe(1);
      wire.close();
      expect(await becomes(0)).toBe(0);
    },
    60_000,
  );

  it('has all written that it sent and did not want to hear of', async () => {
    const wire = await WireClient.connect(harness.server);
    const MORE_TO_COME = 2;
    for (let n = 0; n < 40; n++)
      wire.send(command({ insert: 'unheard', documents: [{ _id: n, text: 'x'.repeat(10_000) }], writeConcern: { w: 0 } }), MORE_TO_COME);
    await wire.end();
    const unheard = harness.db.collection('unheard');
    for (let tries = 0; tries < 500 && (await unheard.countDocuments()) < 40; tries++)
      await new Promise((resolve) => setTimeout(resolve, 10));
    expect(await unheard.countDocuments()).toBe(40);
  }, 60_000);
});

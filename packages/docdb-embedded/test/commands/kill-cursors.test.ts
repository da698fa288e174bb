import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Document } from 'mongodb';
import { start, type Harness } from '../harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await start();
});
afterAll(() => harness.stop());

const waits = async (): Promise<boolean> => {
  const { inprog } = await harness.client.db('admin').command({ currentOp: 1 });
  return (inprog as Document[]).some(({ op }) => op === 'getmore');
};

it('a cursor that is killed while it waits for changes is answered then, and not when its time is over', async () => {
  const { db } = harness;
  const { cursor } = await db.command({ aggregate: 'items', pipeline: [{ $changeStream: {} }], cursor: {} }, { promoteLongs: false });
  const id = (cursor as Document).id as unknown;
  const more = db.command({ getMore: id, collection: 'items', maxTimeMS: 3_600_000 }).catch((error: unknown) => error);
  while (!(await waits()));
  const { cursorsKilled } = await db.command({ killCursors: 'items', cursors: [id] }, { promoteLongs: false });
  expect(cursorsKilled).toEqual([id]);
  expect(await more).toMatchObject({ code: 237, codeName: 'CursorKilled' });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Binary, type Document, UUID } from 'bson';
import { Engine } from '../../src/storage/engine.ts';
import { Store } from '../../src/storage/store.ts';
import { Sessions } from '../../src/transactions/sessions.ts';
import { start, type Harness } from '../harness.ts';
import { answeredDuring } from '../turns.ts';
import { WireClient } from '../wire-client.ts';

let harness: Harness;
let wire: WireClient;
beforeAll(async () => {
  harness = await start();
  wire = await WireClient.connect(harness.server);
});
afterAll(async () => {
  wire.close();
  await harness.stop();
});
beforeEach(async () => {
  await wire.ask('admin', { killAllSessions: [] });
});

const kept = async (): Promise<unknown> => {
  const { cursor } = await wire.ask('test', { aggregate: 1, pipeline: [{ $listLocalSessions: {} }], cursor: {} });
  return cursor.firstBatch;
};

describe('a session that means nothing', () => {
  it.each<[string, Document, number]>([
    ['its id is a text', { id: 'mine' }, 14],
    ['it has a field of its own', { id: new UUID(), note: 'mine' }, 40415],
    ['its user is no digest', { id: new UUID(), uid: new Binary(Buffer.alloc(33)) }, 12],
  ])('is refused, and not kept: %s', async (_what, lsid, code) => {
    expect(await wire.ask('test', { ping: 1, lsid })).toMatchObject({ ok: 0, code });
    expect(await kept()).toEqual([]);
  });

  it('is not kept where sessions are refreshed', async () => {
    const sessions = [{ id: new UUID(), uid: new Binary(Buffer.alloc(33)) }];
    expect(await wire.ask('test', { refreshSessions: sessions })).toMatchObject({ ok: 0, code: 12, codeName: 'UnsupportedFormat' });
    expect(await kept()).toEqual([]);
  });
});

it('keeps a session with the digest of its user', async () => {
  const lsid = { id: new UUID(), uid: new Binary(Buffer.alloc(32, 7)) };
  expect(await wire.ask('test', { ping: 1, lsid })).toMatchObject({ ok: 1 });
  expect(await kept()).toMatchObject([{ _id: { uid: lsid.uid } }]);
});

it('keeps a number of sessions, and has room again when one ends', async () => {
  const store = new Store(new Engine({ path: undefined, sync: 'never', maxSize: undefined }));
  const sessions = new Sessions(store, 2);
  const ids = [1, 2, 3].map(() => ({ id: new UUID().toBinary() }));
  const [first = {}, second = {}, third = {}] = ids;
  sessions.use(first);
  sessions.use(second);
  expect(() => sessions.use(third)).toThrow(expect.objectContaining({ code: 261, codeName: 'TooManyLogicalSessions' }) as unknown as Error);
  expect(sessions.use(second).lsid).toBe(second);
  sessions.end(first);
  expect(sessions.use(third).lsid).toBe(third);
  await store.close();
});

it.each(['refreshSessions', 'endSessions'])('gives others their turn in a long %s', async (name) => {
  const ids = Array.from({ length: 4000 }, () => ({ id: new UUID() }));
  if (name === 'endSessions') await wire.ask('admin', { refreshSessions: ids });
  const { result, answered } = await answeredDuring(harness.db, () => wire.ask('admin', { [name]: ids }));
  expect(result).toMatchObject({ ok: 1 });
  expect(answered).toBeGreaterThan(100);
});

import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { UUID } from 'bson';
import { encode } from '../../src/bson/encode.ts';
import { DocDbServer } from '../../src/index.ts';
import { Engine } from '../../src/storage/engine.ts';
import { Store } from '../../src/storage/store.ts';
import { type Session, SESSION_LIFETIME, Sessions } from '../../src/transactions/sessions.ts';

let store: Store;
beforeEach(async () => {
  store = new Store(new Engine({ path: undefined, sync: 'never', maxSize: undefined }));
  await store.recover();
});
afterEach(async () => {
  await store.close();
});

const write = async (session: Session): Promise<void> => {
  session.number = 1n;
  await store.write((writer) => {
    writer.keepReply(session.key, { number: 1n, next: 1, answer: { n: 1 }, done: true, committed: false });
  });
};
const later = (): number => Date.now() + SESSION_LIFETIME + 1000;

it('leave nothing of what their writes were answered half an hour later', async () => {
  const sessions = new Sessions(store);
  const lsid = { id: new UUID() };
  const { key } = sessions.use(lsid);
  await write(sessions.use(lsid));
  sessions.end(lsid);
  await sessions.sweep();
  expect(sessions.retryRecord(key)).toMatchObject({ number: 1n, done: true });
  await sessions.sweep(later());
  expect(sessions.retryRecord(key)).toBeUndefined();
});

it('keep what they were answered when they are used again', async () => {
  const sessions = new Sessions(store);
  const lsid = { id: new UUID() };
  await write(sessions.use(lsid));
  sessions.endAll();
  const again = sessions.use(lsid);
  again.lastUse = later();
  await sessions.sweep(later());
  expect(sessions.retryRecord(again.key)).toMatchObject({ number: 1n });
});

it('aborts a transaction that is open for more than a minute, and keeps its session', async () => {
  const sessions = new Sessions(store);
  const lsid = { id: new UUID() };
  const session = sessions.use(lsid);
  const transaction = sessions.transaction(session, 1n, true, false, false);
  const begun = transaction?.started ?? 0;
  await sessions.sweep(begun + 60_000);
  expect(transaction?.state).toBe('open');
  await sessions.sweep(begun + 60_001);
  expect(transaction?.state).toBe('aborted');
  expect(sessions.use(lsid)).toBe(session);
});

it('leave nothing of before a start, either', async () => {
  const lsid = { id: new UUID() };
  const { key } = new Sessions(store).use(lsid);
  await write(new Sessions(store).use(lsid));
  const sessions = new Sessions(store);
  await sessions.forgetOld();
  expect(sessions.retryRecord(key)).toBeDefined();
  await sessions.sweep(later());
  expect(sessions.retryRecord(key)).toBeUndefined();
});

it('leave something of no more than are kept at once', async () => {
  const sessions = new Sessions(store, 2);
  const ids = [1, 2, 3, 4].map(() => ({ id: new UUID() }));
  const keys: Buffer[] = [];
  for (const lsid of ids) {
    const session = sessions.use(lsid);
    keys.push(session.key);
    await write(session);
    sessions.end(lsid);
  }
  await sessions.sweep();
  expect(keys.map((key) => sessions.retryRecord(key) !== undefined)).toEqual([false, false, true, true]);
});

it('are so many and were answered so much that one write could not take it away: the folder opens', async () => {
  const path = mkdtempSync(join(tmpdir(), 'docdb-'));
  const engine = new Engine({ path, sync: 'never', maxSize: undefined });
  const record = { number: 1n, next: 1, answer: { value: 'x'.repeat(30_000) }, done: true, committed: false, at: new Date(0) };
  const bytes = encode(record);
  for (let written = 0; written < 5000; written += 500)
    await engine.write(() => {
      for (let at = 0; at < 500; at++) void engine.retries.put(randomBytes(32), bytes);
    });
  await engine.close();
  await (await DocDbServer.start({ path })).stop();
  const again = new Engine({ path, sync: 'never', maxSize: undefined });
  expect([...again.retries.getKeys()]).toEqual([]);
  await again.close();
  rmSync(path, { recursive: true });
}, 60_000);

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { type Document, Long, UUID } from 'bson';
import { DocDbServer } from '../../src/index.ts';
import { Engine } from '../../src/storage/engine.ts';
import { WireClient } from '../wire-client.ts';

const COUNT = 4000;
let path: string;
beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'docdb-'));
});
afterEach(() => {
  rmSync(path, { recursive: true });
});

const ids = Array.from({ length: COUNT }, (_none, n) => `item ${String(n)}`);
const upserts = ids.map((_id) => ({ q: { _id }, u: { $inc: { n: 1 } }, upsert: true }));
const operations = ids.map((_id) => ({ update: 0, filter: { _id }, updateMods: { $inc: { n: 1 } }, upsert: true }));

const withClient = async <T>(work: (wire: WireClient, other: WireClient) => Promise<T>): Promise<T> => {
  const server = await DocDbServer.start({ path });
  const [wire, other] = [await WireClient.connect(server), await WireClient.connect(server)];
  try {
    return await work(wire, other);
  } finally {
    wire.close();
    other.close();
    await server.stop();
  }
};

const count = async (wire: WireClient): Promise<number> => Number((await wire.ask('test', { count: 'items' })).n);

/** Ends the command when some of it has been done. */
const endInTheMidst = async (other: WireClient, name: string): Promise<void> => {
  for (;;) {
    const done = await count(other);
    if (done >= COUNT / 4) break;
  }
  const { inprog } = (await other.ask('admin', { currentOp: 1 })) as { inprog: Document[] };
  const running = inprog.find(({ command }) => (command as Document | undefined)?.[name] !== undefined);
  expect(await other.ask('admin', { killOp: 1, op: running?.opid as unknown })).toMatchObject({ ok: 1 });
};

it.each<[string, string, Document]>([
  ['update', 'test', { update: 'items', updates: upserts }],
  ['bulkWrite', 'admin', { bulkWrite: 1, ops: operations, nsInfo: [{ ns: 'test.items' }] }],
])(
  'keeps the answer of a long %s in parts, and goes on with it when it is sent again',
  async (name, database, written) => {
    const command = { ...written, lsid: { id: new UUID() }, txnNumber: Long.fromNumber(1) };
    const done = await withClient(async (wire, other) => {
      const [answer] = await Promise.all([wire.ask(database, command), endInTheMidst(other, name)]);
      expect(answer).toMatchObject({ ok: 0, code: 11601 });
      return count(other);
    });
    expect(done).toBeLessThan(COUNT);
    const engine = new Engine({ path, sync: 'always', maxSize: undefined });
    const sizes = [...engine.retries.getRange({})].map(({ value }) => value.length);
    await engine.close();
    expect(sizes.length).toBeGreaterThan(5);
    // The whole of it is as large as all of them together.
    expect(Math.max(...sizes)).toBeLessThan(sizes.reduce((total, size) => total + size, 0) / 2);
    await withClient(async (wire) => {
      const answer = await wire.ask(database, command);
      const again = await wire.ask(database, command);
      const retried = (answer.retriedStmtIds as unknown[]).length;
      expect(retried).toBe(done);
      if (name === 'update') {
        expect(answer).toMatchObject({ ok: 1, n: COUNT });
        expect((answer.upserted as Document[]).map(({ index, _id }) => [index, _id] as const)).toEqual(ids.map((id, at) => [at, id]));
        expect((again.upserted as Document[]).length).toBe(COUNT);
      } else for (const { nUpserted, nErrors } of [answer, again]) expect({ nUpserted, nErrors }).toEqual({ nUpserted: COUNT, nErrors: 0 });
      const { n } = await wire.ask('test', { count: 'items', query: { n: 1 } });
      expect(n).toBe(COUNT);
    });
  },
  120_000,
);

import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Timestamp } from 'bson';
import { ChangeLog } from '../../src/storage/change-log.ts';
import { Engine } from '../../src/storage/engine.ts';

const MOST = 20_000;
const DAY = 24 * 3_600_000;
let engine: Engine;
let log: ChangeLog;
let seq = 0;
let bytes = 0;
let start = 0;
beforeEach(() => {
  engine = new Engine({ path: undefined, sync: 'never', maxSize: undefined });
  log = new ChangeLog(engine, MOST);
  [seq, bytes, start] = [0, 0, 0];
});
afterEach(() => engine.close());

const add = (changes: number, now?: number): Promise<void> =>
  engine.write(() => {
    for (let at = 0; at < changes; at++) {
      seq += 1;
      bytes += log.append({ kind: 'insert', ns: 't.items', id: seq }, seq, new Timestamp({ t: 1, i: seq }));
    }
    ({ bytes, start } = log.trim(bytes, start, now));
  });
const kept = (): number[] => [...log.after(0)].map((entry) => entry.seq);

describe('the log of changes', () => {
  it.each([1, 50, 1500])('gives up as many as come, where a write adds %i', async (changes) => {
    for (let write = 0; write < Math.max(2, 1000 / changes); write++) await add(changes);
    const left = kept();
    expect(bytes).toBeLessThanOrEqual(MOST);
    expect(left.length).toBeGreaterThan(50);
    expect(left.at(-1)).toBe(seq);
    expect(left[0]).toBe(start + 1);
  });

  it('gives up some megabytes with a write, and goes on with the next ones', async () => {
    const after = Buffer.alloc(1024 * 1024);
    await engine.write(() => {
      for (; seq < 60; seq++)
        bytes += log.append({ kind: 'insert', ns: 't.items', id: seq, after }, seq + 1, new Timestamp({ t: 1, i: seq }));
    });
    const left: number[] = [];
    do {
      await add(0);
      left.push(kept().length);
    } while (bytes > MOST);
    expect(left).toEqual([40, 20, 0]);
    expect([bytes, start]).toEqual([0, 60]);
  });

  it('gives up what is old, whatever a write adds', async () => {
    await add(60);
    expect(kept()).toHaveLength(60);
    await add(1, Date.now() + 2 * DAY);
    expect(kept()).toEqual([]);
    expect([bytes, start]).toEqual([0, seq]);
  });

  it('takes no more than a part of the largest size, but for what is new', async () => {
    await engine.close();
    engine = new Engine({ path: undefined, sync: 'never', maxSize: 40_000 });
    log = new ChangeLog(engine);
    const before = Date.now();
    await engine.write(() => {
      for (; seq < 150; seq++) bytes += log.append({ kind: 'insert', ns: 't.items', id: seq }, seq + 1, new Timestamp({ t: 1, i: seq }));
    }, true);
    const trimmed = (now: number): Promise<void> =>
      engine.write(() => {
        ({ bytes, start } = log.trim(bytes, start, now));
      }, true);
    await trimmed(before + 59_000);
    expect(kept()).toHaveLength(150);
    expect(bytes).toBeGreaterThan(10_000);
    await trimmed(Date.now() + 61_000);
    expect(bytes).toBeLessThanOrEqual(10_000);
    expect(kept().length).toBeGreaterThan(20);
    expect(kept()[0]).toBe(start + 1);
  });

  it('finds the place of a time without reading all that is before or behind it', async () => {
    log = new ChangeLog(engine);
    // As in a folder, where documents have numbers too, and the changes of a transaction one time.
    await engine.write(() => {
      for (let at = 0; at < 3000; at++)
        log.append({ kind: 'insert', ns: 't.items' }, 1e15 + 3 * at, new Timestamp({ t: 100 + (at >> 2), i: 1 }));
    });
    const [from, to] = [1e15 - 1, 1e15 + 9001];
    const reads = jest.spyOn(engine.log, 'getRange');
    const places = [1, 100, 101, 500, 849, 850, 2000].map((t) => log.lastBefore(new Timestamp({ t, i: 1 }), from, to) - 1e15);
    expect(places).toEqual([-1, -1, 9, 4797, 8985, 8997, 8997]);
    expect(reads.mock.calls.length).toBeLessThan(7 * 20);
    for (const [options] of reads.mock.calls) expect(options?.limit).toBe(1);
    reads.mockRestore();
    expect(log.lastBefore(new Timestamp({ t: 5, i: 1 }), 7, 7)).toBe(7);
  });
});

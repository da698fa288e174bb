import { Random } from '@framework-internal/random';
import { describe, expect, it, jest } from '@jest/globals';
import { Ring } from '../../src/delivery/ring.ts';
import type { EventEntry } from '../../src/log/event-entry.ts';

const entry = (text: string, ...channels: string[]): EventEntry => ({
  path: 'notes',
  event: 'created',
  text,
  targets: channels.map((channel) => ({ channel })),
  at: 0,
});
const LIMITS = { entries: 10, milliseconds: 60_000, bytes: 1000 };

describe('the window', () => {
  it('gives what stands behind a place, of some channels, in order and once, as a list that is searched from one end does', () => {
    const seed = 5;
    const random = new Random(seed);
    const ring = new Ring({ ...LIMITS, entries: 200, bytes: 100_000 }, [0]);
    const all: { number: number; channels: string[] }[] = [];
    const names = ['a', 'b', 'c', 'd'];
    let found = 0;
    for (let number = 1; number <= 1000; number++) {
      const channels = names.filter(() => random.below(3) === 0);
      ring.push(entry('x', ...channels), [number]);
      all.push({ number, channels });
      const from = ring.oldest - 1 + random.below(ring.head - ring.oldest + 2);
      const wanted = names.filter(() => random.below(2) === 0);
      const expected = all.filter((one) => one.number > from && one.channels.some((name) => wanted.includes(name)));
      expect(ring.after(from, wanted).map((slot) => slot.number)).toEqual(expected.map((one) => one.number));
      found += expected.length;
      expect(ring.numberAt([from])).toBe(from);
    }
    expect(found).toBeGreaterThan(10_000);
    expect(ring.oldest).toBe(801);
  });

  it('does not know places in front of it, and places that were never told', () => {
    const ring = new Ring(LIMITS, [7]);
    expect(ring.numberAt([7])).toBe(0);
    expect(ring.numberAt([6])).toBeUndefined();
    for (let order = 8; order <= 20; order++) ring.push(entry('x', 'a'), [order]);
    expect(ring.numberAt([9])).toBeUndefined();
    expect(ring.numberAt([10])).toBe(3);
    expect(ring.numberAt([20])).toBe(13);
    expect(ring.numberAt([21])).toBeUndefined();
  });

  it('keeps entries for as long as it may, whatever becomes of the clock', () => {
    const clock = jest.spyOn(Date, 'now');
    const watch = jest.spyOn(performance, 'now').mockReturnValue(1000);
    try {
      const ring = new Ring(LIMITS, [0]);
      ring.push(entry('x', 'a'), [1]);
      const day = 86_400_000;
      for (const jump of [day, -day]) {
        clock.mockReturnValue(Date.parse('2027-01-01') + jump);
        expect(ring.numberAt([0])).toBe(0);
      }
      watch.mockReturnValue(1001 + LIMITS.milliseconds);
      expect(ring.numberAt([0])).toBeUndefined();
      expect(ring.numberAt([1])).toBe(1);
    } finally {
      clock.mockRestore();
      watch.mockRestore();
    }
  });

  it('keeps no more bytes than it may', () => {
    const ring = new Ring(LIMITS, [0]);
    for (let order = 1; order <= 5; order++) ring.push(entry('x'.repeat(400), 'a'), [order]);
    expect(ring.oldest).toBe(4);
    ring.push(entry('x'.repeat(2000), 'a'), [6]);
    expect(ring.oldest).toBe(7);
    expect(ring.numberAt([5])).toBeUndefined();
    expect(ring.after(0, ['a'])).toEqual([]);
  });

  it('counts the channels of an entry, which take more than its payload where they are many', () => {
    const ring = new Ring({ ...LIMITS, entries: 1000, bytes: 100_000 }, [0]);
    const channels = Array.from({ length: 101 }, (_, number) => `users/${number}`);
    for (let order = 1; order <= 20; order++) ring.push(entry('x', ...channels), [order]);
    expect(ring.head - ring.oldest + 1).toBe(9);
    expect(ring.after(0, ['users/100'])).toHaveLength(9);
  });
});

import { Random } from '@framework-internal/random';
import { describe, expect, it } from '@jest/globals';
import { channelMark, MAX_MARKS, offsetText, parseOffset } from '../../src/delivery/offset.ts';
import { compareOrder, orderText, parseOrder } from '../../src/log/position.ts';

describe('an order', () => {
  it('is compared part by part, and survives being text', () => {
    const seed = 11;
    const random = new Random(seed);
    const make = (): number[] => Array.from({ length: 1 + random.below(3) }, () => random.below(2 ** 30));
    const seen = new Set<string>();
    for (let round = 0; round < 500; round++) {
      const [a, b] = [make(), make()];
      seen.add(orderText(a));
      expect(parseOrder(orderText(a))).toEqual(a);
      expect(Math.sign(compareOrder(a, b))).toBe(-Math.sign(compareOrder(b, a)) + 0);
      expect(compareOrder(a, [...a, 1])).toBe(a.length < 4 ? -1 : 0);
    }
    expect(seen.size).toBeGreaterThan(490);
  });

  it.each(['', '.', 'a.', '.a', 'a..b', 'A', 'a b', '1.2.3.4', 'z'.repeat(12), 'zzzzzzzzzzz.-1'])('is not %j', (text) => {
    expect(parseOrder(text)).toBeUndefined();
  });
});

describe('an offset', () => {
  it('survives being text, with what was got ahead of it', () => {
    const marks = ['a', 'b', 'c'].map((name) => channelMark('epoch', name));
    const ahead = new Map([
      [marks[0] ?? '', [9]],
      [marks[1] ?? '', [12, 3]],
      [marks[2] ?? '', [9]],
    ]);
    for (const offset of [
      { epoch: 'e1', order: [5], loggedIn: false, ahead: new Map() },
      { epoch: 'e1', order: [5, 6, 7], loggedIn: true, ahead: new Map() },
      { epoch: 'e1', order: [5], loggedIn: true, ahead },
    ]) {
      expect(parseOffset(offsetText(offset))).toEqual(offset);
    }
  });

  it('does not grow with the number of channels, and does not say their names', () => {
    const many = new Map(Array.from({ length: MAX_MARKS + 1 }, (_, index) => [channelMark('e', String(index)), [1]]));
    expect(offsetText({ epoch: 'e', order: [1], loggedIn: false, ahead: many })).toBe('e.1');
    expect(channelMark('e', 'salaries')).not.toContain('salaries');
    expect(channelMark('e', 'salaries')).not.toBe(channelMark('f', 'salaries'));
  });

  it.each([undefined, null, 5, {}, '', 'e', 'e.', '.1', 'e.1~', 'e.1~2', 'e.1~2~short', 'E.1', 'e.1 ', 'e.1++', 'x'.repeat(10_000)])(
    'is not %j',
    (text) => {
      expect(parseOffset(text)).toBeUndefined();
    },
  );

  it.each(['e.1~.~aaaaaaaa', 'e.1~1.2.3.4~aaaaaaaa', 'e.1~zzzzzzzzzzz~aaaaaaaa', 'e.1~2~aaaaaaaa~~aaaaaaaa'])(
    'has no place that there can not be: not %j',
    (text) => {
      expect(parseOffset(text)).toBeUndefined();
    },
  );

  it('is no longer than one with all the marks that are told', () => {
    const group = (count: number): string => `e.1~${'z'.repeat(10)}.${'z'.repeat(10)}.${'z'.repeat(10)}~${'m'.repeat(8 * count)}`;
    const longest = offsetText({
      epoch: 'e'.repeat(24),
      order: [2 ** 52, 2 ** 52, 2 ** 52],
      loggedIn: true,
      ahead: new Map(
        Array.from({ length: MAX_MARKS }, (_, index) => [channelMark('e', String(index)), [2 ** 52, 2 ** 52, 2 ** 52 - index]]),
      ),
    });
    expect(parseOffset(longest)?.ahead?.size).toBe(MAX_MARKS);
    expect(parseOffset(group(MAX_MARKS))?.order).toEqual([1]);
    expect(parseOffset(group(MAX_MARKS * 10))).toBeUndefined();
  });
});

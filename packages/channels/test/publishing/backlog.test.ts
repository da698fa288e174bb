import { describe, expect, it } from '@jest/globals';
import { Backlog, sizeOf } from '../../src/publishing/backlog.ts';

describe('what waits for publishers', () => {
  it('is bounded, but for one event, and counts until it waits no longer', () => {
    const backlog = new Backlog(2000);
    const first = backlog.add(5000, 'notes created');
    const sentence =
      "The publishers in front of 'notes created' do not answer as fast as events come: more than 2000 bytes of them wait ('window.bytes' of channels()), and nobody gets this one";
    expect(() => backlog.add(1, 'notes created')).toThrow(new Error(sentence));
    first();
    const two = [backlog.add(500, 'a'), backlog.add(500, 'b')];
    expect(() => backlog.add(0, 'notes created')).toThrow(sentence);
    two[0]?.();
    expect(() => backlog.add(500, 'c')).not.toThrow();
  });

  it.each([
    ['abc', 3],
    [undefined, 8],
    [null, 8],
    [5, 8],
    [{ a: 'abc', b: ['x', 1] }, 12],
    [{ bytes: new Uint8Array(100) }, 100],
    [() => 'x', 8],
  ])('has a size, about: %j', (value, size) => {
    expect(sizeOf(value)).toBe(size);
  });
});

import { describe, expect, it } from '@jest/globals';
import { Reaching } from '../../src/delivery/reaching.ts';

const DAY = 86_400_000;

describe('who waits for a place in the log', () => {
  it('goes on once it is reached, or one behind it, and no other does', async () => {
    const reaching = new Reaching();
    const gone: string[] = [];
    const wait = (name: string, ...order: number[]): Promise<unknown> | undefined => reaching.wait(order, DAY)?.then(() => gone.push(name));
    const [first, second] = [wait('at 2', 2), wait('at 2.1', 2, 1), wait('at 9', 9)];
    reaching.reached([1, 9]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(gone).toEqual([]);
    reaching.reached([2]);
    await first;
    expect(gone).toEqual(['at 2']);
    reaching.reached([3]);
    await second;
    expect(gone).toEqual(['at 2', 'at 2.1']);
  });

  it('goes on in time without it', async () => {
    await expect(new Reaching().wait([2], 1)).resolves.toBeUndefined();
  });

  it('is not one of more than a thousand, who say what they like, until one of them has gone on', async () => {
    const reaching = new Reaching();
    const waits = Array.from({ length: 1000 }, (_, index) => reaching.wait([index], DAY));
    expect(waits).not.toContain(undefined);
    expect(reaching.wait([1], DAY)).toBeUndefined();
    reaching.reached([0]);
    await waits[0];
    expect(reaching.wait([1], DAY)).toBeInstanceOf(Promise);
    expect(reaching.wait([1], DAY)).toBeUndefined();
  });
});

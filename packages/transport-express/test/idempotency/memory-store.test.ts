import { expect, it, jest } from '@jest/globals';
import { MemoryIdempotencyStore, type HeldKey } from '../../src/index.ts';

const held = (key: string, holder = 'me'): HeldKey => ({ key, holder });
const LONG = 60_000;

/** Which of some keys are taken: those that are free are taken by asking, and given back. */
async function known(store: MemoryIdempotencyStore, ...keys: string[]): Promise<string[]> {
  const taken: string[] = [];
  for (const key of keys) {
    if (await store.take(held(key, 'asks'), 'f', LONG)) taken.push(key);
    else await store.free(held(key, 'asks'));
  }
  return taken;
}

/** A store in which calls have come to outcomes, in this order. */
async function filled(maxSize: number, ...outcomes: string[]): Promise<MemoryIdempotencyStore> {
  const store = new MemoryIdempotencyStore({ maxSize });
  for (const outcome of outcomes) {
    await store.take(held(outcome), 'f', LONG);
    await store.keep(held(outcome), outcome);
  }
  return store;
}

it('forgets the oldest as soon as all outcomes together are larger than they may be, and not before', async () => {
  expect(await known(await filled(10, 'aaaa', 'bbbbbb'), 'aaaa', 'bbbbbb')).toEqual(['aaaa', 'bbbbbb']);
  expect(await known(await filled(10, 'aaaa', 'bbbbbbb'), 'aaaa', 'bbbbbbb')).toEqual(['bbbbbbb']);
  expect(await known(await filled(10, 'aaaa', 'bbb', 'c', 'dddddddd'), 'aaaa', 'bbb', 'c', 'dddddddd')).toEqual(['c', 'dddddddd']);
});

it('counts an outcome once, also where it takes the place of another, and not at all when its key is free', async () => {
  const store = await filled(10, 'aaaa');
  for (const outcome of ['a'.repeat(9), 'a', 'aa']) await store.keep(held('aaaa'), outcome);
  await store.take(held('b'), 'f', LONG);
  await store.keep(held('b'), 'b'.repeat(8));
  expect(await known(store, 'aaaa', 'b')).toEqual(['aaaa', 'b']);
  await store.free(held('b'));
  await store.take(held('c'), 'f', LONG);
  await store.keep(held('c'), 'c'.repeat(8));
  expect(await known(store, 'aaaa', 'b', 'c')).toEqual(['aaaa', 'c']);
});

it('takes a key that has ended anew, with nothing of the call before', async () => {
  const store = new MemoryIdempotencyStore({ maxSize: 10 });
  await store.take(held('a'), 'before', 1);
  await store.keep(held('a'), 'x'.repeat(9));
  while ((await store.take(held('a', 'next'), 'now', LONG)) !== undefined) await new Promise((resolve) => setTimeout(resolve, 2));
  expect(await store.take(held('a'), 'now', LONG)).toMatchObject({ fingerprint: 'now', outcome: undefined });
  // Whoever had it before can neither keep nor free it.
  await store.keep(held('a'), 'late');
  await store.free(held('a'));
  expect(await store.take(held('a'), 'now', LONG)).toMatchObject({ outcome: undefined });
  await store.keep(held('a', 'next'), 'y'.repeat(10));
  expect(await store.take(held('a'), 'now', LONG)).toMatchObject({ outcome: 'y'.repeat(10) });
});

it('keeps the key of a call that is being made when the clock is put forward or back by a day, and no longer than it was to', async () => {
  const clock = jest.spyOn(Date, 'now');
  const watch = jest.spyOn(performance, 'now').mockReturnValue(1000);
  try {
    const store = new MemoryIdempotencyStore();
    await store.take(held('a'), 'f', LONG);
    const day = 86_400_000;
    for (const jump of [day, -day]) {
      clock.mockReturnValue(Date.parse('2027-01-01') + jump);
      expect(await store.take(held('a', 'next'), 'f', LONG)).toMatchObject({ holder: 'me', age: 0 });
    }
    watch.mockReturnValue(1000 + LONG - 1);
    expect(await store.take(held('a', 'next'), 'f', LONG)).toMatchObject({ age: LONG - 1 });
    watch.mockReturnValue(1000 + LONG);
    expect(await store.take(held('a', 'next'), 'f', LONG)).toBeUndefined();
  } finally {
    clock.mockRestore();
    watch.mockRestore();
  }
});

it('knows nothing of keys that nobody has taken', async () => {
  const store = new MemoryIdempotencyStore();
  await store.keep(held('a'), 'x');
  await store.free(held('a'));
  expect(await known(store, 'a')).toEqual([]);
});

it('has room for as many keys as it may have, and makes room of those that are done', async () => {
  const store = new MemoryIdempotencyStore({ maxKeys: 2 });
  await store.take(held('a'), 'f', LONG);
  await store.take(held('b'), 'f', LONG);
  await expect(store.take(held('c'), 'f', LONG)).rejects.toMatchObject({
    code: 503,
    message: 'Too many calls with an Idempotency-Key are being made: try again later',
  });
  await store.keep(held('b'), 'x');
  expect(await store.take(held('c'), 'f', LONG)).toBeUndefined();
  expect(await store.take(held('a'), 'f', LONG)).toBeDefined();
});

it.each([{ maxKeys: 0 }, { maxKeys: 0.5 }, { maxSize: 0 }, { maxSize: 0.9 }, { maxKeys: Number.NaN }])(
  'has room for something: not %j',
  (bounds) => {
    expect(() => new MemoryIdempotencyStore(bounds)).toThrow("'maxKeys' and 'maxSize' are numbers of 1 and more");
    expect(() => new MemoryIdempotencyStore({ maxKeys: 1, maxSize: 1 })).not.toThrow();
  },
);

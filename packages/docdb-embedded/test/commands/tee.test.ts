import { expect, it } from '@jest/globals';
import { Tee } from '../../src/commands/tee.ts';

/** Numbers, and what was asked of them. */
function numbers(): { readonly source: AsyncGenerator<number, void>; readonly asked: number[]; closed: boolean } {
  const log = { source: undefined as unknown as AsyncGenerator<number, void>, asked: [] as number[], closed: false };
  log.source = (async function* () {
    try {
      for (let n = 1; n <= 4; n++) {
        log.asked.push(n);
        await Promise.resolve();
        yield n;
      }
    } finally {
      log.closed = true;
    }
  })();
  return log;
}

async function taken(steps: AsyncIterable<number>, most = Infinity): Promise<number[]> {
  const all: number[] = [];
  for await (const n of steps) if (all.push(n) >= most) break;
  return all;
}

it('gives all of it to each', async () => {
  const { source } = numbers();
  const tee = new Tee(source);
  const readers = [tee.reader(), tee.reader(), tee.reader()];
  expect(await Promise.all(readers.map((reader) => taken(reader)))).toEqual(Array(3).fill([1, 2, 3, 4]));
});

it('asks for no more before all have what there is', async () => {
  const { source, asked } = numbers();
  const tee = new Tee(source);
  const [fast, slow] = [tee.reader(), tee.reader()].map((reader) => reader[Symbol.asyncIterator]());
  const first = fast?.next();
  expect(asked).toEqual([]);
  expect(await slow?.next()).toEqual({ done: false, value: 1 });
  expect(await first).toEqual({ done: false, value: 1 });
  void fast?.next();
  await new Promise((resolve) => setImmediate(resolve));
  expect(asked).toEqual([1]);
});

it('goes on without who has enough', async () => {
  const { source, asked } = numbers();
  const tee = new Tee(source);
  const [one, two, three] = [tee.reader(), tee.reader(), tee.reader()];
  expect(await Promise.all([taken(one, 1), taken(two, 3), taken(three, 2)])).toEqual([[1], [1, 2, 3], [1, 2]]);
  expect(asked).toEqual([1, 2, 3]);
});

it('ends for all with what one fails with', async () => {
  const { source } = numbers();
  const tee = new Tee(source);
  const [one, two] = [tee.reader(), tee.reader()];
  const reading = taken(one);
  const failing = (async (): Promise<void> => {
    for await (const _n of two) {
      tee.fail(new Error('of two'));
      break;
    }
  })();
  await expect(reading).rejects.toThrow('of two');
  await failing;
});

it('ends for all with what its source fails with', async () => {
  const tee = new Tee(
    (async function* () {
      yield 1;
      await Promise.reject(new Error('of the source'));
    })(),
  );
  const reading = [tee.reader(), tee.reader()].map((reader) => taken(reader));
  for (const one of reading) await expect(one).rejects.toThrow('of the source');
});

it('closes its source', async () => {
  const log = numbers();
  const tee = new Tee(log.source);
  await taken(tee.reader(), 1);
  expect(log.closed).toBe(false);
  await tee.close();
  expect(log.closed).toBe(true);
});

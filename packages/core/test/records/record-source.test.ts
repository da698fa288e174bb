import { EventEmitter } from 'node:events';
import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import {
  framework,
  isRecordSource,
  isStream,
  lettingGo,
  stopRecords,
  stopsAtOnce,
  type Params,
  type RecordSource,
} from '../../src/index.ts';

describe('results that are given record by record', () => {
  it('are streams and whatever is iterated asynchronously', () => {
    const source = {
      async *[Symbol.asyncIterator](): AsyncGenerator<number> {
        yield 1;
      },
    };
    expect([source, source[Symbol.asyncIterator](), Readable.from([1])].map(isRecordSource)).toEqual([true, true, true]);
    const { proxy: unreadable, revoke } = Proxy.revocable({}, {});
    revoke();
    const others = [
      undefined,
      null,
      'text',
      1,
      [1],
      { a: 1 },
      new Set([1]),
      { [Symbol.asyncIterator]: true },
      { [Symbol.asyncIterator]: undefined },
      unreadable,
    ];
    expect(others.map(isRecordSource)).toEqual(others.map(() => false));
  });

  it('are streams when they tell of events and can be destroyed', () => {
    const iterable = { [Symbol.asyncIterator]: () => Readable.from([])[Symbol.asyncIterator]() };
    const destroy = (): void => undefined;
    const on = destroy;
    expect(isStream(Readable.from([1]))).toBe(true);
    // A stream of another package.
    expect(isStream(Object.assign(iterable, { destroy, on }))).toBe(true);
    for (const besides of [{ destroy, on: true }, { destroy: true, on }, { destroy }, { on }, {}])
      expect(isStream({ [Symbol.asyncIterator]: iterable[Symbol.asyncIterator], ...besides })).toBe(false);
  });
});

describe('letting go of records', () => {
  it('destroys a stream, and keeps an error of its end from the process', async () => {
    const source = new Readable({
      objectMode: true,
      read: () => undefined,
      destroy: (_error, done) => {
        done(new Error('the cursor is gone'));
      },
    });
    const closed = new Promise((resolve) => source.once('close', resolve));
    await stopRecords(source);
    await closed;
    expect([source.destroyed, source.listenerCount('error')]).toEqual([true, 1]);
  });

  it('leaves the error of a stream to whoever listens', async () => {
    const source = new Readable({
      read: () => undefined,
      destroy: (_error, done) => {
        done(new Error('the cursor is gone'));
      },
    });
    const failed = new Promise((resolve) => source.once('error', resolve));
    await stopRecords(source);
    expect(source.listenerCount('error')).toBe(1);
    await expect(failed).resolves.toMatchObject({ message: 'the cursor is gone' });
  });

  it('takes a stream that is destroyed already', async () => {
    const source = Readable.from([1]).destroy();
    await stopRecords(source);
    expect(source.destroyed).toBe(true);
  });

  it('ends an iterator, and tells what it fails with', async () => {
    let returned = 0;
    const iterator = {
      next: () => Promise.resolve({ done: false, value: 1 }),
      return: () => Promise.resolve({ done: true, value: ++returned }),
    };
    await stopRecords({ [Symbol.asyncIterator]: () => iterator });
    expect(returned).toBe(1);
    const failing = { ...iterator, return: () => Promise.reject(new Error('can not close')) };
    await expect(stopRecords({ [Symbol.asyncIterator]: () => failing })).rejects.toThrow('can not close');
  });

  it('leaves an iterator alone that can not be ended', async () => {
    const iterator = Object.assign(new EventEmitter(), { next: () => Promise.resolve({ done: true as const, value: undefined }) });
    await expect(stopRecords({ [Symbol.asyncIterator]: () => iterator })).resolves.toBe(undefined);
    expect(iterator.eventNames()).toEqual([]);
  });
});

describe('records that are made of those of a source', () => {
  async function* doubled(source: RecordSource): AsyncGenerator {
    for await (const record of source) yield [record, record];
  }
  const made = (source: RecordSource): RecordSource => lettingGo(source, doubled);
  const silent = (): Readable => new Readable({ objectMode: true, read: () => undefined });

  it('are what the generator gives', async () => {
    const source = Readable.from([1, 2]);
    const read: unknown[] = [];
    for await (const record of made(source)) read.push(record);
    expect(read).toEqual([
      [1, 1],
      [2, 2],
    ]);
  });

  it('let go of the source before the first is read', async () => {
    const stream = silent();
    let ended = 0;
    const iterator = {
      next: () => Promise.resolve({ done: false, value: 1 }),
      return: () => Promise.resolve({ done: true, value: ++ended }),
    };
    await stopRecords(made(made(stream)));
    await stopRecords(made({ [Symbol.asyncIterator]: () => iterator }));
    expect([stream.destroyed, ended]).toEqual([true, 1]);
  });

  it('let go of a stream while they wait for its next record', async () => {
    const stream = silent();
    const records = made(made(stream));
    const next = records[Symbol.asyncIterator]().next();
    await stopRecords(records);
    expect(stream.destroyed).toBe(true);
    await expect(next).rejects.toMatchObject({ code: 'ERR_STREAM_PREMATURE_CLOSE' });
    expect([stopsAtOnce(stream), stopsAtOnce(records), stopsAtOnce(doubled(stream))]).toEqual([true, true, false]);
    // A generator ends only with its next record.
    expect(stopsAtOnce(made(made(doubled(stream))))).toBe(false);
  });

  /** Gives nothing until it is ended, as a queue does. */
  function waitingIterator(): { readonly source: RecordSource; readonly returned: () => number; wake(): void } {
    let returned = 0;
    let wake: (result: IteratorResult<unknown>) => void = () => undefined;
    const iterator: AsyncIterator<unknown> = {
      next: () => new Promise((resolve) => (wake = resolve)),
      return: async () => {
        returned += 1;
        wake({ done: true, value: undefined });
        return { done: true, value: undefined };
      },
    };
    return {
      source: { [Symbol.asyncIterator]: () => iterator },
      returned: () => returned,
      wake: () => wake({ done: true, value: undefined }),
    };
  }

  it('end an iterator while they wait for its next record, once', async () => {
    const { source, returned, wake } = waitingIterator();
    const records = made(made(source))[Symbol.asyncIterator]();
    const next = records.next();
    await new Promise((resolve) => setImmediate(resolve));
    const ended = records.return?.();
    expect(returned()).toBe(1);
    wake();
    expect(await next).toEqual({ done: true, value: undefined });
    expect(await ended).toEqual({ done: true, value: undefined });
    await records.return?.();
    expect(returned()).toBe(1);
  });

  it('ask an iterator for nothing more that was ended while they worked on a record', async () => {
    const asked: string[] = [];
    let finish: () => void = () => undefined;
    const iterator: AsyncIterator<unknown> = {
      next: async () => ({ done: asked.push('next') > 2, value: undefined }),
      return: async () => ({ done: true, value: asked.push('return') }),
    };
    const records = lettingGo({ [Symbol.asyncIterator]: () => iterator }, async function* (source) {
      const work = new Promise<void>((resolve) => (finish = resolve));
      for await (const _ of source) await work;
      yield 'the end';
    });
    const next = records.next();
    await new Promise((resolve) => setImmediate(resolve));
    const ended = records.return?.();
    finish();
    await Promise.all([next, ended]);
    expect(asked).toEqual(['next', 'return']);
  });

  it('tell what an iterator fails with that is ended while they wait', async () => {
    let fail: (error: Error) => void = () => undefined;
    const iterator: AsyncIterator<unknown> = {
      next: () => new Promise((_resolve, reject) => (fail = reject)),
      return: () => Promise.reject(new Error('can not close')),
    };
    const records = made({ [Symbol.asyncIterator]: () => iterator })[Symbol.asyncIterator]();
    const next = records.next();
    await new Promise((resolve) => setImmediate(resolve));
    const ended = records.return?.();
    fail(new Error('closed'));
    await expect(next).rejects.toThrow('closed');
    await expect(ended).rejects.toThrow('can not close');
  });

  it('end the source with the loop', async () => {
    let ended = 0;
    async function* numbers(): AsyncGenerator<number> {
      try {
        for (let n = 0; ; n++) yield n;
      } finally {
        ended += 1;
      }
    }
    for await (const record of made(numbers())) if (record) break;
    expect(ended).toBe(1);
  });
});

describe('a stream that a method gives', () => {
  it.each([
    ['without hooks', false],
    ['with hooks', true],
  ])('may fail before a transport reads it, %s; code on the server hears of that as of any stream', async (_what, hooked) => {
    const app = framework().use('streams', { find: async (_params?: Params) => new Readable({ read: () => undefined }) });
    if (hooked) app.service('streams').hooks({ after: { find: [() => undefined] } });
    const heard = async (params: Params): Promise<number> => (await app.service('streams').find(params)).listenerCount('error');
    expect([await heard({ provider: 'rest' }), await heard({})]).toEqual([1, 0]);
  });
});

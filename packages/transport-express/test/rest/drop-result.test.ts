import { Readable } from 'node:stream';
import { expect, it } from '@jest/globals';
import { droppingResult } from '../../src/rest/drop-result.ts';

it.each([
  [undefined, false],
  [null, false],
  [new Error('of middleware'), true],
  [0, true],
])('what comes behind a call with %p lets its records go: %p', (error, dropped) => {
  const records = Readable.from([{ a: 1 }]);
  const passed: unknown[] = [];
  droppingResult({ hook: { result: records }, data: records } as never, ((given: unknown) => passed.push(given)) as never)(error);
  expect([records.destroyed, passed]).toEqual([dropped, [error]]);
});

it('there is nothing to let go of without a call', () => {
  const data = Readable.from([{ a: 1 }]);
  droppingResult({ data } as never, (() => undefined) as never)(new Error('of middleware'));
  expect(data.destroyed).toBe(false);
});

it.each<[string, unknown]>([
  ['null', null],
  ['a text', 'no call'],
  [
    'a call that can not be read',
    {
      get result(): never {
        throw new Error('not to be read');
      },
    },
  ],
])('S47 %s in place of the call leaves the error its way', (_what, hook) => {
  const passed: unknown[] = [];
  const failure = new Error('of middleware');
  droppingResult({ hook, data: [] } as never, ((given: unknown) => passed.push(given)) as never)(failure);
  expect(passed).toEqual([failure]);
});

import { expect, it, jest } from '@jest/globals';
import { isUntold, ToldSeldom } from '../../src/index.ts';

it('the log is told of the first, and once a minute from then on, with how many there were', () => {
  let now = 5;
  const seldom = new ToldSeldom(() => now);
  const at = (time: number): unknown => {
    now = time;
    const error = new Error('full');
    const thrown = seldom.of(error, 'It is full');
    expect(thrown).toBe(error);
    return isUntold(thrown) ? 'untold' : (thrown.cause as Error).message;
  };
  expect([at(5), at(6), at(60_004)]).toEqual(['It is full', 'untold', 'untold']);
  expect([at(60_005), at(60_006)]).toEqual(['It is full (2 more since the last time)', 'untold']);
  expect([at(200_000), at(300_000)]).toEqual(['It is full (1 more since the last time)', 'It is full']);
});

it('the process warns of the first, and once a minute from then on, with how many there were', () => {
  let now = 5;
  const seldom = new ToldSeldom(() => now);
  const warned = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  for (const time of [5, 6, 60_004, 60_005, 120_005]) {
    now = time;
    seldom.warn('It is full');
  }
  expect(warned.mock.calls).toEqual([['It is full'], ['It is full (2 more since the last time)'], ['It is full']]);
  warned.mockRestore();
});

it('others are told', () => {
  expect([new Error('x'), null, undefined, 'text', {}].some(isUntold)).toBe(false);
});

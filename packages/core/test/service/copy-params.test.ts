import { expect, it } from '@jest/globals';
import { addCallSignal, copyParams, type Params, type SignalSource } from '../../src/index.ts';

const MARK = Symbol('mark');

/** A source that counts how often its signal is made. */
function source(): SignalSource & { made: number } {
  let signal: AbortSignal | undefined;
  return {
    made: 0,
    get signal() {
      if (!signal) this.made += 1;
      return (signal ??= new AbortController().signal);
    },
  };
}

function signalled(params: Params): { params: Params; from: ReturnType<typeof source> } {
  const from = source();
  addCallSignal(params, from);
  return { params, from };
}

it('copies what spreading copies, symbols too, and leaves out what is not enumerable', () => {
  const params = Object.create({ inherited: 1 }, { hidden: { value: 2, enumerable: false } }) as Params;
  Object.assign(params, { query: { a: 1 }, provider: 'rest', [MARK]: 3 });
  Object.defineProperty(params, Symbol('hidden'), { value: 4, enumerable: false });
  expect(copyParams(params)).toStrictEqual({ ...params });
  expect(Object.getOwnPropertySymbols(copyParams(params))).toEqual([MARK]);
});

it('sets changes in place of what is there, and leaves properties out', () => {
  const params = { query: { a: 1 }, provider: 'rest', [MARK]: 3 };
  expect(copyParams(params, { query: { b: 2 }, user: 1, [MARK]: 4 }, ['provider'])).toStrictEqual({ query: { b: 2 }, user: 1, [MARK]: 4 });
  expect(copyParams(params, { provider: 'socket' }, ['provider'])).toHaveProperty('provider', 'socket');
  expect(copyParams(params, {}, [MARK])).toStrictEqual({ query: { a: 1 }, provider: 'rest' });
  expect(params).toStrictEqual({ query: { a: 1 }, provider: 'rest', [MARK]: 3 });
});

it('does not make the signal of a call, however often its parameters are copied', () => {
  const { params, from } = signalled({ provider: 'rest' });
  const copy = copyParams(copyParams(params, { user: 1 }), undefined, ['provider']);
  expect(from.made).toBe(0);
  expect(Object.keys(copy)).toEqual(['signal', 'user']);
  expect(copy.signal).toBeInstanceOf(AbortSignal);
  expect(params.signal).toBe(copy.signal);
  expect(from.made).toBe(1);
});

it('gives whoever spreads parameters the signal, of a copy too', () => {
  const { params, from } = signalled({});
  const spread = { ...copyParams(params) };
  expect(Object.getOwnPropertyDescriptor(spread, 'signal')).toMatchObject({ value: from.signal, writable: true, enumerable: true });
  expect(copyParams(spread).signal).toBe(from.signal);
});

it.each<[string, (params: Params) => void, unknown]>([
  ['assigned', (params) => (params.signal = undefined), undefined],
  ['assigned by a copy', (params) => Object.assign(params, { signal: AbortSignal.abort('mine') }), 'mine'],
  ['defined', (params) => Object.defineProperty(params, 'signal', { value: AbortSignal.abort('mine'), enumerable: true }), 'mine'],
])('keeps a signal that somebody has %s', (_how, change, reason) => {
  const { params, from } = signalled({});
  change(params);
  const copy = copyParams(params);
  expect(copy).toHaveProperty('signal');
  expect(copy.signal?.reason).toBe(reason);
  expect(from.made).toBe(0);
});

it('has no signal where it was deleted or left out', () => {
  const { params } = signalled({});
  expect(copyParams(params, undefined, ['signal'])).toStrictEqual({});
  delete params.signal;
  expect(copyParams(params)).toStrictEqual({});
});

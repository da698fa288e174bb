import { describe, expect, it } from '@jest/globals';
import { addCallSignal, originOf, paramsFor, rememberOrigin } from '../../src/index.ts';

const first = (record: object): object => record;
const second = (record: object): object => ({ ...record });
const rules = [first];

describe.each([
  ['a record', () => ({ id: 1 })],
  ['a frozen record', () => Object.freeze({ id: 1 })],
  ['a record of a class', () => new (class Message {})()],
  ['a record behind a proxy', () => new Proxy({ id: 1 }, {})],
])('where %s comes from', (_title, make: () => object) => {
  it('is remembered, and known of that record alone', () => {
    const record = make();
    rememberOrigin(record, { rules });
    expect(originOf(record)).toEqual({ rules });
    expect([originOf(make()), originOf({ ...record })]).toEqual([undefined, undefined]);
  });

  it('is added to by what comes later', () => {
    const record = make();
    rememberOrigin(record, { rules });
    rememberOrigin(record, { dispatch: null });
    expect(originOf(record)).toEqual({ rules, dispatch: null });
    rememberOrigin(record, { rules: [second] });
    expect(originOf(record)).toEqual({ rules: [first, second], dispatch: null });
    const known = originOf(record);
    rememberOrigin(record, { rules: [second, first], dispatch: null });
    expect(originOf(record)).toBe(known);
  });

  it('shows in no listing of its properties', () => {
    const record = make();
    const before = Reflect.ownKeys(record);
    rememberOrigin(record, { rules });
    expect(Reflect.ownKeys(record)).toEqual(before);
  });
});

it('values that are no objects have no origin to remember', () => {
  for (const value of [null, undefined, 1, 'text']) expect(() => rememberOrigin(value, { rules })).not.toThrow();
});

it('parameters that are passed on to another service have a signal without making it', () => {
  const params = { provider: 'rest', query: { a: 1 }, precondition: {}, paginate: false };
  let made = 0;
  const { signal } = new AbortController();
  addCallSignal(params, {
    get signal() {
      made += 1;
      return signal;
    },
  });
  const kept = paramsFor({}, params);
  expect(made).toBe(0);
  expect(Object.keys(kept).sort()).toEqual(['provider', 'signal']);
  expect([Reflect.get(kept, 'signal'), made]).toEqual([signal, 1]);
});

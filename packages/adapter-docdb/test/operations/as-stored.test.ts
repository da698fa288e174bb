import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Double, Long } from 'mongodb';
import { startHarness, type ServiceHarness } from '../harness.ts';

class Money {
  readonly #cents = 5;
  currency = 'EUR';
  get cents(): number {
    return this.#cents;
  }
  toJSON(): object {
    return { cents: this.#cents, currency: this.currency };
  }
}

describe('what a create gives back', () => {
  let harness: ServiceHarness;
  beforeAll(async () => {
    harness = await startHarness();
  });
  afterAll(() => harness.database.close());
  beforeEach(() => harness.reset());

  const values: readonly (readonly [string, () => unknown])[] = [
    ['a map', () => new Map([['a', new Map([['b', 1]])]])],
    ['bytes', () => Buffer.from('ab')],
    ['a part of a buffer', () => new Uint8Array([0, 1, 2, 3]).subarray(1, 3)],
    ['a whole number', () => 5n],
    ['a whole number that no double has', () => 2n ** 60n + 1n],
    ['the largest whole number', () => 2n ** 63n - 1n],
    ['the smallest whole number', () => -(2n ** 63n)],
    ['a number of the driver', () => [Long.fromNumber(5), new Double(3)]],
    ['an instance of a class', () => new Money()],
    ['what says itself what is stored of it', () => ({ toBSON: () => ({ a: 1 }) })],
    ['a function in an object', () => ({ a: 1, greet: () => 'hello' })],
    ['a symbol in an object of a list', () => [1, { a: Symbol('b') }, 3]],
    ['records among other things', () => [{ a: new Map([['b', { c: 1n }]]), d: { e: [[{ f: Buffer.from('g') }]] } }, { h: 1 }]],
    ['a name that means something else', () => JSON.parse('{"__proto__":{"a":1}}') as unknown],
    ['it beside other things', () => ({ ...(JSON.parse('{"a":{"__proto__":{"b":1}}}') as object), c: 1n })],
    ['nothing in a list', () => [undefined, 1]],
    ['gaps in a list', () => [1, , 3]], // oxlint-disable-line no-sparse-arrays -- that is what is tried
    ['nothing in an object', () => ({ a: undefined, b: 1 })],
    ['plain data', () => ({ a: [1, 'x', null, true, new Date(0)], b: { c: -0.5 } })],
  ];

  it.each(values)('is what is stored: %s', async (_name, make) => {
    const service = harness.service({ multi: true });
    const told: unknown[] = [];
    const one = await service.create({ name: 'a', value: make(), inside: [{ value: make() }] });
    told.push(...(await service.create([{ name: 'b', value: make() }, { name: 'c' }])));
    for (const record of [one, ...told] as { _id: never }[]) {
      const stored = await service.get(record._id);
      expect(record).toStrictEqual(stored);
      expect(JSON.stringify(record, whole)).toBe(JSON.stringify(stored, whole));
    }
  });

  it('is what is stored of what was selected', async () => {
    const service = harness.service();
    const query = { $select: ['value'] };
    const made = await service.create({ name: 'a', value: new Map([['a', 1]]) }, { query });
    expect(made).toStrictEqual({ _id: made._id, value: { a: 1 } });
  });

  it('has in it what was sent where that is stored as it is', async () => {
    const [user, address] = [{ name: 'b' }, { city: 'Bern' }];
    const data = { name: 'a', user, photo: Buffer.from('c'), inside: [{ address, count: 1n }] };
    const made = (await harness.service().create(data)) as unknown as typeof data;
    expect(made.user).toBe(user);
    expect(made.inside[0]?.address).toBe(address);
    expect(data).toEqual({ name: 'a', user, photo: Buffer.from('c'), inside: [{ address, count: 1n }] });
  });

  it('is read as the call, or the collection, reads', async () => {
    const service = harness.service();
    expect(await service.create({ name: 'a', value: 5n }, { docdb: { useBigInt64: true } })).toMatchObject({ value: 5n });
    const Model = harness.database.db.collection('people', { promoteBuffers: true });
    expect(await harness.service({ Model }).create({ name: 'a', value: Buffer.from('ab') })).toMatchObject({ value: Buffer.from('ab') });
  });
});

describe('a property that is called as the prototype of an object', () => {
  it('is stored by each write, as any other', async () => {
    const harness = await startHarness();
    const service = harness.service({ multi: true, version: 'v' });
    const odd = (value: unknown): object => JSON.parse(`{"__proto__":${JSON.stringify(value)},"name":"a"}`) as object;
    const own = (record: unknown): unknown => Object.getOwnPropertyDescriptor(record, '__proto__')?.value;
    const { _id: id } = (await service.create(odd(1))) as unknown as { _id: never };
    const writes: (readonly [unknown, () => Promise<unknown>])[] = [
      [1, () => service.get(id)],
      [{ a: 2 }, () => service.update(id, odd({ a: 2 }))],
      [3, () => service.patch(id, odd(3))],
      [{ a: 4 }, () => service.patch(id, odd({ a: 4 }))],
      [5, () => service.patch(id, { $set: odd(5) } as never)],
      [[6], async () => ((await service.patch(null, odd([6]))) as unknown[])[0]],
    ];
    for (const [expected, write] of writes) {
      expect(own(await write())).toEqual(expected);
      expect(own(await service.get(id))).toEqual(expected);
    }
    await harness.database.close();
  });
});

function whole(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

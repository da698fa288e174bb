import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startHarness, type ServiceHarness } from '../harness.ts';

class Hidden {
  readonly #value = 1;
  toJSON(): number {
    return this.#value;
  }
}

class Empty {}

class Decimal {
  readonly d = [12];
  toJSON(): string {
    return String(this.d[0]);
  }
}

describe('values that the database would store as something else', () => {
  let harness: ServiceHarness;
  beforeAll(async () => {
    harness = await startHarness();
  });
  afterAll(() => harness.database.close());
  beforeEach(() => harness.reset());

  const lost: readonly (readonly [string, () => unknown, RegExp])[] = [
    ['a set', () => new Set(['a']), /^A Set can not be stored, since nothing of it would be there/],
    ['an address', () => new URL('http://localhost/'), /^A URL can not be stored/],
    ['parameters of an address', () => new URLSearchParams('a=1'), /^A URLSearchParams can not be stored/],
    ['an error', () => new Error('broken'), /^A Error can not be stored/],
    ['bytes without a view', () => new Uint8Array([1, 2]).buffer, /^A ArrayBuffer can not be stored/],
    ['a view of no bytes of its own', () => new DataView(new ArrayBuffer(2)), /^A DataView can not be stored/],
    ['what gives values one by one', () => new Map([['a', 1]]).keys(), /^A Map Iterator can not be stored/],
    ['a number in an object', () => Object(5) as unknown, /^A Number can not be stored/],
    ['what keeps its values to itself', () => new Hidden(), /^A Hidden can not be stored/],
    [
      'what JSON has as a text',
      () => new Decimal(),
      /^An instance of Decimal can not be stored, since its properties are its insides: make a Date, /,
    ],
    ['a map with other keys than texts', () => new Map([[1, 'a']]), /^A Map can be stored where its keys are texts/],
    [
      'a list of fractions',
      () => new Float32Array([1.5, 2]),
      /^A Float32Array can not be stored as one: Array\.from\(\) makes a list of it/,
    ],
    ['a list of numbers of 64 bits', () => new BigInt64Array(1), /^A BigInt64Array can not be stored/],
    ['a function in a list', () => [1, () => 1, 2], /^A function can not be stored in a list/],
    ['a symbol in a list', () => [1, Symbol('a'), 2], /^A symbol can not be stored in a list/],
    ['a whole number above the largest', () => 2n ** 63n, /^9223372036854775808 can not be stored: whole numbers have 64 bits/],
    ['a whole number far below the smallest', () => -(10n ** 400n), /^-1000/],
  ];

  it.each(lost)('%s is refused, and nothing is written', async (_name, make, message) => {
    const service = harness.service({ multi: true });
    const { _id: id } = await service.create({ name: 'a', age: 1 });
    const refused = { code: 400, message: expect.stringMatching(message) as unknown };
    for (const params of [{}, { provider: 'rest' }])
      for (const value of [make(), [{ inside: make() }]]) {
        await expect(service.create({ name: 'b', value }, params)).rejects.toMatchObject(refused);
        await expect(service.create([{ name: 'b' }, { name: 'c', value }], params)).rejects.toMatchObject(refused);
        await expect(service.update(id as never, { name: 'b', value }, params)).rejects.toMatchObject(refused);
        await expect(service.patch(id as never, { value }, params)).rejects.toMatchObject(refused);
        await expect(service.patch(null, { value }, params)).rejects.toMatchObject(refused);
      }
    await expect(service.patch(id as never, { $set: { value: make() } } as never)).rejects.toMatchObject(refused);
    expect(await service.find()).toEqual([{ _id: id, name: 'a', age: 1 }]);
  });

  it('what has nothing in it is stored', async () => {
    const service = harness.service();
    for (const value of [{}, Object.create(null) as object, new Empty(), [], new Map(), new Uint8Array()]) {
      const { _id: id } = await service.create({ name: 'a', value });
      expect(await service.get(id as never)).toHaveProperty('value');
    }
  });

  it('whole numbers of more than 64 bits are compared with nothing that is stored', async () => {
    const service = harness.service({ operators: ['$not', '$eq'] });
    await service.create({ name: 'a', age: 0 });
    const refused = { code: 400, message: expect.stringContaining('whole numbers have 64 bits') as unknown };
    for (const age of [2n ** 70n, { $gte: 2n ** 64n }, { $in: [1, 2n ** 64n] }, { $not: { $eq: 2n ** 64n } }])
      for (const query of [{ age }, { $or: [{ age }] }]) await expect(service.find({ query })).rejects.toMatchObject(refused);
    for (const age of [0n, { $lt: 2n ** 63n - 1n }]) expect(await service.find({ query: { age } })).toHaveLength(1);
  });
});

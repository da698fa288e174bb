import { Random, Variety } from '@framework-internal/testing';
import { describe, expect, it } from '@jest/globals';
import { createAjv, getValidator } from '../../src/index.ts';

const SEED = Number(process.env.MULTIPLE_SEED ?? 20_261_124);

const takes = (multipleOf: number) => {
  const validate = getValidator({ type: 'object', properties: { price: { type: 'number', multipleOf } } });
  return (price: number): Promise<unknown> =>
    validate({ price }).then(
      () => 'taken',
      (error: unknown) => (error as { errors: unknown }).errors,
    );
};

describe('multiples', () => {
  it.each([
    [0.01, [0, 0.07, 0.29, 0.57, -0.07, 1.1, 1.15, 4.35, 19.99, 8.2, 1234567.89, 12345678901.23, 1e15, 5]],
    [0.1, [0.3, 0.7, -0.7, 1.1, 123456.7]],
    [0.25, [0.5, 0.75, 100.25]],
    [1e-8, [12391239123, 0.00000003, 2.1e-7]],
    [0.0001, [0.0075]],
    [1.1, [3.3, 1.1, 12.1]],
    [3, [9, -9, 9007199254740990]],
  ])('of %d are taken as they are written', async (factor, values) => {
    const price = takes(factor);
    for (const value of values) expect([value, await price(value)]).toEqual([value, 'taken']);
  });

  it.each([
    [0.01, [0.075, 0.0700001, 1e-15, 0.070000000001, 1.005, 123456.789, 0.009]],
    [0.1, [0.35, 0.30000001]],
    [0.0001, [0.00751]],
    [0.123456789, [1e308]],
    [0.5, [0.75, 1e-300]],
    [1.1, [3.4]],
    [3, [10, 9.000001, 9007199254740991]],
  ])('of %d: others are refused', async (factor, values) => {
    const price = takes(factor);
    const message = `price must be multiple of ${factor}`;
    const problem = [{ path: 'price', keyword: 'multipleOf', message, params: { multipleOf: factor } }];
    for (const value of values) expect([value, await price(value)]).toEqual([value, problem]);
  });

  it('of cents are all that have two places', async () => {
    const price = takes(0.01);
    const random = new Random(SEED);
    const variety = new Variety();
    for (let round = 0; round < 2000; round++) {
      const cents = random.below(10 ** (1 + random.below(12)));
      const text = `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
      variety.tried(text);
      expect([text, await price(Number(text))]).toEqual([text, 'taken']);
      const more = `${text}${1 + random.below(9)}`;
      expect([more, await price(Number(more))]).not.toEqual([more, 'taken']);
    }
    console.log(variety.report('MULTIPLE_SEED', SEED));
    variety.expect(1500, {});
  });

  it('are asked of numbers alone', () => {
    const ajv = createAjv();
    expect(ajv.validate({ multipleOf: 0.01 }, 'text')).toBe(true);
    expect(() => ajv.compile({ multipleOf: '0.01' })).toThrow('multipleOf');
    expect(() => ajv.compile({ multipleOf: 0 })).toThrow('multipleOf');
  });
});

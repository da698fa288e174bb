import { describe, expect, it } from '@jest/globals';
import type { ErrorObject } from 'ajv';
import { createAjv, getValidator, Nullable, Type, type JSONSchema } from '../../src/index.ts';
import { problemsOf } from '../../src/validation/problems.ts';

/** A keyword that counts how often it is asked: a step for each part of a value. */
function counting(schemaOf: (step: JSONSchema) => JSONSchema): { validate: (value: unknown) => Promise<unknown>; steps: () => number } {
  let steps = 0;
  const ajv = createAjv();
  ajv.addKeyword({ keyword: 'step', validate: () => ((steps += 1), true) });
  const validate = getValidator(schemaOf({ step: true }), ajv);
  return {
    validate,
    steps: () => {
      const counted = steps;
      steps = 0;
      return counted;
    },
  };
}

const failure = async (work: Promise<unknown>): Promise<{ code: number; errors: { path: string; message: string }[]; toJSON(): object }> =>
  (await work.then(
    () => undefined,
    (error: unknown) => error,
  )) as never;

describe('validation takes a bounded amount of work', () => {
  it.each<[string, (step: JSONSchema) => JSONSchema, (count: number) => unknown, (count: number) => unknown]>([
    [
      'a list of nullable numbers',
      (step) => Type.Object({ tags: Type.Array({ ...Nullable(Type.Integer()), ...step } as never) }),
      (count) => ({ tags: Array.from({ length: count }, () => ({})) }),
      (count) => ({ tags: Array.from({ length: count }, () => 1) }),
    ],
    [
      'a list inside a union',
      (step) => Type.Object({ tags: Nullable(Type.Array({ type: 'integer', ...step } as never)) }),
      (count) => ({ tags: Array.from({ length: count }, () => ({})) }),
      (count) => ({ tags: Array.from({ length: count }, () => 1) }),
    ],
    [
      'further properties',
      (step) => ({ type: 'object', additionalProperties: { type: 'integer', ...step } }),
      (count) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${String(at)}`, 'x'])),
      (count) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${String(at)}`, 1])),
    ],
    [
      'a list of references',
      (step) => ({
        type: 'object',
        $defs: { entry: { type: 'object', required: ['a', 'b', 'c'], ...step } },
        properties: { tags: { type: 'array', items: { $ref: '#/$defs/entry' } } },
      }),
      (count) => ({ tags: Array.from({ length: count }, () => ({})) }),
      (count) => ({ tags: Array.from({ length: count }, () => ({ a: 1, b: 1, c: 1 })) }),
    ],
  ])('%s: no more than for a value that is valid, and at most 20 problems below 16 kB', async (_name, schemaOf, wrong, right) => {
    const { validate, steps } = counting(schemaOf);
    for (const count of [1000, 33_000]) {
      await validate(right(count));
      expect(steps()).toBe(count);
      const error = await failure(validate(wrong(count)));
      expect(error.code).toBe(400);
      expect(steps()).toBeLessThanOrEqual(200);
      expect(error.errors.length).toBeGreaterThan(0);
      expect(error.errors.length).toBeLessThanOrEqual(20);
      expect(JSON.stringify(error).length).toBeLessThan(16_000);
    }
  });

  it('tells of every problem up to the twentieth', async () => {
    const names = Array.from({ length: 30 }, (_, at) => `p${String(at)}`);
    const validate = getValidator(Type.Object(Object.fromEntries(names.map((name) => [name, Type.Integer()]))));
    const wrong = async (count: number): Promise<string[]> =>
      (await failure(validate(Object.fromEntries(names.map((name, at) => [name, at < count ? 'x' : 1]))))).errors.map(({ path }) => path);
    expect(await wrong(3)).toEqual(['p0', 'p1', 'p2']);
    expect(await wrong(30)).toEqual(names.slice(0, 20));
  });

  it('long names, long lists of values and texts of control characters stay below 16 kB', async () => {
    const kinds = Array.from({ length: 5000 }, (_, at) => `kind ${String(at)}`);
    const validate = getValidator({ type: 'object', additionalProperties: { enum: kinds } });
    const wrong = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`${'\u0001'.repeat(2000)}${String(at)}`, 'x']));
    const error = await failure(validate(wrong));
    expect(error.errors.length).toBeGreaterThan(0);
    expect(Buffer.byteLength(JSON.stringify(error))).toBeLessThan(16_000);
  });

  it('looks at each error a number of times that does not depend on the others', () => {
    const reads = (count: number): number => {
      let counted = 0;
      const errors = Array.from({ length: count }, (_, at) => ({
        get instancePath() {
          counted += 1;
          return `/tags/${String(at)}`;
        },
        keyword: at % 3 === 0 ? 'anyOf' : 'type',
        params: {},
        message: 'is wrong',
      }));
      problemsOf(errors as unknown as ErrorObject[]);
      return counted;
    };
    expect(reads(10_000)).toBeLessThan(11 * reads(1000));
  });
});

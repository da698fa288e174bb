import { describe, expect, it } from '@jest/globals';
import * as v from 'valibot';
import { z } from 'zod';
import { getValidator, type StandardSchema } from '../../src/index.ts';

const refusalOf = async (schema: StandardSchema, value: unknown): Promise<unknown> =>
  getValidator(schema)(value).then(
    () => 'taken',
    (error: unknown) => {
      const { code, message, errors } = error as { code: number; message: string; errors: unknown };
      return { code, message, errors };
    },
  );

describe('problems that another library found', () => {
  it.each<[string, StandardSchema]>([
    ['zod', z.object({ list: z.array(z.object({ name: z.string('is no text') })) })],
    ['valibot', v.object({ list: v.array(v.object({ name: v.string('is no text') })) })],
  ])('are told by their path: %s', async (_library, schema) => {
    expect(await refusalOf(schema, { list: [{ name: 'a' }, { name: 5 }] })).toEqual({
      code: 400,
      message: 'validation failed',
      errors: [{ path: 'list.1.name', keyword: 'standard', message: 'list.1.name: is no text', params: {} }],
    });
  });

  it.each<[string, StandardSchema]>([
    ['zod', z.string('is no text')],
    ['valibot', v.string('is no text')],
  ])('are those of the value where they have no path: %s', async (_library, schema) => {
    expect(await refusalOf(schema, 5)).toMatchObject({ errors: [{ path: '', message: 'the value: is no text' }] });
  });

  it('are 20 at most', async () => {
    const errors = ((await refusalOf(z.array(z.string()), Array(1000).fill(5))) as { errors: unknown[] }).errors;
    expect(errors).toHaveLength(20);
  });
});

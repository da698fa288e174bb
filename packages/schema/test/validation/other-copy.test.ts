import { cpSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Ajv as AjvClass } from 'ajv';
import { getValidator, Type, type JSONSchema } from '../../src/index.ts';

const require = createRequire(import.meta.url);

/** A folder with the ajv package, and what it needs, as an application has them whose lock file names another version than this package takes. */
let folder: string;
let other: NodeJS.Require;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'other-copy-'));
  const installed = dirname(dirname(realpathSync(require.resolve('ajv/package.json'))));
  cpSync(installed, join(folder, 'node_modules'), { recursive: true, dereference: true });
  other = createRequire(join(folder, 'index.js'));
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe('a validator that another copy of the ajv package has made', () => {
  it.each(['ajv', 'ajv/dist/2020.js'])('tells what is wrong as one of this package does (%s)', async (file) => {
    const { default: Other } = other(file) as { readonly default: typeof AjvClass };
    const { default: Own } = require(file) as { readonly default: typeof AjvClass };
    const schema = Type.Object(
      {
        names: Type.Array(Type.String({ minLength: 2 })),
        price: Type.Union([Type.Number(), Type.Array(Type.Object({ of: Type.Number() }))]),
      },
      { additionalProperties: false },
    );
    const values = [
      { names: ['a', 'bb', 'c'], price: 1, more: true },
      { names: Array.from({ length: 500 }, () => 'a'), price: 1 },
      { names: [], price: Array.from({ length: 500 }, () => ({})) },
    ];
    expect(Other).not.toBe(Own);
    const [found = [], expected = []] = await Promise.all(
      [Other, Own].map((Made) => {
        const validate = getValidator(schema, new Made({ strict: false, logger: false }));
        return Promise.all(values.map((value) => validate(value).catch((error: unknown) => error)));
      }),
    );
    expect(found.map(told)).toEqual(expected.map(told));
    expect(found.map(told)).toMatchObject([{ problems: 3 }, { problems: 20 }, { problems: 2 }]);
  });

  it('ends the check of a value that lies in too many alternatives', async () => {
    const { default: Other } = other('ajv') as { readonly default: typeof AjvClass };
    const alternative = (name: string): JSONSchema => ({
      type: 'object',
      properties: { next: { $ref: '#' }, [name]: { type: 'integer' } },
    });
    const validate = getValidator({ anyOf: [alternative('a'), alternative('b'), { type: 'integer' }] }, new Other({ strict: false }));
    const nested = Array.from({ length: 60 }).reduce<unknown>((next) => ({ next }), 'x');
    await expect(validate(nested)).rejects.toMatchObject({
      code: 400,
      errors: [{ message: expect.stringMatching('too many alternatives') }],
    });
  });
});

/** What a validator tells of a value. */
function told(error: unknown): object {
  const { name, message, errors = [] } = error as { name: string; message: string; errors?: readonly object[] };
  return { name, message, problems: errors.length, errors };
}

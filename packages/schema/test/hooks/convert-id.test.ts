import { framework } from '@framework/core';
import { describe, expect, it } from '@jest/globals';
import { serviceSchema, Type, type TSchema } from '../../src/index.ts';

/** The id that a method gets for one that a caller gives. */
async function idFor(schema: TSchema, given: unknown, members: object = {}): Promise<unknown> {
  const seen: unknown[] = [];
  const app = framework().use(
    'rows',
    { get: async (id: unknown) => (seen.push(id), {}), ...members },
    { schema: serviceSchema({ record: schema }) },
  );
  await (app.service('rows') as unknown as { get(id: unknown): Promise<unknown> }).get(given);
  return seen[0];
}

describe('the id of a call', () => {
  const numbered = Type.Object({ id: Type.Integer() });

  it.each([
    ['5', 5],
    ['-1.5', -1.5],
    ['5x', '5x'],
    ['', ''],
    [5, 5],
    [null, null],
  ])('becomes a number where ids are numbers: %p', async (given, expected) => {
    expect(await idFor(numbered, given)).toBe(expected);
  });

  it.each(['1.0', '1e0', '10e-1', '-0', '1.50', '9007199254740993.0', '1e-400'])(
    'stays a text in another spelling than that of its number, by which hooks know a record: %p',
    async (given) => {
      expect(await idFor(Type.Object({ id: Type.Number() }), given)).toBe(given);
    },
  );

  it('stays a text where ids are texts, may be texts, or nothing is said of them', async () => {
    expect(await idFor(Type.Object({ id: Type.String() }), '5')).toBe('5');
    expect(await idFor(Type.Object({ id: Type.Union([Type.Integer(), Type.String()]) }), '5')).toBe('5');
    expect(await idFor(Type.Object({ id: Type.Unknown() }), '5')).toBe('5');
    expect(await idFor(Type.Object({ name: Type.String() }), '5')).toBe('5');
    expect(await idFor(Type.Object({ id: Type.Boolean() }), '5')).toBe('5');
  });

  it('is that of the property that the service names', async () => {
    const record = Type.Object({ id: Type.String(), number: Type.Integer() });
    expect(await idFor(record, '5', { id: 'number' })).toBe(5);
    expect(await idFor(record, '5')).toBe('5');
  });
});

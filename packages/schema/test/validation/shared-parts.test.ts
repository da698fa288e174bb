import { describe, expect, it } from '@jest/globals';
import { createAjv, getValidator, querySyntax, Type, type JSONSchema } from '../../src/index.ts';
import { withSharedParts } from '../../src/validation/shared-parts.ts';

/** What becomes of a value, as text. */
const verdict = (validate: (value: unknown) => Promise<unknown>, value: unknown): Promise<unknown> =>
  validate(value).then(
    () => 'valid',
    (error: unknown) => (error as { errors: { path: string }[] }).errors.map(({ path }) => path),
  );

describe('schemas that stand in several places', () => {
  it('are compiled once: the conditions of a query hold at the top and in each branch', async () => {
    const ajv = createAjv();
    let compiled = 0;
    ajv.addKeyword({ keyword: 'counted', compile: () => ((compiled += 1), () => true) });
    const validate = getValidator(querySyntax(Type.Object({ name: Type.String({ counted: true }) })), ajv);
    expect(await validate({ name: 'a', $or: [{ name: { $in: ['b'] } }, { $and: [{ name: 'c' }] }] })).toBeDefined();
    // The value, and the operand of each of seven operators.
    expect(compiled).toBe(8);
  });

  it('mean what they mean where they stand, to any depth', async () => {
    const place = { type: 'object', properties: { city: { type: 'string' } }, additionalProperties: false };
    const person = { type: 'object', properties: { home: place, work: place, friends: { type: 'array', items: place } } };
    const validate = getValidator({ type: 'object', properties: { a: person, b: person, c: place } });
    expect(await verdict(validate, { a: { home: { city: 'x' } }, b: { friends: [{ city: 'y' }] }, c: {} })).toBe('valid');
    expect(await verdict(validate, { a: { home: { town: 1 } }, b: { friends: [{}, { city: [] }] }, c: 1 })).toEqual([
      'a.home.town',
      'b.friends.1.city',
      'c',
    ]);
  });

  it('keep references into them, and definitions of the same name', async () => {
    const part = { type: 'object', properties: { size: { type: 'integer' } } };
    const through = getValidator({ type: 'object', properties: { a: part, b: part, c: { $ref: '#/properties/a/properties/size' } } });
    expect(await verdict(through, { c: 'x' })).toEqual(['c']);
    const named = getValidator({
      type: 'object',
      properties: { a: part, b: part, c: { $ref: '#/$defs/shared0' } },
      $defs: { shared0: { type: 'boolean' } },
    });
    expect(await verdict(named, { a: { size: 1 }, b: { size: 'x' }, c: 5 })).toEqual(['b.size', 'c']);
  });

  const twice = (part: JSONSchema): JSONSchema => ({ type: 'object', properties: { a: part, b: part } });

  it('move, when nothing leads to the place where they stand', () => {
    expect(withSharedParts(twice({ properties: { size: { $ref: '#/$defs/size' } } }))).toEqual({
      type: 'object',
      properties: { a: { $ref: '#/$defs/shared0' }, b: { $ref: '#/$defs/shared0' } },
      $defs: { shared0: { properties: { size: { $ref: '#/$defs/size' } } } },
    });
  });

  it.each<[string, JSONSchema]>([
    ['stand once', { type: 'object', properties: { a: { properties: {} }, b: { properties: {} } } }],
    ['are small', twice({ type: 'string' })],
    ['have an address of their own', twice({ $id: 'part', properties: { next: { $ref: '#' } } })],
    ['have an anchor', twice({ $anchor: 'part', properties: {} })],
    ['have a dynamic anchor', twice({ $dynamicAnchor: 'part', properties: {} })],
    ['begin a recursion', twice({ $recursiveAnchor: true, properties: {} })],
    ['are led to by their place', { ...twice({ properties: {} }), items: { $ref: '#/properties/a' } }],
  ])('stay where they are, when they %s', (_why, schema) => {
    expect(withSharedParts(schema)).toBe(schema);
  });
});

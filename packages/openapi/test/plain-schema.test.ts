import { describe, expect, it } from '@jest/globals';
import { plainSchema } from '../src/document/plain-schema.ts';

const string = { type: 'string' };

describe('a schema that an author has written', () => {
  it.each<[string, unknown, unknown]>([
    ['marks', { type: 'object', $schema: 'x', $async: true, readable: () => true, reference: 'users' }, { type: 'object' }],
    [
      'hidden properties',
      { properties: { a: string, pin: { ...string, hidden: true } }, required: ['a', 'pin'] },
      { properties: { a: string }, required: ['a'] },
    ],
    ['hidden properties in parts', { items: [{ properties: { pin: { hidden: true } } }] }, { items: [{ properties: {} }] }],
    [
      'dates and object ids',
      { items: [{ date: true }, { objectid: true }] },
      {
        items: [
          { type: 'string', format: 'date-time' },
          { type: 'string', pattern: '^[0-9a-fA-F]{24}$' },
        ],
      },
    ],
  ])('loses its %s', (_what, schema, plain) => {
    expect(plainSchema(schema, true)).toEqual(plain);
  });

  it('keeps what is only read, or only written, where that is meant', () => {
    const schema = { properties: { password: { writeOnly: true }, at: { readOnly: true } } };
    expect(plainSchema(schema, true)).toEqual({ properties: { at: { readOnly: true } } });
    expect(plainSchema(schema, false)).toEqual({ properties: { password: { writeOnly: true } } });
  });

  it.each(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas', 'dependencies'])(
    'keeps the names in %s, whatever they are called',
    (keyword) => {
      const names = ['hidden', 'readable', 'date', 'objectid', 'required', 'properties', 'enum', '$schema'];
      const schema = { [keyword]: Object.fromEntries(names.map((name) => [name, { items: { ...string, readable: () => true } }])) };
      expect(plainSchema(schema, true)).toEqual({ [keyword]: Object.fromEntries(names.map((name) => [name, { items: string }])) });
    },
  );

  it('keeps data as it is', () => {
    const data = {
      default: { hidden: 1 },
      enum: [{ date: true }],
      const: { readable: 1 },
      examples: [{ objectid: true }],
      dependentRequired: { hidden: ['date'] },
    };
    expect(plainSchema(data, true)).toEqual(data);
    expect(plainSchema({ dependencies: { a: ['hidden'] } }, true)).toEqual({ dependencies: { a: ['hidden'] } });
    expect([plainSchema(true, true), plainSchema(false, true), plainSchema('text', true)]).toEqual([true, false, {}]);
  });
});

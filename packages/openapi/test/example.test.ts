import { describe, expect, it } from '@jest/globals';
import { exampleOf, UNKNOWN } from '../src/examples/example.ts';
import { textLike } from '../src/examples/pattern-text.ts';

describe('examples', () => {
  it.each<[object, unknown]>([
    [{ type: 'string' }, 'text'],
    [{ type: 'string', minLength: 10 }, 'texttextte'],
    [{ type: 'string', maxLength: 2 }, 'te'],
    [{ type: 'string', pattern: '^[A-Z]{3}-\\d{4}$' }, 'AAA-1111'],
    [{ type: 'string', format: 'email' }, 'someone@example.com'],
    [{ type: 'string', format: 'not-known' }, UNKNOWN],
    [{ type: 'integer', exclusiveMinimum: 5 }, 6],
    [{ type: 'number', maximum: -3 }, -3],
    [{ type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 }, 0.5],
    [{ type: 'integer', multipleOf: 7, minimum: 10 }, 14],
    [{ type: 'integer', minimum: 2, maximum: 1 }, UNKNOWN],
    [{ enum: ['b', 'a'] }, 'b'],
    [{ const: null }, null],
    [{ type: 'string', examples: ['given'] }, 'given'],
    [{ type: 'array', items: { type: 'boolean' }, minItems: 2 }, [true, true]],
    [{ type: 'array', items: { type: 'boolean' }, minItems: 2, uniqueItems: true }, UNKNOWN],
    [{ type: 'array', prefixItems: [{ type: 'string' }, { type: 'null' }], items: false }, ['text', null]],
    [{ anyOf: [{ type: 'string', format: 'not-known' }, { type: 'null' }] }, null],
    [{ allOf: [{ type: 'object', properties: { a: { type: 'integer' } } }, { required: ['a'] }] }, { a: 1 }],
    [{ $ref: '#/components/schemas/Named' }, { name: 'text' }],
    [{ $ref: '#/components/schemas/Tree' }, UNKNOWN],
    [{ type: 'object', properties: { odd: { type: 'string', format: 'odd' } }, required: ['odd'] }, UNKNOWN],
    [{ type: 'object', properties: { odd: { type: 'string', format: 'odd' }, even: { type: 'integer' } } }, { even: 1 }],
    [{ type: 'string', not: { const: 'text' } }, UNKNOWN],
  ])('of %j', (schema, expected) => {
    const tree = { type: 'object', properties: { inner: { $ref: '#/components/schemas/Tree' } }, required: ['inner'] };
    const schemas = { Named: { type: 'object', properties: { name: { type: 'string' } } }, Tree: tree };
    expect(exampleOf(schema as never, schemas)).toEqual(expected);
  });

  it.each(['^a+$', '^(?:ab|cd)*x?$', '^[\\w.]+@[a-z]+\\.com$', '^\\d{2,}$', 'no anchors', '^\\s$', '^.{5}$', '^\\[x\\]$'])(
    'make a text that %s matches',
    (pattern) => {
      expect(textLike(pattern)).toMatch(new RegExp(pattern, 'u'));
    },
  );

  it.each(['^(?=a)b$', '^[^a]$', '(', '^(a)\\1$', '^a{1', `^${'a'.repeat(300)}$`, '^\\p{L}$'])('know no text for %s', (pattern) => {
    expect(textLike(pattern)).toBeUndefined();
  });

  it('make texts of a length', () => {
    expect(textLike('^[a-z]+$', 12)).toBe('a'.repeat(12));
    expect(textLike('^(?:ab){1,9}$', 12)?.length).toBeGreaterThanOrEqual(12);
  });
});

import { Random, Variety } from '@framework-internal/random';
import type { DescribedSchema } from '@framework/core';
import { createAjv } from '@framework/schema';
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
    // Alternatives that exclude each other, and parts that do not go together.
    [{ type: 'object', properties: { a: { const: 1 }, b: { const: 2 } }, oneOf: [{ required: ['a'] }, { required: ['b'] }] }, { a: 1 }],
    [{ type: 'object', properties: { a: { const: 1 }, b: { const: 2 } }, maxProperties: 1, required: ['b'] }, { b: 2 }],
    [{ type: 'object', properties: { a: { const: 'a' } }, patternProperties: { '^a': { type: 'integer' } }, required: ['a'] }, UNKNOWN],
    [{ type: 'object', properties: { a: { const: 'a' } }, patternProperties: { '^a': { type: 'integer' } } }, {}],
    [{ type: 'integer', minimum: 1, allOf: [{ minimum: 10 }] }, UNKNOWN],
    [{ type: 'string', enum: [5] }, UNKNOWN],
    [{ type: 'array', items: { type: 'integer' }, contains: { const: 'a' } }, UNKNOWN],
    [{ type: 'array', items: { type: 'integer' }, maxItems: 0 }, UNKNOWN],
    [{ const: 'a', allOf: [{ not: { const: 'a' } }] }, UNKNOWN],
    [{ const: 'a', allOf: [{ if: { type: 'string' }, then: { type: 'integer' } }] }, UNKNOWN],
    [{ const: 'ab', pattern: '(' }, UNKNOWN],
    [{ examples: [{ a: 1 }], type: 'object', dependentRequired: { a: ['b'] } }, UNKNOWN],
    [{ examples: [{ a: 1 }], type: 'object', propertyNames: { pattern: '^b' } }, UNKNOWN],
    [{ examples: [0.07], type: 'number', multipleOf: 0.01, exclusiveMaximum: 1 }, 0.07],
    [{ examples: [1], type: 'number', exclusiveMaximum: 1 }, UNKNOWN],
  ])('of %j', (schema, expected) => {
    const tree = { type: 'object', properties: { inner: { $ref: '#/components/schemas/Tree' } }, required: ['inner'] };
    const schemas = { Named: { type: 'object', properties: { name: { type: 'string' } } }, Tree: tree };
    expect(exampleOf(schema as never, schemas)).toEqual(expected);
  });

  it('show a schema that contains itself once', () => {
    const refers = { $ref: '#/components/schemas/Person' };
    const kin = ['father', 'mother', 'spouse', 'friend', 'rival', 'boss', 'heir', 'guest'];
    const Person = {
      type: 'object',
      properties: {
        name: { type: 'string' },
        children: { type: 'array', items: refers },
        of: { anyOf: [refers, { type: 'null' }] },
        ...Object.fromEntries(kin.map((name) => [name, { allOf: [refers], description: name }])),
      },
      required: ['name'],
    };
    expect(exampleOf(refers, { Person })).toEqual({ name: 'text', children: [], of: null });
    const given = { ...Person, properties: { ...Person.properties, father: { ...refers, examples: [{ name: 'Bob' }] } } };
    expect(exampleOf(refers, { Person: given })).toEqual({ name: 'text', children: [], of: null, father: { name: 'Bob' } });
  });

  it('end where schemas that lead to several others multiply', () => {
    const level = (number: number): [string, DescribedSchema] => {
      const next = { $ref: `#/components/schemas/L${String(number + 1)}` };
      const parts = Array.from({ length: 8 }, (_, index) => [`p${String(index)}`, number < 7 ? next : { type: 'integer' }] as const);
      return [`L${String(number)}`, { type: 'object', properties: Object.fromEntries(parts) }];
    };
    const schemas = Object.fromEntries(Array.from({ length: 8 }, (_, index) => level(index)));
    expect(JSON.stringify(exampleOf({ $ref: '#/components/schemas/L0' }, schemas)).length).toBeLessThan(20_000);
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

  it('are taken by those who read the document', () => {
    const seed = Number(process.env.EXAMPLE_SEED ?? 20_261_130);
    const random = new Random(seed);
    const variety = new Variety();
    for (let round = 0; round < 400; round++) {
      const schema = someSchema(random, 0);
      const example = exampleOf(schema, {});
      const seen = `seed ${String(seed)}: ${JSON.stringify([schema, example])}`;
      if (example !== UNKNOWN) expect([seen, createAjv({}, '2020-12').compile(schema)(example)]).toEqual([seen, true]);
      variety.tried(seen);
      variety.took(example === UNKNOWN ? 'unknown' : 'made');
    }
    console.log(variety.report('Examples', seed));
    variety.expect(200, { made: 100, unknown: 20 });
  });
});

const NAMES = ['a', 'b', 'c'] as const;

function someSchema(random: Random, depth: number): Record<string, unknown> {
  const inner = (): object => someSchema(random, depth + 1);
  const properties = (): object => Object.fromEntries(NAMES.flatMap((name) => (random.oneIn(2) ? [] : [[name, inner()]])));
  const required = (): string[] => NAMES.filter(() => random.oneIn(3));
  const simple: readonly (() => Record<string, unknown>)[] = [
    () => ({ type: random.pick(['integer', 'number', 'boolean', 'string', 'null']) }),
    () => ({ type: 'integer', minimum: random.below(6) }),
    () => ({ type: 'string', minLength: random.below(9), maxLength: 2 + random.below(9) }),
    () => ({ type: 'string', pattern: random.pick(['^[a-z]+$', '^.$', '^\\d{3}-x$']) }),
    () => ({ enum: [random.pick([1, 'a', null]), 2] }),
    () => ({ type: 'number', multipleOf: random.pick([0.01, 3, 0.5]) }),
    () => ({ required: required() }),
  ];
  const joined: readonly (() => Record<string, unknown>)[] = [
    () => ({ type: 'object', properties: properties(), required: required() }),
    () => ({ type: 'object', properties: properties(), additionalProperties: false, maxProperties: 1 + random.below(2) }),
    () => ({ type: 'object', properties: properties(), patternProperties: { '^a': inner() } }),
    () => ({ type: 'array', items: inner(), minItems: random.below(3), uniqueItems: random.oneIn(2) }),
    () => ({ type: 'array', prefixItems: [inner(), inner()], minItems: random.below(4) }),
    () => ({ allOf: [inner(), inner()] }),
    () => ({ ...inner(), anyOf: [inner(), inner()] }),
    () => ({ type: 'object', properties: properties(), oneOf: [{ required: [random.pick(NAMES)] }, { required: [random.pick(NAMES)] }] }),
    () => ({ oneOf: [inner(), inner()] }),
  ];
  return random.pick(depth > 2 || (depth > 0 && random.oneIn(3)) ? simple : joined)();
}

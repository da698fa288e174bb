import { Random, Variety } from '@framework-internal/testing';
import { describe, expect, it } from '@jest/globals';
import { createAjv } from '../../src/validation/ajv.ts';

const LATER = ['2019-09', '2020-12'] as const;

describe('a schema that means the same in each version of JSON Schema', () => {
  it.each([
    ['properties that an alternative describes which does not hold', { properties: { c: {} }, required: ['c'] }, false],
    ['properties that an alternative describes which holds', { properties: { a: {} } }, true],
    ['all others, which an alternative describes', { additionalProperties: { type: 'integer' } }, true],
  ])('may describe some by patterns beside %s', (_what, first, others) => {
    const schema = { type: 'object', anyOf: [first, { required: ['a'] }], patternProperties: { '^a': { type: 'integer' } } };
    for (const version of LATER) {
      const check = createAjv({}, version).compile(schema);
      expect([version, check({ a: 1 }), check({ a: 'x' }), check({ b: 1 })]).toEqual([version, true, false, others]);
    }
  });

  it('knows by patterns what is no unknown property', () => {
    const alternatives = [{ properties: { c: {} }, required: ['c'] }, { required: ['a'] }];
    for (const version of LATER) {
      const check = createAjv({}, version).compile({ anyOf: alternatives, patternProperties: { '^a': {} }, unevaluatedProperties: false });
      expect([check({ a: 1 }), check({ a: 1, ab: 2 }), check({ a: 1, c: 1 }), check({ a: 1, b: 1 })]).toEqual([true, true, true, false]);
    }
  });

  it('takes the same data', () => {
    const seed = Number(process.env.DIALECTS_SEED ?? 20_261_130);
    const rounds = Number(process.env.DIALECTS_ROUNDS ?? 100);
    const random = new Random(seed);
    const variety = new Variety();
    for (let round = 0; round < rounds; round++) {
      const schema = someSchema(random, 0);
      const first = createAjv({}, 'draft-07').compile(schema);
      const others = LATER.map((version) => createAjv({}, version).compile(schema));
      for (let value = 0; value < 8; value++) {
        const data = someData(random, 0);
        const seen = `seed ${String(seed)}: ${JSON.stringify([schema, data])}`;
        const taken = first(data);
        expect([seen, ...others.map((check) => check(data))]).toEqual([seen, taken, taken]);
        variety.tried(seen);
        variety.took(taken ? 'taken' : 'refused');
        if (JSON.stringify(schema).includes('patternProperties')) variety.took(taken ? 'taken with patterns' : 'refused with patterns');
      }
    }
    console.log(variety.report('Schemas and data', seed));
    variety.expect(rounds * 4, { taken: rounds, refused: rounds, 'taken with patterns': rounds / 4, 'refused with patterns': rounds / 4 });
  });
});

const NAMES = ['a', 'ab', 'b', 'c'] as const;

function someSchema(random: Random, depth: number): Record<string, unknown> {
  if (depth > 2) return random.pick([{}, { type: 'integer' }, { type: 'string' }, { required: [random.pick(NAMES)] }]);
  const inner = (): object => someSchema(random, depth + 1);
  const several = (): object[] => Array.from({ length: 1 + random.below(3) }, inner);
  const parts: Record<string, () => unknown> = {
    properties: () => Object.fromEntries(NAMES.flatMap((name) => (random.oneIn(2) ? [] : [[name, inner()]]))),
    patternProperties: () => ({ [random.pick(['^a', 'b$', '.'])]: inner() }),
    additionalProperties: () => random.pick([false, true, inner()]),
    propertyNames: () => ({ pattern: random.pick(['^.$', 'a', '']) }),
    required: () => [random.pick(NAMES)],
    anyOf: several,
    oneOf: several,
    allOf: several,
    not: inner,
    if: inner,
    then: inner,
    else: inner,
    items: inner,
    contains: inner,
    maxProperties: () => random.below(4),
    minItems: () => random.below(3),
    type: () => random.pick(['object', 'array', 'integer', ['object', 'null']]),
  };
  const names = Object.keys(parts);
  const chosen = Array.from({ length: 1 + random.below(4) }, () => random.pick(names));
  return Object.fromEntries(chosen.map((name) => [name, parts[name]?.()]));
}

function someData(random: Random, depth: number): unknown {
  const inner = (): unknown => someData(random, depth + 1);
  if (depth > 2 || (depth > 0 && random.oneIn(2))) return random.pick([1, 'a', null, true]);
  if (random.oneIn(4)) return Array.from({ length: random.below(4) }, inner);
  return Object.fromEntries(NAMES.flatMap((name) => (random.oneIn(2) ? [] : [[name, inner()]])));
}

import { expect, it } from '@jest/globals';
import { BadRequest } from '@framework/errors';
import { Random, Variety } from '@framework-internal/random';
import { parseQuery, type Query } from '../src/index.ts';

const ALLOWED = new Set(['$in', '$nin', '$lt', '$lte', '$gt', '$gte', '$ne', '$or', '$and', '$limit', '$skip', '$sort', '$select']);
const NAMES = [
  'a',
  'b',
  'a.b',
  '$in',
  '$or',
  '$and',
  '$gt',
  '$where',
  '$expr',
  '$function',
  '$limit',
  '$sort',
  '__proto__',
  'constructor',
  '0',
  '$',
  '$$',
  'x\0',
  '',
];

/** Names that a query may have in this place, and the most likely ones among the others. */
const FITTING = ['a', 'b', '$in', '$nin', '$gt', '$lt', '$ne', '$or', '$and', '$limit', '$sort', '$select'];
const ATOMS = ['text', 5, null, true] as const;

/** Half of the values are what the operator asks for, so that much is accepted; the others are anything. */
function valueOf(name: string, random: Random, depth: number): unknown {
  if (random.oneIn(2) || depth > 5) return shape(random, depth);
  if (name === '$in' || name === '$nin') return Array.from({ length: random.below(4) }, () => random.pick(ATOMS));
  if (name === '$or' || name === '$and') return Array.from({ length: 1 + random.below(2) }, () => objectOf(random, depth + 1));
  if (name === 'a' || name === 'b') return objectOf(random, depth + 1);
  return name === '$sort' ? { a: 1 } : name === '$select' ? ['a'] : 5;
}

function shape(random: Random, depth: number): unknown {
  const kind = random.below(depth > 5 ? 5 : 8);
  if (kind < 5) return [...ATOMS, undefined][kind];
  if (kind === 5) return Array.from({ length: random.below(4) }, () => shape(random, depth + 1));
  return objectOf(random, depth + 1);
}

function objectOf(random: Random, depth: number): object {
  const value: Record<string, unknown> = random.oneIn(2) ? {} : (Object.create(null) as Record<string, unknown>);
  for (let count = random.below(3); count > 0; count--) {
    const name = random.pick(random.oneIn(4) ? NAMES : FITTING);
    Object.defineProperty(value, name, { value: valueOf(name, random, depth), enumerable: true, configurable: true });
  }
  return value;
}

function operatorsIn(value: unknown, found: string[] = []): string[] {
  if (typeof value !== 'object' || value === null) return found;
  for (const [name, inner] of Object.entries(value)) {
    if (name.startsWith('$')) found.push(name);
    operatorsIn(inner, found);
  }
  return found;
}

it('S2 lets no operator through that is not on the list, S8 pollutes nothing: 100,000 shapes', () => {
  const seed = Number(process.env.FUZZ_SEED ?? 20260101);
  const random = new Random(seed);
  const variety = new Variety();
  for (let round = 0; round < 100_000; round++) {
    const query = random.oneIn(20) ? shape(random, 0) : objectOf(random, 0);
    variety.tried(JSON.stringify(query) ?? 'undefined');
    try {
      const { criteria } = parseQuery(query as Query);
      const operators = operatorsIn(criteria);
      for (const name of operators) variety.took(name);
      variety.took('accepted');
      expect(operators.filter((name) => !ALLOWED.has(name))).toEqual([]);
    } catch (error) {
      if (!(error instanceof BadRequest)) throw new Error(`seed ${seed}, round ${round}: ${String(error)}`, { cause: error });
      variety.took('refused');
    }
  }
  process.stdout.write(`${variety.report('queries of any shape', seed)}\n`);
  variety.expect(20_000, { accepted: 1000, refused: 1000, $in: 100, $or: 100, $and: 100, $gt: 100 });
  expect(Object.keys(Object.prototype)).toEqual([]);
});

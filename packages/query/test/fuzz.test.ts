import { expect, it } from '@jest/globals';
import { BadRequest } from '@framework/errors';
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

/** A small generator of random numbers with a seed, so that a failure can be repeated. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

function shape(next: () => number, depth: number): unknown {
  const kind = Math.floor(next() * (depth > 5 ? 5 : 8));
  if (kind < 5) return ['text', 5, null, true, undefined][kind];
  const size = Math.floor(next() * 4);
  if (kind === 5) return Array.from({ length: size }, () => shape(next, depth + 1));
  const value: Record<string, unknown> = kind === 6 ? {} : (Object.create(null) as Record<string, unknown>);
  for (let index = 0; index < size; index++) {
    const name = NAMES[Math.floor(next() * NAMES.length)] as string;
    Object.defineProperty(value, name, { value: shape(next, depth + 1), enumerable: true, configurable: true });
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
  const next = random(seed);
  let accepted = 0;
  for (let round = 0; round < 100_000; round++) {
    const query = shape(next, 0);
    try {
      const { criteria } = parseQuery(query as Query);
      accepted += 1;
      expect(operatorsIn(criteria).filter((name) => !ALLOWED.has(name))).toEqual([]);
    } catch (error) {
      if (!(error instanceof BadRequest)) throw new Error(`seed ${seed}, round ${round}: ${String(error)}`, { cause: error });
    }
  }
  expect(accepted).toBeGreaterThan(1000);
  expect(Object.keys(Object.prototype)).toEqual([]);
});

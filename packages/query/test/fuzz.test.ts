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

/** Names that a query may have beside its conditions, and those that conditions on a field may have. */
const OF_QUERY = ['a', 'b', 'a.b', '$or', '$and', '$limit', '$sort', '$select'];
const OF_FIELD = ['$in', '$nin', '$gt', '$lt', '$ne'];
const NUMBERS = [0, -1, 0.5, 1e308, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53];
const TEXTS = ['', '5', '-1', 'true', 'null', '$in', '__proto__', 'a.b', '\u0000', '\ud800', 'ß', '2026-01-01'];

/** Makes queries of which one part in some is what nobody asked for: a name out of its place, or a value that does not fit its name. */
class Shapes {
  readonly #random: Random;
  readonly #wild: number;

  constructor(random: Random, wild: number) {
    this.#random = random;
    this.#wild = wild;
  }

  any(depth = 0): unknown {
    const kind = this.#random.below(depth > 5 ? 5 : 8);
    if (kind < 5) return kind === 4 ? undefined : this.#atom();
    if (kind === 5) return Array.from({ length: this.#random.below(4) }, () => this.any(depth + 1));
    return this.query(depth);
  }

  query(depth = 0): object {
    return this.#object(OF_QUERY, depth === 0 ? 1 + this.#random.below(4) : this.#random.below(3), depth);
  }

  #object(names: readonly string[], count: number, depth: number): object {
    const value: Record<string, unknown> = this.#random.oneIn(2) ? {} : (Object.create(null) as Record<string, unknown>);
    for (let left = count; left > 0; left--) {
      const name = this.#random.oneIn(this.#wild) ? this.#random.pick([...NAMES, ...OF_FIELD, ...OF_QUERY]) : this.#random.pick(names);
      Object.defineProperty(value, name, { value: this.#valueOf(name, depth), enumerable: true, configurable: true });
    }
    return value;
  }

  #valueOf(name: string, depth: number): unknown {
    if (this.#random.oneIn(this.#wild)) return this.any(depth + 1);
    if (name === '$in' || name === '$nin') return Array.from({ length: this.#random.below(4) }, () => this.#atom());
    if ((name === '$or' || name === '$and') && depth < 4)
      return Array.from({ length: 1 + this.#random.below(2) }, () => this.query(depth + 1));
    if (name === '$sort') return { [this.#random.pick(['a', 'b', 'a.b'])]: this.#random.pick([1, -1, '1', '-1']) };
    if (name === '$select') return this.#random.pick([['a'], ['b'], ['a.b', 'a'], []]);
    if (name === '$limit' || name === '$skip') return this.#random.below(1000);
    return name.startsWith('$') || this.#random.oneIn(2) ? this.#atom() : this.#object(OF_FIELD, 1 + this.#random.below(2), depth + 1);
  }

  /** What is no object: of each kind what may be a border, and as often any other. */
  #atom(): unknown {
    const kind = this.#random.below(4);
    if (kind === 0) return this.#random.oneIn(2) ? this.#random.pick(TEXTS) : `text ${String(this.#random.below(10_000))}`;
    if (kind === 1) return this.#random.oneIn(2) ? this.#random.pick(NUMBERS) : this.#random.below(10_000);
    return kind === 2 ? null : this.#random.oneIn(2);
  }
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
    const shapes = new Shapes(random, random.pick([2, 20, 200]));
    const query = random.oneIn(20) ? shapes.any() : shapes.query();
    variety.tried(JSON.stringify(query) ?? 'undefined');
    try {
      const { criteria } = parseQuery(query as Query);
      const operators = operatorsIn(criteria);
      for (const name of operators) variety.took(name);
      variety.took('accepted');
      const forbidden = operators.filter((name) => !ALLOWED.has(name));
      if (forbidden.length > 0) throw new Error(`let through: ${forbidden.join(', ')}`);
    } catch (error) {
      if (!(error instanceof BadRequest)) throw new Error(`seed ${seed}, round ${round}: ${String(error)}`, { cause: error });
      variety.took('refused');
    }
  }
  process.stdout.write(`${variety.report('queries of any shape', seed)}\n`);
  variety.expect(75_000, {
    accepted: 10_000,
    refused: 10_000,
    $in: 1000,
    $nin: 1000,
    $or: 1000,
    $and: 1000,
    $gt: 1000,
    $lt: 1000,
    $ne: 1000,
  });
  expect(Object.keys(Object.prototype)).toEqual([]);
});

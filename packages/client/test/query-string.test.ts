import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Random, Variety } from '@framework-internal/random';
import { framework, type Params } from '@framework/core';
import { stringifyQuery } from '@framework/query';
import express, { errorHandler, rest } from '@framework/transport-express';
import type { AddressInfo } from 'node:net';

const app = express(framework());
app.configure(rest());
const echo = app.use('echo', { find: async ({ query }: Params = {}) => ({ query }) });
echo.use(errorHandler({ logger: false }));
let url: string;
beforeAll(async () => {
  const server = await echo.listen(0, '127.0.0.1');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/echo`;
});
afterAll(() => echo.close({ timeout: 1000 }));

/** What a server of the framework reads. */
async function read(query: object): Promise<unknown> {
  const answer = await fetch(`${url}?${stringifyQuery(query)}`, { headers: { accept: 'application/json' } });
  const { query: given } = (await answer.json()) as { query: unknown };
  return given;
}

/** All values as text, lists of more than the parser takes as objects with the places as names. */
function asText(value: unknown): unknown {
  if (value === null) return '';
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) {
    const list = value.map(asText);
    return list.length > 20 ? { ...list } : list;
  }
  return typeof value === 'object'
    ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, asText(inner)]))
    : String(value);
}

const TEXTS = ['a', '', 'a b', '100%', 'a&b=c', '[x]', 'é', '😀', '+', '#?/', '__proto__', 'a.b', '\u0000', '%5B', '\'"', ','];
const NAMES = ['a', 'name', 'a.b', 'é', 'x y', '$gt', '$in', 'q&=', '%', '😀', "it's"];

class Queries {
  readonly random: Random;

  constructor(random: Random) {
    this.random = random;
  }

  scalar(): unknown {
    const { random } = this;
    return random.pick<() => unknown>([
      () => random.pick(TEXTS),
      () => random.below(1000) - 500,
      () => random.below(1000) / 7,
      () => random.oneIn(2),
      () => null,
      () => new Date(random.below(2_000_000_000) * 1000),
      () => BigInt(random.below(1_000_000)) ** 3n,
    ])();
  }

  object(depth: number): Record<string, unknown> {
    const count = 1 + this.random.below(3);
    const names = Array.from({ length: count }, () => this.random.pick(NAMES));
    return Object.fromEntries(names.map((name) => [name, this.value(depth - 1)]));
  }

  value(depth: number): unknown {
    const { random } = this;
    if (depth <= 0 || random.oneIn(2)) return this.scalar();
    if (random.oneIn(3)) return this.object(depth);
    const count = random.oneIn(10) ? 21 + random.below(5) : 1 + random.below(5);
    if (depth > 1 && random.oneIn(3)) return Array.from({ length: Math.min(count, 20) }, () => this.object(depth - 1));
    return Array.from({ length: count }, () => this.scalar());
  }
}

describe('query strings', () => {
  it('are read by the server as they were meant, whatever they hold', async () => {
    const seed = Number(process.env.QUERY_SEED ?? 20_261_122);
    const rounds = Number(process.env.QUERY_RUNS ?? 500);
    const queries = new Queries(new Random(seed));
    const variety = new Variety();
    for (let round = 0; round < rounds; round++) {
      const query = queries.object(5);
      const text = stringifyQuery(query);
      if (text.length > 7000) continue;
      variety.tried(text);
      if (text.includes('%5B%5D')) variety.took('lists');
      if (/%5B0%5D%5B/.test(text)) variety.took('lists of objects');
      expect({ text, query: await read(query) }).toEqual({ text, query: asText(query) });
    }
    console.log(variety.report('query strings', seed));
    variety.expect(rounds * 0.75, { lists: rounds / 10, 'lists of objects': rounds / 40 });
  });

  it.each<[string, object, string]>([
    ['a condition that is undefined', { name: undefined }, "'name' is undefined"],
    ['an operand that is undefined', { name: { $gt: 1, $lt: undefined } }, "'$lt' is undefined"],
    ['an empty list', { id: { $in: [] } }, "'id[$in]' is empty"],
    ['an empty object', { a: {} }, "'a' is empty"],
    ['an empty $or', { $or: [] }, "'$or' is empty"],
    ['a number that is none', { a: NaN }, "'a' is NaN"],
    ['infinity', { a: { $gt: Infinity } }, "'$gt' is Infinity"],
    ['a function', { a: () => 1 }, "'a' is"],
    ['a symbol', { a: Symbol('s') }, "'a' is Symbol(s)"],
    ['a pattern', { a: /x/ }, "'a' is empty"],
    ['a map', { a: new Map([[1, 2]]) }, "'a' is empty"],
    ['a name with a bracket', { 'a[b]': 1 }, 'no name'],
    ['no name', { '': 1 }, 'no name'],
    ['an object that would come as a list', { a: { 0: 'x' } }, 'come as a list'],
  ])('do not say %s, and are refused', (_, query, message) => {
    expect(() => stringifyQuery(query)).toThrow(TypeError);
    expect(() => stringifyQuery(query)).toThrow(message);
  });

  it('leave filters out that are not set, and are empty for an empty query', () => {
    expect(stringifyQuery({ $limit: undefined, $skip: undefined, $sort: {}, $select: [], $after: undefined })).toBe('');
    expect(stringifyQuery({})).toBe('');
    expect(stringifyQuery({ $limit: 5, $sort: { at: -1 } })).toBe('$limit=5&$sort%5Bat%5D=-1');
  });

  it('refuse a query that holds itself', () => {
    const query: Record<string, unknown> = {};
    query.a = query;
    expect(() => stringifyQuery(query)).toThrow(TypeError);
  });
});

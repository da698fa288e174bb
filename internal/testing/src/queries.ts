import type { Random } from '@framework-internal/random';

type Row = Record<string, unknown>;

/** Values of the properties of generated records, a few of each, so that conditions meet them. */
const VALUES: Readonly<Record<string, readonly unknown[]>> = {
  n: [1, 2, 3.5, -1, 0, 1e15, null],
  s: ['a', 'b', 'B', '', 'ab', 'é', 'z', null],
  b: [true, false, null],
  d: [new Date(0), new Date(1e9), new Date(2e9), null],
  mixed: [1, 'a', true, null, new Date(5), 'b', 2],
  'o.x': [1, 2, 3, 'a', null],
};
const FIELDS: readonly string[] = Object.keys(VALUES);
const OPERATORS: readonly string[] = ['$gt', '$gte', '$lt', '$lte', '$ne', '$in', '$nin'];

/** Makes records, and queries of the common syntax that find some of them. */
export class QueryGenerator {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  /** @returns records with numbers for ids, in which each property may be missing */
  records(count: number): (Row & { _id: number })[] {
    return Array.from({ length: count }, (_, index) => {
      const row: Row & { _id: number } = { _id: index };
      for (const field of FIELDS) {
        if (this.#random.oneIn(5)) continue;
        const value = this.#valueOf(field);
        if (field === 'o.x') row.o = { x: value };
        else row[field] = value;
      }
      return row;
    });
  }

  /** @returns a query whose order leaves nothing open */
  query(): Row {
    const random = this.#random;
    const query = this.criteria(2);
    const names = random.oneIn(2) ? [] : [random.pick(FIELDS), random.pick(FIELDS)];
    query.$sort = Object.fromEntries([...new Set([...names, '_id'])].map((name) => [name, random.pick([1, -1])]));
    if (random.oneIn(4)) query.$limit = random.below(20);
    if (random.oneIn(4)) query.$skip = random.below(20);
    if (random.oneIn(4)) query.$select = [random.pick(FIELDS)];
    return query;
  }

  /** @returns conditions, with `$or` and `$and` nested so deep at most */
  criteria(depth: number): Row {
    const random = this.#random;
    const query: Row = {};
    for (const field of FIELDS) if (random.oneIn(4)) query[field] = this.#condition(field);
    if (depth > 0 && random.oneIn(3))
      query[random.pick(['$or', '$and'])] = Array.from({ length: 1 + random.below(3) }, () => this.criteria(depth - 1));
    return query;
  }

  #condition(field: string): unknown {
    const random = this.#random;
    if (random.oneIn(3)) return this.#valueOf(field);
    const operators: Row = {};
    for (let count = 1 + random.below(2); count > 0; count--) {
      const operator = random.pick(OPERATORS);
      const list = operator === '$in' || operator === '$nin';
      operators[operator] = list ? Array.from({ length: random.below(4) }, () => this.#valueOf(field)) : this.#valueOf(field);
    }
    return operators;
  }

  #valueOf(field: string): unknown {
    return this.#random.pick(VALUES[field] ?? []);
  }
}

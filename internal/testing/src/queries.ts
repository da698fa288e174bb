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
/** Properties with lists, and inside of them. */
const LISTS: Readonly<Record<string, readonly unknown[]>> = {
  tags: ['a', 'b', 'c', 1, null, [], ['a'], ['b', 'a'], ['a', 1]],
  'items.k': [1, 2, 3, null, 'a'],
  'tags.0': ['a', 'b', 1, null],
};
const OPERATORS: readonly string[] = ['$gt', '$gte', '$lt', '$lte', '$ne', '$in', '$nin'];

/** Makes records, and queries of the common syntax that find some of them. */
export class QueryGenerator {
  readonly #random: Random;
  readonly #values: Readonly<Record<string, readonly unknown[]>>;
  readonly #fields: readonly string[];

  /** @param lists whether records have lists, and queries look into them. Default: `false` */
  constructor(random: Random, lists = false) {
    this.#random = random;
    this.#values = lists ? { ...VALUES, ...LISTS } : VALUES;
    this.#fields = Object.keys(this.#values);
  }

  /** @returns records with numbers for ids, in which each property may be missing */
  records(count: number): (Row & { _id: number })[] {
    return Array.from({ length: count }, (_, index) => ({ _id: index, ...this.data() }));
  }

  /** @returns properties of a record, each of which may be missing */
  data(): Row {
    const row: Row = {};
    for (const field of this.#fields) {
      if (this.#random.oneIn(5) || field === 'tags.0') continue;
      const value = this.#valueOf(field);
      if (field === 'o.x') row.o = { x: value };
      else if (field === 'items.k') row.items = this.#items(value);
      else row[field] = value;
    }
    return row;
  }

  #items(value: unknown): unknown {
    const more = Array.from({ length: this.#random.below(3) }, () =>
      this.#random.oneIn(4) ? { other: 1 } : { k: this.#valueOf('items.k') },
    );
    return this.#random.oneIn(4) ? { k: value } : [...more, ...(this.#random.oneIn(5) ? ['a'] : [{ k: value }])];
  }

  /** @returns a query whose order leaves nothing open */
  query(): Row {
    const random = this.#random;
    const query = this.criteria(2);
    const names = random.oneIn(2) ? [] : [random.pick(this.#fields), random.pick(this.#fields)];
    query.$sort = Object.fromEntries([...new Set([...names, '_id'])].map((name) => [name, random.pick([1, -1])]));
    if (random.oneIn(4)) query.$limit = random.below(20);
    if (random.oneIn(4)) query.$skip = random.below(20);
    if (random.oneIn(4)) query.$select = [random.pick(this.#fields)];
    return query;
  }

  /** @returns conditions, with `$or` and `$and` nested so deep at most */
  criteria(depth: number): Row {
    const random = this.#random;
    const query: Row = {};
    for (const field of this.#fields) if (random.oneIn(4)) query[field] = this.#condition(field);
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
    return this.#random.pick(this.#values[field] ?? []);
  }
}

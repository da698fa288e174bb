import type { Id, NullableId, Paginated, Params } from '@framework/core';
import { BadRequest, MethodNotAllowed, NotFound } from '@framework/errors';
import {
  compareValues,
  parseQuery,
  selectFields,
  sorter,
  type PaginationOptions,
  type ParsedQuery,
  type QueryOptions,
} from '@framework/query';

/** Options of a {@link MemoryService}. */
export interface MemoryServiceOptions {
  id?: string;
  paginate?: PaginationOptions | false;
  multi?: boolean | readonly string[];
  startId?: number;
  store?: readonly Record<string, unknown>[];
}

type Row = Record<string, unknown>;

/** A service in memory with the plain meaning of the query syntax: the oracle that adapters are compared with. */
export class MemoryService {
  readonly options: Required<Omit<MemoryServiceOptions, 'store'>>;
  readonly store = new Map<string, Row>();
  nextId: number;

  constructor({ store = [], ...options }: MemoryServiceOptions = {}) {
    this.options = { id: 'id', paginate: false, multi: false, startId: 0, ...options };
    this.nextId = this.options.startId;
    for (const row of store) this.store.set(String(row[this.id]), { ...row });
  }

  get id(): string {
    return this.options.id;
  }

  async find(params: Params & { paginate?: PaginationOptions | false } = {}): Promise<Row[] | Paginated<Row>> {
    const paginate = params.paginate ?? this.options.paginate;
    const query = this.parse(params, paginate);
    const all = this.matching(query);
    const skip = query.skip ?? 0;
    const page = all.slice(skip, query.limit === undefined ? undefined : skip + query.limit).map((row) => this.shown(row, query));
    return paginate && paginate.default !== undefined ? { total: all.length, limit: query.limit ?? 0, skip, data: page } : page;
  }

  async get(id: Id, params: Params = {}): Promise<Row> {
    const query = this.parse(params);
    return this.shown(this.one(id, query), query);
  }

  async create(data: Row | Row[], params: Params = {}): Promise<Row | Row[]> {
    const query = this.parse(params);
    if (!Array.isArray(data)) return this.shown(this.insert(data), query);
    this.checkMulti('create');
    return data.map((row) => this.shown(this.insert(row), query));
  }

  async update(id: NullableId, data: Row, params: Params = {}): Promise<Row> {
    if (id === null || Array.isArray(data)) throw new BadRequest("You can not replace multiple instances. Did you mean 'patch'?");
    const query = this.parse(params);
    const old = this.one(id, query);
    const row = { ...data, [this.id]: old[this.id] };
    this.store.set(String(old[this.id]), row);
    return this.shown(row, query);
  }

  async patch(id: NullableId, data: Row, params: Params = {}): Promise<Row | Row[]> {
    const query = this.parse(params);
    const change = (old: Row): Row => {
      const row = { ...old, ...data, [this.id]: old[this.id] };
      this.store.set(String(old[this.id]), row);
      return this.shown(row, query);
    };
    if (id !== null) return change(this.one(id, query));
    this.checkMulti('patch');
    return this.matching(query).map(change);
  }

  async remove(id: NullableId, params: Params = {}): Promise<Row | Row[]> {
    const query = this.parse(params);
    const remove = (row: Row): Row => {
      this.store.delete(String(row[this.id]));
      return this.shown(row, query);
    };
    if (id !== null) return remove(this.one(id, query));
    this.checkMulti('remove');
    return this.matching(query).map(remove);
  }

  private parse(params: Params, paginate: PaginationOptions | false = false): ParsedQuery {
    const options: QueryOptions = { paginate };
    return parseQuery(params.query, options);
  }

  private insert(data: Row | null): Row {
    if (typeof data !== 'object' || data === null || Array.isArray(data)) throw new BadRequest('The data must be an object');
    const row = { [this.id]: data[this.id] ?? this.nextId++, ...data };
    this.store.set(String(row[this.id]), row);
    return row;
  }

  private one(id: Id, query: ParsedQuery): Row {
    const row = this.store.get(String(id));
    if (!row || !matches(row, query.criteria)) throw new NotFound(`No record found for id '${String(id)}'`);
    return row;
  }

  private matching(query: ParsedQuery): Row[] {
    const rows = [...this.store.values()].filter((row) => matches(row, query.criteria));
    return query.sort ? rows.sort(sorter(query.sort)) : rows;
  }

  private shown(row: Row, query: ParsedQuery): Row {
    return query.select ? selectFields(row, [...query.select, this.id]) : { ...row };
  }

  private checkMulti(method: string): void {
    const { multi } = this.options;
    if (!(typeof multi === 'boolean' ? multi : multi.includes(method))) throw new MethodNotAllowed(`Can not ${method} multiple entries`);
  }
}

function matches(row: Row, criteria: Readonly<Row>): boolean {
  return Object.entries(criteria).every(([name, condition]) => {
    if (name === '$or') return (condition as Row[]).some((branch) => matches(row, branch));
    if (name === '$and') return (condition as Row[]).every((branch) => matches(row, branch));
    const value = name
      .split('.')
      .reduce<unknown>((inner, part) => (typeof inner === 'object' && inner !== null ? (inner as Row)[part] : undefined), row);
    return test(value, condition);
  });
}

function test(value: unknown, condition: unknown): boolean {
  const operators = typeof condition === 'object' && condition !== null && Object.keys(condition).some((key) => key.startsWith('$'));
  if (!operators) return equals(value, condition);
  return Object.entries(condition).every(([operator, operand]) => {
    switch (operator) {
      case '$in':
        return (operand as unknown[]).some((entry) => equals(value, entry));
      case '$nin':
        return !(operand as unknown[]).some((entry) => equals(value, entry));
      case '$ne':
        return !equals(value, operand);
      default:
        return ordered(operator, value, operand);
    }
  });
}

function equals(value: unknown, wanted: unknown): boolean {
  if (wanted === null) return value === null || value === undefined;
  return value !== undefined && value !== null && typeof value === typeof wanted && compareValues(value, wanted) === 0;
}

/** Only values of one type have an order. */
function ordered(operator: string, value: unknown, operand: unknown): boolean {
  if (operand === null) return (operator === '$gte' || operator === '$lte') && (value === null || value === undefined);
  if (typeof value !== typeof operand || value === null) return false;
  const order = compareValues(value, operand);
  if (operator === '$gt') return order > 0;
  if (operator === '$gte') return order >= 0;
  return operator === '$lt' ? order < 0 : order <= 0;
}

import type { DescribedSchema } from '@framework/core';
import { plainSchema } from './plain-schema.ts';
import type { DescribedCall } from './calls.ts';
import type { Components } from './components.ts';
import { docsOfMethod, ownMethod, type DescribedService } from './described-service.ts';

/** Told what a method does not declare. */
export type Missing = (method: string, what: string) => void;

/** What methods of one service take and give, as schemas of the document. */
export class Bodies {
  readonly #service: DescribedService;
  readonly #components: Components;
  readonly #missing: Missing;

  constructor(service: DescribedService, components: Components, missing: Missing) {
    this.#service = service;
    this.#components = components;
    this.#missing = missing;
  }

  /** @returns the schema of the data of a method; `undefined` where it is not declared */
  data(method: string): DescribedSchema | undefined {
    const docs = docsOfMethod(this.#service, method);
    const own = ownMethod(this.#service, method)?.data;
    if (docs !== false && docs.data !== undefined) return this.ofAuthor(docs.data, false);
    if (own !== undefined) return this.#components.written(own);
    const schema = this.#recordData(method);
    if (schema === undefined) this.#missing(method, 'data');
    return schema;
  }

  /** @returns the schema of what a call gives; `false` for nothing, `undefined` where it is not declared */
  result({ method, many }: DescribedCall): DescribedSchema | undefined {
    const docs = docsOfMethod(this.#service, method);
    const own = ownMethod(this.#service, method)?.result;
    if (docs !== false && docs.result !== undefined) return this.ofAuthor(docs.result, true);
    if (own !== undefined) return this.#components.written(own);
    const schema = this.#recordResult(method, many);
    if (schema === undefined) this.#missing(method, 'result');
    return schema;
  }

  /**
   * A schema of an author, which may bring definitions along.
   *
   * @param isSent whether the server sends the value
   */
  ofAuthor(schema: DescribedSchema | object, isSent: boolean): DescribedSchema {
    const plain = plainSchema(schema, isSent, this.#service.viewer);
    if (typeof plain === 'boolean') return plain;
    const { $defs, ...rest } = plain;
    return this.#components.written(rest, objectOf($defs));
  }

  #recordData(method: string): DescribedSchema | undefined {
    const { records, collection, name } = this.#service;
    if (method !== 'create' && method !== 'update' && method !== 'patch') return undefined;
    const schema = records?.[method];
    if (!records) return collection === undefined ? undefined : this.#unknown(method, 'records');
    if (schema === undefined) return this.#unknown(method, 'data');
    const data = this.#components.written(schema, records.definitions);
    const isWhole = method === 'update' && records.create !== undefined && JSON.stringify(schema) === JSON.stringify(records.create);
    const ending = method === 'create' || isWhole ? 'Data' : method === 'update' ? 'Update' : 'Patch';
    return this.#components.add(`${name}${ending}`, data);
  }

  #recordResult(method: string, many: boolean): DescribedSchema | undefined {
    const { records, collection, path } = this.#service;
    if (!records && !collection) return undefined;
    const record = records ? this.#components.record(path) : this.#unknown(method, 'records');
    const list: DescribedSchema = { type: 'array', items: record };
    switch (method) {
      case 'find':
        return this.#list(list, record);
      case 'get':
      case 'update':
        return record;
      case 'create':
        return this.takesSeveral('create') ? { anyOf: [record, list] } : record;
      case 'patch':
      case 'remove':
        return many ? this.#changed(list) : record;
      default:
        return undefined;
    }
  }

  #list(list: DescribedSchema, record: DescribedSchema): DescribedSchema {
    const { collection, name } = this.#service;
    if (!collection) {
      this.#missing('find', 'pages');
      return { anyOf: [list, this.#components.add(`${name}Page`, page(record, false))] };
    }
    const { paginate, cursors } = collection;
    const isPaged = paginate !== false && (paginate.default !== undefined || paginate.max !== undefined);
    return isPaged ? this.#components.add(`${name}Page`, page(record, cursors)) : list;
  }

  #changed(list: DescribedSchema): DescribedSchema {
    const { returning = 'records', id = 'id' } = this.#service.collection ?? {};
    if (returning === 'count') return { type: 'object', properties: { count: { type: 'integer', minimum: 0 } }, required: ['count'] };
    return returning === 'ids' ? { type: 'array', items: { type: 'object', properties: { [id]: {} }, required: [id] } } : list;
  }

  /** @returns whether a call may create several records */
  takesSeveral(method: string): boolean {
    const { multi = false } = this.#service.collection ?? {};
    return multi === true || (Array.isArray(multi) && multi.includes(method));
  }

  #unknown(method: string, what: string): DescribedSchema {
    this.#missing(method, what);
    return { type: 'object' };
  }
}

function page(record: DescribedSchema, cursors: boolean): DescribedSchema {
  const cursor = (description: string): DescribedSchema => ({ anyOf: [{ type: 'string' }, { type: 'null' }], description });
  return {
    type: 'object',
    properties: {
      total: { type: 'integer', minimum: -1, description: 'Records that match, over all pages; -1 where they are not counted.' },
      limit: { type: 'integer', minimum: 0, description: 'Most records of the page.' },
      skip: { type: 'integer', minimum: 0, description: 'Records that were left out first.' },
      data: { type: 'array', items: record },
      capped: { type: 'boolean', description: 'Whether there are more than `total` says.' },
      ...(cursors
        ? { next: cursor('Cursor of the next page; null on the last.'), previous: cursor('Cursor of the page before; null on the first.') }
        : {}),
    },
    required: ['total', 'limit', 'skip', 'data'],
  };
}

function objectOf(value: unknown): Readonly<Record<string, DescribedSchema>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

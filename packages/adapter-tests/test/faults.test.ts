import { MemoryService } from '@framework/adapter-memory';
import { describe, expect, it } from '@jest/globals';
import { adapterCases, type CaseOptions, type CaseService } from '../src/index.ts';

type Row = Record<string, any>;
type Params = { query?: Row; paginate?: unknown; provider?: string; precondition?: unknown };

/** An adapter that does everything right. */
class Right extends MemoryService<any, any, any, any> {}

/** What an adapter may do wrong, each of which at least one case has to notice. */
const FAULTS: Readonly<Record<string, (base: typeof Right) => typeof Right>> = {
  'update merges': (base) =>
    class extends base {
      override async update(id: any, data: any, params?: Params): Promise<any> {
        if (id === null || Array.isArray(data)) return super.update(id, data, params);
        return super.patch(id, data, params);
      }
    },
  'patch replaces': (base) =>
    class extends base {
      override async patch(id: any, data: any, params?: Params): Promise<any> {
        return id === null ? super.patch(id, data, params) : super.update(id, data, params);
      }
    },
  'update makes what is not there': (base) =>
    class extends base {
      override async update(id: any, data: any, params?: Params): Promise<any> {
        return super.update(id, data, params).catch((error: unknown) => {
          if ((error as { code: number }).code === 404 && params?.query === undefined) return super.create({ ...data, [this.id]: id });
          throw error;
        });
      }
    },
  'update of null replaces the first': (base) =>
    class extends base {
      override async update(id: any, data: any, params?: Params): Promise<any> {
        const [first] = (await super.find({ paginate: false })) as Row[];
        return super.update(id === null && first ? first[this.id] : id, data, params);
      }
    },
  'get ignores the query': (base) =>
    class extends base {
      override async get(id: any, { query, ...params }: Params = {}): Promise<any> {
        return super.get(id, query?.$select === undefined ? params : { ...params, query: { $select: query.$select } });
      }
    },
  'writes find, and then write without the condition': (base) =>
    class extends base {
      override async patch(id: any, data: any, params: Params = {}): Promise<any> {
        if (id === null || params.query === undefined || params.precondition) return super.patch(id, data, params);
        await super.get(id, { query: params.query });
        await Promise.resolve();
        return super.patch(id, data, { ...params, query: params.query.$select === undefined ? {} : { $select: params.query.$select } });
      }
    },
  'remove ignores the query': (base) =>
    class extends base {
      override async remove(id: any, { query, ...params }: Params = {}): Promise<any> {
        return id === null
          ? super.remove(id, { ...params, query })
          : super.remove(id, query?.$select === undefined ? params : { ...params, query: { $select: query.$select } });
      }
    },
  'remove of several removes all': (base) =>
    class extends base {
      override async remove(id: any, params?: Params): Promise<any> {
        return id === null &&
          this.allowsMulti('remove') &&
          params?.query &&
          Object.keys(params.query).every((name) => !name.startsWith('$'))
          ? super.remove(null)
          : super.remove(id, params);
      }
    },
  'remove gives nothing back': (base) =>
    class extends base {
      override async remove(id: any, params?: Params): Promise<any> {
        await super.remove(id, params);
        return id === null ? [] : {};
      }
    },
  'multi is always on': (base) =>
    class extends base {
      override allowsMulti(): boolean {
        return true;
      }
    },
  'multi of one method is that of all': (base) =>
    class extends base {
      override allowsMulti(): boolean {
        const { multi } = this.options;
        return typeof multi === 'boolean' ? multi : multi.length > 0;
      }
    },
  'a patch of several gives only what still matches': (base) =>
    class extends base {
      override async patch(id: any, data: any, params?: Params): Promise<any> {
        const result = await super.patch(id, data, params);
        return id === null ? super.find({ ...params, paginate: false }) : result;
      }
    },
  'writes to several stop at the page': (base) =>
    class extends base {
      override async remove(id: any, params: Params = {}): Promise<any> {
        const limit = params.query?.$limit;
        if (id !== null || limit === undefined) return super.remove(id, params);
        const some = (await super.find({ query: params.query ?? {}, paginate: false })) as Row[];
        return Promise.all(some.map((record) => super.remove(record[this.id])));
      }
    },
  'records are shared': (base) =>
    class extends base {
      readonly #shared = new Map<string, Row>();
      override async create(data: any, params?: Params): Promise<any> {
        const made = await super.create(data, params);
        if (!Array.isArray(made)) this.#shared.set(String(made[this.id]), made);
        return made;
      }
      override async get(id: any, params?: Params): Promise<any> {
        const right = await super.get(id, params);
        const shared = this.#shared.get(String(id));
        return shared !== undefined && params === undefined && shared.tags !== undefined ? shared : right;
      }
    },
  'the data becomes the record': (base) =>
    class extends base {
      override async create(data: any, params?: Params): Promise<any> {
        const made = await super.create(data, params);
        return Array.isArray(data) ? made : Object.assign(data, made);
      }
    },
  'an id that is taken is overwritten': (base) =>
    class extends base {
      override async create(data: any, params?: Params): Promise<any> {
        return super.create(data, params).catch((error: unknown) => {
          if ((error as { code: number }).code === 409) return super.update(data[this.id], data);
          throw error;
        });
      }
    },
  'ids are 404 whatever they are': (base) =>
    class extends base {
      override async get(id: any, params?: Params): Promise<any> {
        return super.get(typeof id === 'object' ? 'nothing' : id, params);
      }
    },
  'the id can be patched': (base) =>
    class extends base {
      override async patch(id: any, data: any, params?: Params): Promise<any> {
        const result = await super.patch(id, data, params);
        const wanted = data?.[this.id];
        if (id === null || wanted === undefined) return result;
        await super.remove(id);
        return super.create({ ...result, [this.id]: wanted });
      }
    },
  'the id is left out of what is selected': (base) =>
    class extends base {
      override async find(params: Params = {}): Promise<any> {
        const found = await super.find(params);
        if (!Array.isArray(found) || params.query?.$select === undefined) return found;
        return found.map(({ [this.id]: _id, ...record }: Row) => record);
      }
    },
  '$select does nothing for create': (base) =>
    class extends base {
      override async create(data: any, params: Params = {}): Promise<any> {
        const { $select: _select, ...query } = params.query ?? {};
        return super.create(data, { ...params, query });
      }
    },
  'numbers and texts are the same': (base) =>
    class extends base {
      override async find(params: Params = {}): Promise<any> {
        const { n, ...query } = params.query ?? {};
        return typeof n === 'number' ? super.find({ ...params, query: { ...query, n: { $in: [n, String(n)] } } }) : super.find(params);
      }
    },
  'what is missing is not null': (base) =>
    class extends base {
      override async find(params: Params = {}): Promise<any> {
        const found = await super.find(params);
        return Array.isArray(found) && params.query && 'n' in params.query && params.query.n === null
          ? found.filter((record: Row) => 'n' in record)
          : found;
      }
    },
  '$or forgets the conditions beside it': (base) =>
    class extends base {
      override async find(params: Params = {}): Promise<any> {
        const { query = {} } = params;
        if (!Array.isArray(query.$or)) return super.find(params);
        const kept = Object.entries(query).filter(([name]) => name.startsWith('$'));
        return super.find({ ...params, query: Object.fromEntries(kept) });
      }
    },
  'sorts as text': (base) =>
    class extends base {
      override async find(params: Params = {}): Promise<any> {
        const found = await super.find(params);
        const [name, direction] = Object.entries(params.query?.$sort ?? {})[0] ?? [];
        if (!Array.isArray(found) || name !== 'n') return found;
        return found.sort((a: Row, b: Row) => (String(a.n) < String(b.n) ? -1 : 1) * Number(direction));
      }
    },
  'unknown operators are ignored': (base) =>
    class extends base {
      override async find(params: Params = {}): Promise<any> {
        const { n, ...query } = params.query ?? {};
        const { $wrong: _wrong, ...known } = typeof n === 'object' && n !== null && !Array.isArray(n) ? n : { $wrong: undefined, n };
        return super.find(_wrong === undefined ? params : { ...params, query: { ...query, n: known } });
      }
    },
  'the total is that of the page': (base) =>
    class extends base {
      override async find(params?: Params): Promise<any> {
        const found: any = await super.find(params);
        return Array.isArray(found) ? found : { ...found, total: found.data.length };
      }
    },
  'the largest page is not looked at': (base) =>
    class extends base {
      override async find(params: Params = {}): Promise<any> {
        const asked = Number(params.query?.$limit);
        return super.find(
          asked > 0 && params.paginate === undefined ? { ...params, paginate: { ...(this.options.paginate || {}), max: asked } } : params,
        );
      }
    },
  '$limit of 0 gives all': (base) =>
    class extends base {
      override async find(params: Params = {}): Promise<any> {
        const { $limit: limit, ...query } = params.query ?? {};
        return super.find(limit === 0 ? { ...params, query } : params);
      }
    },
  'operators in data from outside are taken': (base) =>
    class extends base {
      override async create(data: any, params: Params = {}): Promise<any> {
        const { $set, ...rest } = data ?? {};
        return super.create($set === undefined || Array.isArray(data) ? data : { ...rest, ...$set }, params);
      }
    },
  'hidden properties can be sorted by': (base) =>
    class extends base {
      override async find(params: Params = {}): Promise<any> {
        const { $sort, ...query } = params.query ?? {};
        return super.find($sort?.secret === undefined ? params : { ...params, query });
      }
    },
  'versions stay': (base) =>
    class extends base {
      override async patch(id: any, data: any, params?: Params): Promise<any> {
        const { version } = this.options;
        const result = await super.patch(id, data, params);
        return version === undefined || id === null ? result : { ...result, [version]: 'always the same' };
      }
    },
  'preconditions are looked at before the write': (base) =>
    class extends base {
      override async patch(id: any, data: any, { precondition, ...params }: Params = {}): Promise<any> {
        if (id === null || precondition === undefined)
          return super.patch(id, data, { ...params, ...(precondition === undefined ? {} : { precondition }) });
        const { versions } = precondition as { versions?: unknown };
        const found = await super.get(id).catch(() => undefined);
        // The right answer, a moment too early.
        if (!Array.isArray(versions) || !versions.includes(found?.v)) return super.patch(id, data, { ...params, precondition });
        await new Promise((resolve) => setImmediate(resolve));
        return super.patch(id, data, params);
      }
    },
  'cursors are numbers of records': (base) =>
    class extends base {
      override async find(params: Params = {}): Promise<any> {
        const { $after, ...query } = params.query ?? {};
        if (typeof $after !== 'string' || !/^\d+$/.test($after)) {
          const page: any = await super.find(params);
          return typeof page.next === 'string' ? { ...page, next: '2' } : page;
        }
        const page: any = await super.find({ ...params, query: { ...query, $skip: Number($after) } });
        return { ...page, next: String(Number($after) + 2), previous: null };
      }
    },
  'long cursors are not read': (base) =>
    class extends base {
      override async find(params: Params = {}): Promise<any> {
        if (String(params.query?.$after ?? params.query?.$before).length > 1_000)
          throw Object.assign(new Error('Not a cursor'), { code: 400 });
        return super.find(params);
      }
    },
  'several with one id are made as one': (base) =>
    class extends base {
      override async create(data: any, params?: Params): Promise<any> {
        if (!Array.isArray(data)) return super.create(data, params);
        const last = new Map(data.map((row: any, index) => [row?.[this.id] ?? index, row]));
        const made = (await super.create([...last.values()], params)) as Row[];
        return data.map((row: any, index) => made.find((each) => each[this.id] === row[this.id]) ?? made[index]);
      }
    },
  'create of several keeps those before one that fails': (base) =>
    class extends base {
      override async create(data: any, params?: Params): Promise<any> {
        if (!Array.isArray(data) || params?.provider !== undefined) return super.create(data, params);
        return super.create(data, params).catch(async (error: unknown) => {
          await super.create(data.slice(0, 1), params);
          throw error;
        });
      }
    },
  'update and patch put the id into what they were given': (base) =>
    class extends base {
      override async update(id: any, data: any, params?: Params): Promise<any> {
        const record = await super.update(id, data, params);
        return Object.assign(data, { [this.id]: record[this.id] }) && record;
      }
    },
  'patch writes what it has read before': (base) =>
    class extends base {
      override async patch(id: any, data: any, params: Params = {}): Promise<any> {
        if (id === null || params.query !== undefined || params.precondition || params.provider) return super.patch(id, data, params);
        const { [this.id]: _id, ...before } = (await super.get(id)) as Row;
        await Promise.resolve();
        return super.update(id, { ...before, ...(await super.patch(id, data, params).then(() => data)) }, params);
      }
    },
  'remove of what has gone meanwhile gives what was there': (base) =>
    class extends base {
      override async remove(id: any, params?: Params): Promise<any> {
        if (id === null) return super.remove(id, params);
        const record = await super.get(id, params);
        return super.remove(id, params).catch(() => record);
      }
    },
  'pages end at an object': (base) =>
    class extends base {
      override async find(params: Params = {}): Promise<any> {
        const page: any = await super.find(params);
        const last = page.data?.at(-1)?.v;
        return typeof last === 'object' && last !== null && !(last instanceof Date) ? { ...page, next: null } : page;
      }
    },
  'cursors beside a record that has gone lead to the first page': (base) =>
    class extends base {
      override async find(params: Params = {}): Promise<any> {
        return super.find(params).catch((error: unknown) => {
          const { $after, ...query } = params.query ?? {};
          if (typeof $after === 'string' && $after.length > 20) return super.find({ ...params, query });
          throw error;
        });
      }
    },
};

/** Titles of the cases that an adapter fails: of the first ones, as many as are asked for. */
async function failing(Service: typeof Right, most = Infinity): Promise<string[]> {
  const failed: string[] = [];
  const context = {
    id: 'id',
    missing: 9_999,
    service: async (options: CaseOptions = {}) => new Service({ ...options, startId: 1 } as object) as unknown as CaseService,
  };
  for (const { title, run } of adapterCases) {
    if (failed.length >= most) break;
    await run(context).catch(() => failed.push(title));
  }
  return failed;
}

describe('the contract of adapters', () => {
  it('finds nothing wrong with an adapter that does everything right', async () => {
    expect(await failing(Right)).toEqual([]);
  });

  it.each(Object.keys(FAULTS))('notices that %s', async (name) => {
    expect(await failing(FAULTS[name]!(Right), 1)).toHaveLength(1);
  });

  it('has titles of its own for each case', () => {
    const titles = adapterCases.map(({ section, title }) => `${section} ${title}`);
    expect([titles.length, new Set(titles).size]).toEqual([adapterCases.length, adapterCases.length]);
    expect(adapterCases.length).toBeGreaterThan(85);
  });
});

import { describe, expect, it } from '@jest/globals';
import * as adapter from '../../src/adapter.ts';
import { AdapterService, type AdapterOptions, type AdapterParams } from '../../src/adapter.ts';
import * as core from '../../src/index.ts';
import { describeService, framework, getRules } from '../../src/index.ts';

interface Item {
  readonly id: number;
  readonly n?: number;
}

const OPTIONS: AdapterOptions = { id: 'id', paginate: false, multi: false, maxMulti: 2, events: ['sold'] };

/** The least that an adapter writes: it tells what it was called with. */
class Told extends AdapterService<AdapterOptions, unknown, Item | object, AdapterParams, object> {
  constructor(options: Partial<AdapterOptions> = {}) {
    super({ ...OPTIONS, ...options });
  }
  async _find(params?: AdapterParams): Promise<unknown[]> {
    return ['find', params];
  }
  async _get(id: number | string, params?: AdapterParams): Promise<unknown> {
    return ['get', id, params];
  }
  async _create(data: object, params?: AdapterParams): Promise<unknown> {
    if (Array.isArray(data)) this.checkMulti('create', params);
    return ['create', data, params];
  }
  async _update(id: number | string | null, data: object, params?: AdapterParams): Promise<unknown> {
    this.checkUpdate(id, data);
    return ['update', id, data, params];
  }
  async _patch(id: number | string | null, data: object, params?: AdapterParams): Promise<unknown> {
    this.checkPatch(id, data, params);
    return ['patch', id, data, params];
  }
  async _remove(id: number | string | null, params?: AdapterParams): Promise<unknown> {
    if (id === null) this.checkMulti('remove', params);
    return ['remove', id, params];
  }
}

const params = { query: { a: 1 } };

describe('options that are not what they have to be', () => {
  it.each<[Record<string, unknown>, string]>([
    [{ hidden: 'password' }, "'hidden' of Told is a list of names, and not 'password'"],
    [{ hidden: { password: true } }, "'hidden' of Told is a list of names, and not an object"],
    [{ operators: '$regex' }, "'operators' of Told is a list of names, and not '$regex'"],
    [{ filters: { $populate: true } }, "'filters' of Told is a list of names, and not an object"],
    [{ events: [1] }, "'events' of Told is a list of names, and not a list with something else"],
    [{ hidden: null }, "'hidden' of Told is a list of names, and not null"],
    [{ id: '' }, "'id' of Told is a name, and not ''"],
    [{ version: true }, "'version' of Told is a name, and not true"],
    [{ maxSkip: '5' }, "'maxSkip' of Told is a whole number, or Infinity for no limit, and not '5'"],
    [{ maxMulti: -1 }, "'maxMulti' of Told is a whole number, or Infinity for no limit, and not -1"],
  ])('are refused when the service is made: %j', (options, message) => {
    expect(() => new Told(options)).toThrow(new TypeError(`The option ${message}`));
  });
});

describe('a service with records', () => {
  it('calls the method without hooks for each of the six', async () => {
    const told = new Told();
    expect(await told.find(params)).toEqual(['find', params]);
    expect(await told.get(1, params)).toEqual(['get', 1, params]);
    expect(await told.create({ n: 1 }, params)).toEqual(['create', { n: 1 }, params]);
    expect(await told.update(1, { n: 1 }, params)).toEqual(['update', 1, { n: 1 }, params]);
    expect(await told.patch(1, { n: 1 }, params)).toEqual(['patch', 1, { n: 1 }, params]);
    expect(await told.remove(1, params)).toEqual(['remove', 1, params]);
  });

  it('takes options for one call from its parameters', () => {
    const told = new Told({ paginate: { default: 5 }, multi: ['patch'] });
    expect(told.getOptions()).toBe(told.options);
    expect(told.getOptions({ paginate: false, adapter: { maxMulti: 9 } })).toMatchObject({
      paginate: false,
      maxMulti: 9,
      multi: ['patch'],
    });
    expect(told.getOptions({ adapter: { maxMulti: 9 } })).toEqual({ ...told.options, maxMulti: 9 });
    expect([told.allowsMulti('patch'), told.allowsMulti('remove'), told.allowsMulti('remove', { adapter: { multi: true } })]).toEqual([
      true,
      false,
      true,
    ]);
    expect(told.options).toMatchObject({ paginate: { default: 5 }, maxMulti: 2 });
  });

  it('refuses cursors without pages, which alone name them', () => {
    for (const options of [{ cursors: true }, { cursors: { secret: 'x' }, paginate: false }] as const)
      expect(() => new Told(options)).toThrow("The option 'cursors' of Told needs 'paginate'");
    expect(new Told({ cursors: false }).options.cursors).toBe(false);
  });

  it('refuses what no adapter does: lists for one record, several without multi, a precondition for several', async () => {
    const told = new Told();
    const precondition = { versions: ['1'] };
    await expect(told.update(null, {})).rejects.toMatchObject({ code: 400 });
    await expect(told.update(1, [{}])).rejects.toMatchObject({ code: 400 });
    await expect(told.patch(1, [{}])).rejects.toMatchObject({ code: 400 });
    for (const call of [() => told.create([{}]), () => told.patch(null, {}), () => told.remove(null)])
      await expect(call()).rejects.toMatchObject({ code: 405 });
    const several = new Told({ multi: true });
    expect(await several.patch(null, {})).toEqual(['patch', null, {}, undefined]);
    for (const call of [() => several.patch(null, {}, { precondition }), () => several.remove(null, { precondition })])
      await expect(call()).rejects.toMatchObject({ code: 400 });
  });

  it('says what it refuses, and what is meant instead', async () => {
    const told = new Told({ multi: true });
    await expect(told.update(null, {})).rejects.toThrow("You can not replace multiple instances. Did you mean 'patch'?");
    await expect(told.patch(1, [{}])).rejects.toThrow('A patch takes one change, and not a list');
    await expect(told.remove(null, { precondition: { versions: ['1'] } })).rejects.toThrow('A precondition needs the id of a record');
    await expect(new Told().create([{}])).rejects.toThrow('Can not create multiple entries');
  });

  it('takes an option that is undefined, of the service or of one call, for one that was left out', () => {
    const bounds = { maxMulti: 9, paginate: { max: 3 } };
    expect({ ...bounds, ...adapter.givenOptions({ maxMulti: undefined, paginate: false, multi: undefined }) }).toEqual({
      maxMulti: 9,
      paginate: false,
    });
    const told = new Told(bounds);
    expect(told.getOptions({ adapter: { maxMulti: undefined, paginate: undefined } as never })).toEqual(told.options);
    expect(told.getOptions({ paginate: false, adapter: { paginate: undefined } as never }).paginate).toBe(false);
  });

  it('refuses to hide properties for one call, whose results would have them all the same', () => {
    const told = new Told({ hidden: ['secret'] });
    expect(() => told.getOptions({ adapter: { hidden: ['salary'] } })).toThrow("params.adapter can not change 'hidden' for one call");
    expect(told.getOptions({ adapter: told.options })).toEqual(told.options);
  });

  it('says of find that it works on several records, and of get and update that they never do, whatever multi is', () => {
    for (const multi of [true, false, ['create', 'update']]) {
      const told = new Told({ multi });
      expect(['find', 'get', 'update', 'create'].map((method) => told.allowsMulti(method))).toEqual([true, false, false, multi !== false]);
    }
  });

  it('refuses values of options for one call that are none', () => {
    const told = new Told();
    const of =
      (params: object): (() => unknown) =>
      () =>
        told.getOptions(params);
    expect(of({ adapter: { maxMulti: '9' } })).toThrow(
      new TypeError("The option 'maxMulti' of Told is a whole number, or Infinity for no limit, and not '9'"),
    );
    expect(of({ adapter: { paginate: { defualt: 9 } } })).toThrow("has no size 'defualt'");
    expect(of({ paginate: { maximum: 9 } })).toThrow("has no size 'maximum'");
    expect(of({ adapter: { multi: 'patch' } })).toThrow("is true, false or a list of methods such as ['create'], and not 'patch'");
    expect(of({ adapter: { multi: ['paint'] } })).toThrow("has no method 'paint'");
  });

  it('refuses what an adapter does not name as an option of one call, but what is as the service has it', () => {
    class Naming extends Told {
      protected override get callOptions(): ReadonlySet<string> {
        return new Set(['multi', 'paginate']);
      }
    }
    const naming = new Naming();
    expect(() => naming.getOptions({ adapter: { paginat: false } as never })).toThrow(
      new TypeError("params.adapter of a call to Naming has no option 'paginat'. Did you mean 'paginate'? It has multi, paginate"),
    );
    expect(() => naming.getOptions({ adapter: { id: 'key' } })).toThrow("has no option 'id'");
    expect(() => naming.allowsMulti('patch', { adapter: { mutli: true } as never })).toThrow("Did you mean 'multi'?");
    expect(naming.getOptions({ adapter: { ...naming.options, multi: true } })).toEqual({ ...naming.options, multi: true });
    expect(new Told().getOptions({ adapter: { mine: 1 } as never })).toMatchObject({ mine: 1 });
  });

  it('describes itself, and adds what it hides to the rules of its records', () => {
    const told = new Told({ hidden: ['secret'], version: 'v', cursors: { secret: 'x' }, paginate: { max: 3 } });
    const app = framework().use('told', told as never);
    expect(getRules(app.service('told' as never))?.property(['secret'], { params: {} } as never)).toMatchObject({ readable: false });
    expect(describeService(told)).toEqual({
      collection: {
        id: 'id',
        paginate: { max: 3 },
        multi: false,
        cursors: true,
        operators: [],
        filters: [],
        maxSkip: undefined,
        returning: 'records',
        version: 'v',
      },
    });
    expect([told.id, told.version, told.events]).toEqual(['id', 'v', ['sold']]);
  });

  it('has its checks as functions too', () => {
    expect(adapter.withoutLimit({ query: { $limit: 1, a: 1 }, provider: 'rest' })).toEqual({
      query: { a: 1 },
      provider: 'rest',
      paginate: false,
    });
    expect(adapter.withoutLimit(undefined)).toBeUndefined();
    const conditions = new URLSearchParams('owner=ann');
    expect(adapter.withoutLimit({ query: conditions as never })?.query).toBe(conditions);
    expect(() => adapter.checkMany(2, OPTIONS)).not.toThrow();
    expect(() => adapter.checkMany(3, OPTIONS)).toThrow(/^More than 2 records match/);
    expect(adapter.recordNotFound('x'.repeat(300))).toMatchObject({ code: 404, message: `No record found for id '${'x'.repeat(100)}'` });
  });
});

describe('the entry for adapters', () => {
  it('is the same code as the whole of the core', () => {
    const names = Object.keys(adapter);
    expect(names.length).toBeGreaterThan(6);
    for (const name of names) expect([name, Reflect.get(adapter, name)]).toEqual([name, Reflect.get(core, name)]);
  });
});

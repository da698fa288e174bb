import { describe, expect, it } from '@jest/globals';
import { framework, keepsPaths, keptPaths, contributedRules, PathRules, type Params } from '../../src/index.ts';

const outside = { provider: 'rest' };
const viewer = { params: outside };

describe('what a write takes away that its caller does not see or set', () => {
  const rules = new PathRules().add({
    hidden: ['pin', 'auth.secret', 'deep.er.secret'],
    readOnly: ['role', 'meta.since'],
    writeOnly: ['login.password'],
  });
  const of = (data: unknown, operation: 'create' | 'update' | 'patch'): { kept: readonly string[]; problems: readonly string[] } => {
    const { kept, problems } = rules.replaced(data, operation, viewer);
    return { kept, problems: problems.map(({ path }) => path) };
  };
  const all = ['pin', 'auth.secret', 'deep.er.secret', 'role', 'meta.since', 'login.password'];

  it.each<[string, unknown, string[], string[]]>([
    ['nothing', {}, ['pin', 'auth', 'deep', 'role', 'meta', 'login'], []],
    ['part of it', { auth: { a: 1 }, deep: {} }, ['pin', 'auth.secret', 'deep.er', 'role', 'meta', 'login'], []],
    ['what is undefined', { auth: undefined, deep: { er: undefined } }, ['pin', 'auth', 'deep.er', 'role', 'meta', 'login'], []],
    ['other values in its place', { auth: 1, deep: [], meta: null, login: 'x' }, ['pin', 'role'], ['auth', 'deep', 'meta']],
    ['it itself, which is refused elsewhere', { pin: 1, role: 2, auth: { secret: 3 } }, ['deep', 'meta', 'login'], []],
  ])('by an update with %s', (_what, data, kept, problems) => {
    expect(of(data, 'update')).toEqual({ kept: expect.arrayContaining(kept) as unknown, problems });
    expect(of(data, 'update').kept).toHaveLength(kept.length);
  });

  it.each<[unknown, string[], string[]]>([
    [{}, [], []],
    [{ name: 1 }, [], []],
    [{ auth: { a: 1 } }, ['auth.secret'], []],
    [{ auth: 1 }, [], ['auth']],
    [{ auth: undefined }, [], []],
    [{ deep: { er: { a: 1 } } }, ['deep.er.secret'], []],
    [{ deep: { er: [] } }, [], ['deep.er']],
    [{ login: { name: 'a' } }, ['login.password'], []],
    [{ login: 'a' }, [], []],
    [{ 'deep.er': {} }, [], ['deep.er']],
    [{ 'deep.other': {} }, [], []],
    [{ $set: { auth: {}, 'deep.er': 1, login: 1, name: 1 } }, [], ['$set.auth', '$set.deep.er']],
    [{ $min: { auth: {}, name: 1 }, $max: { 'deep.er': 1 } }, [], ['$min.auth', '$max.deep.er']],
    [{ $currentDate: { meta: true, login: true } }, [], ['$currentDate.meta']],
    [{ $set: 1, $inc: { auth: 1 } }, [], []],
    [new Date(), [], []],
    [null, [], []],
    [[{ auth: 1 }], [], []],
  ])('by a patch with %j', (data, kept, problems) => {
    expect(of(data, 'patch')).toEqual({ kept, problems });
  });

  it('is told of an update with operators as of a patch', () => {
    expect(of({ $set: { auth: {} }, meta: 1 }, 'update')).toEqual({ kept: [], problems: ['$set.auth', 'meta'] });
  });

  it('is nothing in a create, and for code on the server', () => {
    expect(of({}, 'create')).toEqual({ kept: [], problems: [] });
    expect(rules.replaced({ auth: 1 }, 'patch', 'internal')).toEqual({ kept: [], problems: [] });
    expect(all.every((path) => rules.property(path.split('.'), viewer)?.readable !== undefined)).toBe(true);
  });

  it('is told in words, of at most 20 places', () => {
    expect(rules.replaced({ auth: 1 }, 'patch', viewer).problems).toEqual([
      { path: 'auth', keyword: 'replaced', message: 'auth can not be replaced: parts of it can not be set', params: {} },
    ]);
    const many = Array.from({ length: 30 }, (_, index) => `p${String(index)}`);
    const hidden = new PathRules().add({ hidden: many.map((name) => `${name}.secret`) });
    const data = Object.fromEntries(many.map((name) => [name, 1]));
    expect(hidden.replaced(data, 'patch', viewer).problems).toHaveLength(20);
  });
});

describe('what a service is told to keep', () => {
  /** A service that notes what it is told; `keeps` says whether it can. */
  const build = (keeps: boolean) => {
    const told: (readonly string[])[] = [];
    const own = {
      [contributedRules]: { hidden: ['auth.secret', 'pin'] },
      ...(keeps ? { [keepsPaths]: true } : {}),
      async update(_id: unknown, data: object, params: Params): Promise<object> {
        told.push(keptPaths(params, own));
        return data;
      },
      async patch(_id: unknown, data: object, params: Params): Promise<object> {
        told.push(keptPaths(params, own));
        return data;
      },
      async create(data: object, params: Params): Promise<object> {
        told.push(keptPaths(params, own));
        return data;
      },
    };
    const app = framework();
    app.use('x', own);
    return { told, service: app.service('x') };
  };
  const refused = { code: 400, message: 'validation failed' };

  it('is what lies beside the data, in calls from outside', async () => {
    const { told, service } = build(true);
    await service.update(1, { auth: { a: 1 } }, outside);
    await service.patch(1, { auth: { a: 1 } }, outside);
    await service.patch(1, { name: 1 }, outside);
    await service.create({ auth: { a: 1 } }, outside);
    await service.update(1, { auth: { a: 1 } });
    expect(told).toEqual([['auth.secret', 'pin'], ['auth.secret'], [], [], []]);
  });

  it.each([
    [undefined, ['_id', 'slug']],
    ['_id', ['id', 'slug']],
    ['slug', ['_id', 'id']],
  ])('is not the id of the service (%p), and is another property of such a name', async (id, kept) => {
    const told: (readonly string[])[] = [];
    const own = {
      ...(id === undefined ? {} : { id }),
      [contributedRules]: { readOnly: ['_id', 'id', 'slug'] },
      [keepsPaths]: true,
      update: async (_id: unknown, data: object, params: Params): Promise<object> => {
        told.push(keptPaths(params, own));
        return data;
      },
    };
    await framework().use('x', own).service('x').update(1, { name: 'a' }, outside);
    expect(told).toEqual([kept]);
  });

  it('is refused where it can not be named', async () => {
    const { told, service } = build(true);
    await expect(service.patch(1, { auth: 1 }, outside)).rejects.toMatchObject({ ...refused, errors: [{ path: 'auth' }] });
    await expect(service.update(1, { auth: 1 }, outside)).rejects.toMatchObject({ ...refused, errors: [{ path: 'auth' }] });
    expect(told).toEqual([]);
  });

  it('is refused in a patch where the service can not keep it; an update replaces the whole record', async () => {
    const { told, service } = build(false);
    const message = 'auth can not be replaced: parts of it can not be set';
    await expect(service.patch(1, { auth: { a: 1 } }, outside)).rejects.toMatchObject({
      ...refused,
      errors: [{ path: 'auth', keyword: 'replaced', message }],
    });
    await expect(service.patch(1, { auth: 1 }, outside)).rejects.toMatchObject({ ...refused, errors: [{ path: 'auth' }] });
    await service.update(1, { auth: 1 }, outside);
    await service.patch(1, { name: 1 }, outside);
    expect(told).toEqual([[], []]);
  });

  it('is nothing for another service that gets the same parameters', async () => {
    const { service } = build(true);
    let passed: Params | undefined;
    service.hooks({ before: { patch: [(context) => void (passed = context.params)] } });
    await service.patch(1, { auth: { a: 1 } }, outside);
    expect(keptPaths(passed ?? {}, service)).toEqual(['auth.secret']);
    expect(keptPaths(passed ?? {}, {})).toEqual([]);
    expect(keptPaths({}, service)).toEqual([]);
  });
});

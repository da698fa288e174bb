import { describe, expect, it } from '@jest/globals';
import { PathRules } from '../../src/index.ts';

const viewer = { params: { provider: 'rest' } };
const rules = new PathRules().add({
  hidden: ['pin', 'auth.secret'],
  writeOnly: ['login.password'],
  readOnly: ['role', 'meta.since', 'tags.by'],
});
const refused = (data: unknown): string[] => rules.refused(data, 'patch', viewer).map(({ path }) => path);
const nested = (depth: number, inner: unknown): unknown => (depth === 0 ? inner : { a: nested(depth - 1, inner) });

describe('what a caller may not set where nothing describes the data', () => {
  it.each<[unknown, string[]]>([
    ['text', []],
    [null, []],
    [undefined, []],
    [{ name: null, other: 1 }, []],
    [{ name: 'a', pin: 1, role: 2 }, ['pin', 'role']],
    [{ auth: { secret: 1, other: 2 }, meta: { since: 1 } }, ['auth.secret', 'meta.since']],
    [{ auth: 1, meta: [] }, []],
    [{ 'auth.secret': 1, 'auth.other': 2, 'auth.secret.part': 3 }, ['auth.secret', 'auth.secret.part']],
    [{ tags: [{ name: 'a' }, { by: 'b' }] }, ['tags.1.by']],
    [{ 'tags.0.by': 1, 'tags.0': { by: 2 } }, ['tags.0.by', 'tags.0.by']],
    [{ login: { password: 'a' }, 'login.password': 'b' }, []],
    [{ unknown: { pin: 1, role: 2 } }, []],
  ])('of %j', (data, paths) => {
    expect(refused(data)).toEqual(paths);
  });

  it.each<[string, unknown, string[]]>([
    ['$set', { pin: 1, 'meta.since': 2, name: 3 }, ['$set.pin', '$set.meta.since']],
    ['$set', { auth: { secret: 1 } }, ['$set.auth.secret']],
    ['$set', { 'login.password': 'a' }, []],
    ['$inc', { 'login.password': 1, role: 1 }, ['$inc.role']],
    ['$push', { tags: { $each: [{ by: 1 }, { name: 1 }] } }, ['$push.tags.$each.0.by']],
    ['$pull', { 'login.password': 'a', name: 1, tags: { name: 'a' } }, ['$pull.login.password']],
    ['$pullAll', { 'login.password': ['a'], name: [1] }, ['$pullAll.login.password']],
    ['$pull', { login: { password: 'a' } }, ['$pull.login.password']],
    ['$min', { 'login.password': 'a', name: 1 }, ['$min.login.password']],
    ['$max', { login: { password: 'a' }, name: 1 }, ['$max.login.password']],
    ['$addToSet', { login: { password: 'a' }, name: 1 }, ['$addToSet.login.password']],
    ['$addToSet', { login: { name: 'a' }, auth: { $each: [{}] }, tags: { name: 'a' } }, ['$addToSet.login', '$addToSet.auth']],
    ['$pullAll', { login: [{ name: 'a' }], 'login.name': ['a'], tags: [{}] }, ['$pullAll.login']],
    ['$pull', { login: { $in: [{ name: 'a' }] }, name: { $in: ['a'] }, tags: { $gt: {} } }, ['$pull.login.$in']],
    ['$pull', { list: { login: { name: 'a' } }, auth: { $or: [{ $eq: {} }, { name: 1 }] } }, ['$pull.auth.$or.0.$eq']],
    ['$push', { login: { $each: [], $sort: 1 }, tags: { $each: [], $sort: 1 } }, ['$push.login.$sort']],
    ['$push', { login: { $each: [], $sort: { password: 1, name: 1 } } }, ['$push.login.$sort.password']],
    ['$push', { all: { $each: [{ auth: 1 }], $sort: { 'a.b': -1 } } }, []],
    ['$unset', { auth: 1, meta: 1, login: 1, name: 1, 'auth.other': 1 }, ['$unset.auth', '$unset.meta']],
    ['$unset', { 'auth.secret': 1 }, ['$unset.auth.secret']],
    ['$rename', { name: 'other' }, []],
    ['$rename', { name: 'role' }, ['$rename.role']],
    ['$rename', { name: 'auth' }, ['$rename.auth']],
    ['$rename', { 'login.password': 'shown' }, ['$rename.login.password']],
    ['$rename', { name: 'login.password' }, ['$rename.login.password']],
    ['$rename', { auth: 'shown' }, ['$rename.auth']],
    ['$rename', { pin: 'role' }, ['$rename.pin', '$rename.role']],
    ['$set', { name: 'role' }, []],
  ])('by %s of %j', (operator, value, paths) => {
    expect(refused({ [operator]: value })).toEqual(paths);
  });

  it('is what is compared as a whole below a path, and what is not is taken', () => {
    const deep = new PathRules().add({ hidden: ['list.part.pin'] });
    const of = (condition: unknown): string[] => deep.refused({ $pull: { list: condition } }, 'patch', viewer).map(({ path }) => path);
    expect(of({ part: { name: 'a' }, name: 'a' })).toEqual(['$pull.list.part']);
    expect(of({ part: { $exists: true } })).toEqual([]);
    expect(of({ part: { $ne: null } })).toEqual(['$pull.list.part.$ne']);
    expect(of({ 'part.name': 'a' })).toEqual([]);
  });

  it('is told in words, with a path that is cut where it is long', () => {
    expect(rules.refused({ pin: 1 }, 'create', viewer)).toEqual([
      { path: 'pin', keyword: 'additionalProperties', message: 'pin can not be set', params: {} },
    ]);
    const long = `auth.secret.${'x'.repeat(300)}`;
    const cut = long.slice(0, 200);
    expect(rules.refused({ [long]: 1 }, 'create', viewer)).toMatchObject([{ path: cut, message: `${cut} can not be set` }]);
  });

  it('is what is nested deeper than 100 levels, wherever it is described', () => {
    const deep = new PathRules().add({ hidden: [`${'a.'.repeat(150)}pin`] });
    expect(deep.refused(nested(100, { b: 1 }), 'patch', viewer)).toEqual([]);
    const path = 'a.'.repeat(100).slice(0, 200);
    expect(deep.refused(nested(101, { b: 1 }), 'patch', viewer)).toEqual([
      {
        path: `${path}a`.slice(0, 200),
        keyword: 'depth',
        message: `${`${path}a`.slice(0, 200)} is nested deeper than 100 levels`,
        params: {},
      },
    ]);
    expect(deep.refused(nested(140, 1), 'patch', viewer)).toHaveLength(1);
  });

  it('is told of twenty places, and of all where there are not more', () => {
    const names = Array.from({ length: 21 }, (_, index) => `p${String(index)}`);
    const many = new PathRules().add({ readOnly: names });
    const data = Object.fromEntries(names.map((name) => [name, 1]));
    expect(many.refused(data, 'patch', viewer).map(({ path }) => path)).toEqual(names.slice(0, 20));
    const renamed = Object.fromEntries(names.slice(0, 12).map((name, index) => [name, `p${String(index + 1)}`]));
    expect(many.refused({ $rename: renamed }, 'patch', viewer)).toHaveLength(20);
  });

  it('is nothing for code on the server', () => {
    expect(rules.refused({ pin: 1, role: 2 }, 'patch', 'internal')).toEqual([]);
  });
});

describe('a problem of data that nothing describes', () => {
  it('names its path and says what is wrong', () => {
    const said = { keyword: 'additionalProperties', message: expect.stringContaining('can not be set') as unknown };
    expect(rules.refused({ role: 1 }, 'patch', viewer)).toEqual([expect.objectContaining({ path: 'role', ...said })]);
    const order = { $push: { auth: { $each: [], $sort: 1 } } };
    expect(rules.refused(order, 'patch', viewer)).toEqual([expect.objectContaining({ path: '$push.auth.$sort', ...said })]);
  });
});

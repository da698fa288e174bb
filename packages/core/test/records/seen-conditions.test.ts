import { describe, expect, it } from '@jest/globals';
import { contributedRules, framework, PathRules, type Params } from '../../src/index.ts';

const outside = { provider: 'rest' };
const service = (hidden: readonly string[]): { find(params: Params): Promise<unknown> } => {
  const app = framework();
  app.use('x', { find: async (_params?: Params) => [], [contributedRules]: { hidden } });
  return app.service('x');
};
const own = service(['pin', 'auth.secret']);
const told = async (query: unknown, asked = own): Promise<string[]> =>
  asked.find({ ...outside, query: query as Params['query'] & object }).then(
    () => [],
    (error: unknown) => (error as { errors: { path: string }[] }).errors.map(({ path }) => path),
  );

describe('what a caller may not ask about where nothing describes the records', () => {
  it.each<[unknown, string[]]>([
    [{}, []],
    [{ name: 1, login: { $gt: 2 } }, []],
    [{ pin: 1 }, ['pin']],
    [{ pin: { $ne: 1 }, 'auth.secret': null }, ['pin', 'auth.secret']],
    [{ auth: {} }, ['auth']],
    [{ 'auth.other': 1 }, []],
    [{ $sort: { name: 1, pin: -1, 'auth.secret': 1 } }, ['$sort.pin', '$sort.auth.secret']],
    [{ $sort: { auth: 1 } }, ['$sort.auth']],
    [{ $select: ['name', 'pin', 'auth'] }, ['$select']],
    [{ $select: ['auth.secret'] }, ['$select']],
    [{ $select: 'pin' }, ['$select']],
    [{ $select: 'auth.secret' }, ['$select']],
    [{ $select: 'name' }, []],
    [{ $select: [{ toString: 1 }, ['pin'], null, 'name'] }, ['$select', '$select', '$select']],
    [{ $or: [{ name: 1 }, { pin: 1 }] }, ['$or.1.pin']],
    [{ $and: [{ $or: [{ pin: 1 }] }, { 'auth.secret': 1 }] }, ['$and.0.$or.0.pin', '$and.1.auth.secret']],
    [{ $nor: { pin: 1, name: 2 } }, ['$nor.pin']],
    [{ $limit: 1, $skip: 2, $other: [1, null] }, []],
    [{ $sort: 'pin' }, []],
    [{ $sort: [{ pin: 1 }] }, ['$sort.0.pin']],
    [[{ pin: 1 }], []],
    ['pin', []],
    [{ $expr: { $eq: ['$pin', 1] } }, ['$expr']],
    [{ $or: [{ $jsonSchema: { required: ['pin'] } }, { $where: 'this.pin' }] }, ['$or.0.$jsonSchema', '$or.1.$where']],
    [{ $select: [['pin'], { toString: 1 }, 5] }, ['$select', '$select', '$select']],
  ])('of %j', async (query, paths) => {
    expect(await told(query)).toEqual(paths);
  });

  it('has conditions that read whole records where all of them is seen', async () => {
    expect(await told({ $expr: { $eq: ['$pin', 1] } }, service([]))).toEqual([]);
  });

  it('is told in words', async () => {
    await expect(own.find({ ...outside, query: { $sort: { pin: 1 } } })).rejects.toMatchObject({
      code: 400,
      message: 'validation failed',
      errors: [
        { path: '$sort.pin', keyword: 'additionalProperties', message: '$sort.pin must NOT have additional properties', params: {} },
      ],
    });
    const message = '$expr reads whole records, and parts of them can not be asked for';
    await expect(own.find({ ...outside, query: { $expr: {} } })).rejects.toMatchObject({ errors: [{ message }] });
  });

  it('is not looked for without end', async () => {
    const nested = JSON.parse(`${'{"$or":['.repeat(50_000)}{}${']}'.repeat(50_000)}`) as object;
    await expect(own.find({ ...outside, query: nested as Params['query'] & object })).rejects.toMatchObject({
      code: 400,
      errors: [{ keyword: 'depth', message: expect.stringMatching(/^\$or\.0\.\$or.* is nested deeper than 100 levels$/) }],
    });
  });

  it('is told of twenty places', async () => {
    const names = Array.from({ length: 21 }, (_, index) => `p${String(index)}`);
    expect(await told(Object.fromEntries(names.map((name) => [name, 1])), service(names))).toEqual(names.slice(0, 20));
  });

  it('follows what is seen of the whole and of its parts', () => {
    const rules = new PathRules().add({ hidden: ['auth.secret', 'pin'], readOnly: ['role'], writeOnly: ['login.password'] });
    const of = (path: string): unknown => rules.property(path.split('.'), { params: outside });
    expect(of('auth')).toEqual({ readable: true, queryable: false, writable: true });
    expect(of('auth.other')).toEqual({ readable: true, queryable: true, writable: true });
    expect(of('auth.secret.part')).toEqual({ readable: false, queryable: false, writable: false });
    expect(of('role.part')).toEqual({ readable: true, queryable: true, writable: false });
    expect(of('unknown.path')).toEqual({ readable: true, queryable: true, writable: true });
    expect(rules.property(['pin'], 'internal')).toEqual({ readable: true, queryable: true, writable: true });
  });
});

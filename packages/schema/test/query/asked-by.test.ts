import { framework, type Params } from '@framework/core';
import { describe, expect, it } from '@jest/globals';
import { Field, serviceSchema, Type } from '../../src/index.ts';

interface AsRole extends Params {
  readonly role?: string;
}
const admins = { readable: ({ role }: AsRole): boolean => role === 'admin' };

const schema = serviceSchema({
  record: Type.Object({
    id: Type.Integer(),
    name: Type.String(),
    salary: Type.Optional(Field(Type.Number({ minimum: 0 }), admins)),
    home: Type.Optional(Type.Object({ town: Type.String(), street: Type.Optional(Field(Type.String(), admins)) })),
  }),
});
const app = framework();
app.use('users', { find: async (params?: Params) => [params?.query] }, { schema });

async function ask(query: object, role = 'user'): Promise<any> {
  const params: AsRole = { provider: 'rest', role, query: query as never };
  return app
    .service('users')
    .find(params)
    .then(
      (found: unknown) => ({ found }),
      (error: unknown) => (error as { readonly errors: unknown }).errors,
    );
}

/** Names of as many letters, so that what is said of both can be the same text. */
const UNSEEN = 'salary';
const UNKNOWN = 'zalary';

describe('S7 what a caller does not see is refused as what there is not', () => {
  it.each<[string, (name: string) => object]>([
    ['a value', (name) => ({ [name]: '5' })],
    ['a value of another type', (name) => ({ [name]: 'abc' })],
    ['a value that is out of bounds', (name) => ({ [name]: '-1' })],
    ['an operator', (name) => ({ [name]: { $gt: 'abc' } })],
    ['an operator that there is not', (name) => ({ [name]: { $like: 'abc' } })],
    ['a list', (name) => ({ [name]: { $in: ['abc', '5'] } })],
    ['an alternative', (name) => ({ $or: [{ name: 'a' }, { [name]: 'abc' }] })],
    ['an alternative within a list', (name) => ({ $and: [{ $or: [{ [name]: { $lt: {} } }] }] })],
    ['$sort', (name) => ({ $sort: { [name]: '1' } })],
    ['$sort in no direction', (name) => ({ $sort: { [name]: 'up' } })],
    ['$select', (name) => ({ $select: ['id', name] })],
    ['$select of one name', (name) => ({ $select: name })],
    ['$select beside a mistake', (name) => ({ $select: [name, 'name'], id: 'abc' })],
    ['a value beside mistakes', (name) => ({ id: 'abc', [name]: 'abc', $limit: -1 })],
    ['a path', (name) => ({ [name === UNSEEN ? 'home.street' : 'home.ztreet']: { $gt: 5 } })],
  ])('%s', async (_what, query) => {
    const unseen = JSON.stringify(await ask(query(UNSEEN)));
    const unknown = JSON.stringify(await ask(query(UNKNOWN)));
    expect(unseen.replaceAll(UNSEEN, UNKNOWN).replaceAll('home.street', 'home.ztreet')).toBe(unknown);
    expect(unseen).toContain('"path"');
  });

  it('while whoever sees it is told what is wrong', async () => {
    expect(await ask({ salary: 'abc' }, 'admin')).toEqual([expect.objectContaining({ path: 'salary', keyword: 'type' })]);
    expect(await ask({ salary: '5', $select: ['salary'] }, 'admin')).toEqual({ found: [{ salary: 5, $select: ['salary'] }] });
    expect(JSON.stringify(await ask({ $select: ['zalary'] }, 'admin'))).toContain('"salary"');
  });

  it('with what else is wrong beside it', async () => {
    const problems = await ask({ salary: 'abc', id: 'abc', $limit: -1 });
    expect(problems.map(({ path, keyword }: { path: string; keyword: string }) => `${path} ${keyword}`)).toEqual([
      '$limit minimum',
      'id type',
      'salary additionalProperties',
    ]);
  });
});

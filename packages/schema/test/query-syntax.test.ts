import type { AddressInfo } from 'node:net';
import { MemoryService } from '@framework-internal/testing';
import { startDatabase, type TestDatabase } from '@framework-internal/testing/database';
import { request } from '@framework-internal/testing/supertest';
import { DocDbService } from '@framework/adapter-docdb';
import { framework } from '@framework/core';
import express, { errorHandler, json, rest, type Application } from '@framework/transport-express';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DateSchema, getValidator, Nullable, querySyntax, Type, validateQuery } from '../src/index.ts';

const letterSchema = Type.Object({
  id: Type.Integer(),
  code: Type.String(),
  group: Type.String(),
  value: Type.Number(),
  vowel: Type.Boolean(),
  since: DateSchema(),
  note: Nullable(Type.Integer()),
});

const LETTERS = [
  { id: 1, code: 'a', group: 'x', value: 1, vowel: true, since: new Date('2001-01-01'), note: null },
  { id: 2, code: 'b', group: 'x', value: 2.5, vowel: false, since: new Date('2002-01-01'), note: 1 },
  { id: 3, code: 'c', group: 'y', value: 3, vowel: false, since: new Date('2003-01-01'), note: 2 },
  { id: 4, code: 'd', group: 'y', value: 4, vowel: false, since: new Date('2004-01-01'), note: 1 },
  { id: 5, code: 'e', group: 'z', value: 5, vowel: true, since: new Date('2005-01-01'), note: null },
];

interface Page {
  total: number;
  data: Record<string, unknown>[];
}

let database: TestDatabase;
let url: string;
let app: Application;
beforeAll(async () => {
  database = await startDatabase();
  const letters = database.db.collection('letters');
  await letters.insertMany(LETTERS.map((letter) => ({ ...letter })));
  app = express(framework()) as Application;
  app.use(json());
  app.configure(rest());
  for (const schema of [true, false]) {
    const suffix = schema ? '-with-schema' : '';
    app.use(`memory${suffix}`, new MemoryService({ store: LETTERS, paginate: { default: 10, max: 20 } }));
    app.use(`docdb${suffix}`, new DocDbService({ Model: letters, id: 'id', paginate: { default: 10, max: 20 } }));
    if (!schema) continue;
    const hooks = { before: { all: [validateQuery(getValidator(querySyntax(letterSchema)))] } };
    for (const name of ['memory', 'docdb']) app.service(`${name}${suffix}`).hooks(hooks);
  }
  app.use(errorHandler({ logger: false }));
  const server = await app.listen(0);
  url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
});
afterAll(async () => {
  await app.close({ timeout: 100 });
  await database.close();
});

const codes = (page: unknown): string => (page as Page).data.map(({ code }) => code).join('');

/** Calls with a query string, or with the query as an object. */
async function find(service: string, text: string | undefined, query: object): Promise<Page> {
  if (text === undefined) return (await app.service(service).find({ query: query as Record<string, unknown> })) as Page;
  const answer = await request(url).get(`/${service}?${text}`).set('Accept', 'application/json');
  expect([text, answer.status, answer.body]).toEqual([text, 200, expect.anything()]);
  return answer.body as Page;
}

const SERVICES = ['memory', 'docdb'];

/** Rows whose values are texts: they mean the same with and without a schema. */
const FILTERS: [name: string, text: string, query: object, codes: string][] = [
  ['$limit', '$limit=2', { $limit: 2 }, 'ab'],
  ['$skip', '$skip=3', { $skip: 3 }, 'de'],
  ['$sort ascending', '$sort[code]=1', { $sort: { code: 1 } }, 'abcde'],
  ['$sort descending', '$sort[code]=-1', { $sort: { code: -1 } }, 'edcba'],
  ['$sort by two properties', '$sort[group]=-1&$sort[code]=1', { $sort: { group: -1, code: 1 } }, 'ecdab'],
  ['$or', '$or[0][code]=a&$or[1][group]=y', { $or: [{ code: 'a' }, { group: 'y' }] }, 'acd'],
  ['$and', '$and[0][group]=y&$and[1][code]=c', { $and: [{ group: 'y' }, { code: 'c' }] }, 'c'],
  ['$or inside $and', '$and[0][$or][0][code]=a&$and[0][$or][1][code]=c', { $and: [{ $or: [{ code: 'a' }, { code: 'c' }] }] }, 'ac'],
  ['$limit, $skip and $sort', '$limit=2&$skip=1&$sort[code]=-1', { $limit: 2, $skip: 1, $sort: { code: -1 } }, 'dc'],
];

const OPERATORS: [name: string, text: string, query: object, codes: string][] = [
  ['(none)', 'code=b', { code: 'b' }, 'b'],
  ['$in', 'code[$in][]=a&code[$in][]=e', { code: { $in: ['a', 'e'] } }, 'ae'],
  ['$nin', 'code[$nin][]=a&code[$nin][]=e', { code: { $nin: ['a', 'e'] } }, 'bcd'],
  ['$lt', 'code[$lt]=c', { code: { $lt: 'c' } }, 'ab'],
  ['$lte', 'code[$lte]=c', { code: { $lte: 'c' } }, 'abc'],
  ['$gt', 'code[$gt]=c', { code: { $gt: 'c' } }, 'de'],
  ['$gte', 'code[$gte]=c', { code: { $gte: 'c' } }, 'cde'],
  ['$ne', 'code[$ne]=c', { code: { $ne: 'c' } }, 'abde'],
  ['several on one property', 'code[$gt]=a&code[$lt]=e&code[$ne]=c', { code: { $gt: 'a', $lt: 'e', $ne: 'c' } }, 'bd'],
  ['several properties', 'group=x&code[$ne]=a', { group: 'x', code: { $ne: 'a' } }, 'b'],
];

/** Rows whose values are not texts: a query string needs a schema for them. */
const TYPED: [name: string, text: string, query: object, codes: string][] = [
  ['a number', 'value=2.5', { value: 2.5 }, 'b'],
  ['a negative number', 'value[$gt]=-1', { value: { $gt: -1 } }, 'abcde'],
  ['an integer', 'id[$gte]=4', { id: { $gte: 4 } }, 'de'],
  ['numbers in a list', 'id[$in][]=1&id[$in][]=5', { id: { $in: [1, 5] } }, 'ae'],
  ['one number for a list', 'id[$nin]=1', { id: { $nin: [1] } }, 'bcde'],
  ['true', 'vowel=true', { vowel: true }, 'ae'],
  ['false', 'vowel[$ne]=true', { vowel: { $ne: true } }, 'bcd'],
  ['a date', 'since[$lt]=2003-01-01T00:00:00.000Z', { since: { $lt: new Date('2003-01-01') } }, 'ab'],
  ['null', 'note=null', { note: null }, 'ae'],
  ['null as clients send it', 'note=', { note: null }, 'ae'],
  ['not null', 'note[$ne]=null', { note: { $ne: null } }, 'bcd'],
  ['numbers inside $or', '$or[0][id]=1&$or[1][id]=2', { $or: [{ id: 1 }, { id: 2 }] }, 'ab'],
];

describe.each(SERVICES)('the query syntax on %s (interface 4.6)', (service) => {
  for (const [kind, suffix] of [
    ['with a schema', '-with-schema'],
    ['without a schema', ''],
  ] as const) {
    describe(kind, () => {
      it.each([...FILTERS, ...OPERATORS])('%s means the same as query string and as object', async (_name, text, query, expected) => {
        expect(codes(await find(service + suffix, text, query))).toBe(expected);
        expect(codes(await find(service + suffix, undefined, query))).toBe(expected);
      });

      it('$limit=0 counts only (interface 8)', async () => {
        for (const text of ['group=x&$limit=0', undefined])
          expect(await find(service + suffix, text, { group: 'x', $limit: 0 })).toMatchObject({ total: 2, data: [] });
      });

      it('$select[]=<property> names what is included, by every method', async () => {
        for (const text of ['code=b&$select[]=group&$select[]=code', undefined]) {
          const { data } = await find(service + suffix, text, { code: 'b', $select: ['group', 'code'] });
          expect(data).toEqual([{ id: 2, code: 'b', group: 'x' }]);
        }
      });

      it.each([
        '$limit=-1',
        '$limit=1.5',
        '$limit=10abc',
        '$limit=',
        '$limit[]=1&$limit[]=2',
        '$skip=-1',
        '$skip=1e309',
        '$sort=code',
        '$sort[code]=up',
        '$sort[code]=0',
        '$select[a]=b',
        '$or=a',
        '$or[a]=b',
        '$and[]=a',
        'code[$in]=',
        'code[$where]=1',
        'code[$regex]=a',
        '$where=1',
        '$nor[0][code]=a',
        'code[$gt][$lt]=a',
      ])('refuses %s with 400', async (text) => {
        const answer = await request(url).get(`/${service}${suffix}?${text}`).set('Accept', 'application/json');
        // A schema takes one value for a list of one, and an empty text is one.
        const taken = suffix !== '' && text === 'code[$in]=';
        expect([text, answer.status]).toEqual([text, taken ? 200 : 400]);
      });
    });
  }

  it.each(TYPED)('%s: a schema converts the query string, and means the same as the object', async (_name, text, query, expected) => {
    expect(codes(await find(`${service}-with-schema`, text, query))).toBe(expected);
    expect(codes(await find(`${service}-with-schema`, undefined, query))).toBe(expected);
    expect(codes(await find(service, undefined, query))).toBe(expected);
  });

  it('all values of a query string are texts without a schema', async () => {
    expect(codes(await find(service, 'value=2.5', {}))).toBe('');
    expect(codes(await find(service, 'vowel=true', {}))).toBe('');
    expect(codes(await find(service, 'vowel[$ne]=true', {}))).toBe('abcde');
  });

  it('more than 20 items need a schema or a higher limit', async () => {
    const text = Array.from({ length: 30 }, (_, index) => `code[$in][]=${String.fromCharCode(97 + index)}`).join('&');
    expect(codes(await find(`${service}-with-schema`, text, {}))).toBe('abcde');
    const answer = await request(url).get(`/${service}?${text}`).set('Accept', 'application/json');
    expect([answer.status, (answer.body as Error).message]).toEqual([400, expect.stringContaining("'query parser'")]);
  });
});

describe('the query of the other methods (interface 1, 4.6)', () => {
  it.each(['memory', 'docdb'])('restricts get, update, patch and remove of %s, and selects for each', async (kind) => {
    const collection = database.db.collection(`methods-${kind}`);
    const service = kind === 'memory' ? new MemoryService({ startId: 1 }) : new DocDbService({ Model: collection, id: 'id' });
    const own = framework()
      .use('letters', service as MemoryService)
      .service('letters');
    const made = (await own.create({ code: 'a', group: 'x' }, { query: { $select: ['code'] } })) as { id: number };
    expect(made).toEqual({ id: made.id, code: 'a' });
    const other = { query: { group: 'other' } };
    for (const call of [own.get(made.id, other), own.update(made.id, {}, other), own.patch(made.id, {}, other), own.remove(made.id, other)])
      await expect(call).rejects.toMatchObject({ code: 404 });
    const selected = { query: { group: 'x', $select: ['group'] } };
    const expected = { id: made.id, group: 'x' };
    expect(await own.get(made.id, selected)).toEqual(expected);
    expect(await own.patch(made.id, { code: 'b' }, selected)).toEqual(expected);
    expect(await own.update(made.id, { code: 'c', group: 'x' }, selected)).toEqual(expected);
    expect(await own.remove(made.id, selected)).toEqual(expected);
  });
});

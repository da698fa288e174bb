import { KnexService, transaction, type KnexAdapterOptions, type KnexAdapterParams } from '@feathersjs/knex';
import { startPostgres, type Postgres } from '@framework-internal/testing/postgres';
import { framework, type HookContext } from '@framework/core';
import { getValidator, hooks, querySyntax, resolve, Type, type Static } from '@framework/schema';
import express, { errorHandler, json, rest } from '@framework/transport-express';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import knex, { type Knex } from 'knex';
import { request } from '../application.ts';

const personSchema = Type.Object({ id: Type.Integer(), name: Type.String(), age: Type.Integer(), secret: Type.String() });
const dataSchema = Type.Object({ name: Type.String(), age: Type.Integer(), secret: Type.Optional(Type.String()) });
const querySchema = querySyntax(Type.Pick(personSchema, ['id', 'name', 'age']), { name: { $ilike: Type.String() } });
type Person = Static<typeof personSchema>;
type PersonData = Static<typeof dataSchema>;
type PersonQuery = Static<typeof querySchema>;
interface PersonParams extends KnexAdapterParams<PersonQuery> {
  readonly limited?: boolean;
}

class PersonService extends KnexService<Person, PersonData, PersonParams, Partial<PersonData>> {}

let postgres: Postgres;
let database: Knex;
beforeAll(async () => {
  postgres = await startPostgres();
  database = knex({ client: 'pg', connection: postgres.url, pool: { min: 0, max: 4 } });
});
afterAll(async () => {
  await database.destroy();
  await postgres.stop();
});
beforeEach(async () => {
  await database.schema.createTable('people', (table) => {
    table.increments('id');
    table.string('name').notNullable().unique();
    table.integer('age');
    table.string('secret').defaultTo('hidden');
  });
});
afterEach(async () => {
  await app?.close({ timeout: 1000 });
  app = undefined;
  await database.schema.dropTable('people');
});

let app: ReturnType<typeof make> | undefined;
let url = '';

function make(options: Partial<KnexAdapterOptions> = {}) {
  const made = express(framework<{ people: PersonService }>());
  made.use(json()).configure(rest());
  made.use('people', new PersonService({ Model: database, name: 'people', paginate: { default: 2, max: 2 }, ...options }));
  made.use(errorHandler({ logger: false }));
  return made;
}

async function start(options: Partial<KnexAdapterOptions> = {}): Promise<ReturnType<typeof make>> {
  app = make(options);
  const server = await app.listen(0, '127.0.0.1');
  const address = server.address();
  url = typeof address === 'object' && address ? `http://127.0.0.1:${String(address.port)}` : '';
  return app;
}

describe("the incumbent's SQL adapter on PostgreSQL in an application of ours", () => {
  it('answers REST: queries as text, pages, changes and errors', async () => {
    await start({ multi: ['create'] });
    const people = [
      { name: 'Ann', age: 30 },
      { name: 'Bob', age: 20 },
      { name: 'Cid', age: 40 },
    ];
    expect(await request(url, 'POST', '/people', people)).toMatchObject({ status: 201, body: people });
    expect((await request(url, 'GET', '/people?$sort[name]=-1&$skip=1&$select[]=name')).body).toEqual({
      total: 3,
      limit: 2,
      skip: 1,
      data: [
        { id: 2, name: 'Bob' },
        { id: 1, name: 'Ann' },
      ],
    });
    expect((await request(url, 'GET', '/people?$or[0][age][$gt]=30&$or[1][name]=Ann&$limit=0')).body).toMatchObject({ total: 2, data: [] });
    expect((await request(url, 'GET', '/people?name[$ilike]=%25O%25')).body).toMatchObject({ total: 1, data: [{ name: 'Bob' }] });
    expect((await request(url, 'PATCH', '/people/1', { age: 31 })).body).toMatchObject({ id: 1, name: 'Ann', age: 31 });
    expect((await request(url, 'POST', '/people', { name: 'Bob', age: 1 })).status).toBe(400);
    expect((await request(url, 'PATCH', '/people', { age: 1 })).status).toBe(405);
    expect((await request(url, 'DELETE', '/people/2')).body).toMatchObject({ name: 'Bob' });
    expect((await request(url, 'GET', '/people/2')).status).toBe(404);
  });

  it('keeps nothing of a call whose hook fails, by its hooks for transactions', async () => {
    const started = await start();
    const fail = (context: HookContext): void => {
      if (context.path === 'people') throw new Error('Behind the write');
    };
    started.service('people').hooks({
      before: { create: [transaction.start() as never] },
      after: { create: [fail, transaction.end() as never] },
      error: { create: [transaction.rollback() as never] },
    });
    expect((await request(url, 'POST', '/people', { name: 'Ann', age: 30 })).status).toBe(500);
    expect((await request(url, 'GET', '/people')).body).toMatchObject({ total: 0 });
  });

  it('takes schemas and resolvers as hooks, whose types are those of its class', async () => {
    const started = await start();
    const seen: (boolean | undefined)[] = [];
    const hidden = resolve<Person, HookContext<unknown, PersonService>>({ secret: async () => undefined });
    started.service('people').hooks({
      around: { all: [hooks.resolveExternal(hidden)] },
      before: {
        // The class has methods besides, such as `createQuery(params)`: they take nothing from the parameters' type.
        all: [(context) => void seen.push(context.params.limited), hooks.validateQuery(getValidator(querySchema))],
        create: [hooks.validateData(getValidator(dataSchema))],
      },
    });
    expect((await request(url, 'POST', '/people', { name: 'Ann' })).status).toBe(400);
    const created = await request(url, 'POST', '/people', { name: 'Ann', age: 30 });
    expect(created).toEqual(expect.objectContaining({ status: 201, body: { id: 1, name: 'Ann', age: 30 } }));
    expect((await request(url, 'GET', '/people?secret=hidden')).status).toBe(400);
    expect(await started.service('people').get(1, { limited: true })).toMatchObject({ secret: 'hidden' });
    expect(seen).toEqual([undefined, undefined, undefined, true]);
  });
});

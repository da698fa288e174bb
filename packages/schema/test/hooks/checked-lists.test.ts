import { startDatabase, type TestDatabase } from '@framework-internal/testing/database';
import { listen, sendJson } from '@framework-internal/testing/http';
import { DocDbService, type DocDbServiceOptions } from '@framework/adapter-docdb';
import { framework, type HookContext } from '@framework/core';
import express, { errorHandler, json, rest } from '@framework/transport-express';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { serviceSchema, Type } from '../../src/index.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await startDatabase();
});
afterAll(() => database.close());

const schema = serviceSchema({
  record: Type.Object({ _id: Type.String(), text: Type.String({ minLength: 1 }), ownerId: Type.Optional(Type.Readonly(Type.Integer())) }),
});
/** What most hooks for owners do. */
const addOwner = (context: HookContext): void => {
  context.data = { ...(context.data as object), ownerId: 7 };
};

type Hook = (context: HookContext) => void;

let collections = 0;

/** Sends bodies to a service with a hook; gives the statuses, and what is stored then. */
async function created(hook: Hook, bodies: readonly unknown[], options: Partial<DocDbServiceOptions> = {}): Promise<unknown> {
  const collection = database.db.collection(`notes${String(++collections)}`);
  const app = express(framework());
  app.use(json()).configure(rest());
  app.use('notes', new DocDbService({ Model: collection, ...options }), { schema });
  app.service('notes').hooks({ before: { create: [hook] } });
  app.use(errorHandler({ logger: false }));
  const { url, stop } = await listen(app);
  const statuses: unknown[] = [];
  for (const body of bodies) {
    const answer = await sendJson(url, 'POST', '/notes', body);
    statuses.push(answer.status < 300 ? answer.status : [answer.status, answer.body.message]);
  }
  await stop();
  return [statuses, await collection.find({}, { projection: { _id: 0 } }).toArray()];
}

describe('a list for a service that takes one record', () => {
  const refused = [405, 'Can not create multiple entries'];

  it('is refused when a hook has made a record of it, of which nothing was checked', async () => {
    expect(await created(addOwner, [[], [{ text: 'a' }], [{ text: 'a' }, { text: 'b' }], { text: 'one' }])).toEqual([
      [refused, refused, refused, 201],
      [{ text: 'one', ownerId: 7 }],
    ]);
  });

  it('is refused by the adapter as before when it is a list still', async () => {
    expect(await created(() => undefined, [[{ text: 'a' }], [], [{}]])).toEqual([[refused, refused, [400, 'validation failed']], []]);
  });
});

describe('a list for a service that takes several records', () => {
  const addOwners: Hook = (context) => {
    context.data = (context.data as object[]).map((note) => ({ ...note, ownerId: 7 }));
  };
  const stored = [{ text: 'a', ownerId: 7 }];

  it('is created', async () => {
    expect(await created(addOwners, [[{ text: 'a' }]], { multi: ['create'] })).toEqual([[201], stored]);
  });

  it('is created where a hook allows it for one call', async () => {
    const allow: Hook = (context) => {
      context.params = { ...context.params, adapter: { multi: ['create'] } } as HookContext['params'];
      addOwners(context);
    };
    expect(await created(allow, [[{ text: 'a' }]])).toEqual([[201], stored]);
  });

  it('may become one record by a hook that means it', async () => {
    const first: Hook = (context) => {
      context.data = { ...(context.data as object[])[0], ownerId: 7 };
    };
    expect(await created(first, [[{ text: 'a' }]], { multi: true })).toEqual([[201], stored]);
  });
});

import { framework, type Application, type HookContext } from '@framework/core';
import { startDatabase, type TestDatabase } from '@framework-internal/testing/database';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { ClientSession } from 'mongodb';
import { DocDbService, transactionHook, type DocDbParams } from '../src/index.ts';

interface Note {
  readonly _id: number;
  readonly fails?: boolean;
  readonly inner?: 'docdb' | 'session';
}

let database: TestDatabase;
let app: Application<{ notes: DocDbService<Note, Note>; inner: DocDbService<Note, Note> }>;
/** What calls have ended with that were made of others. */
let order: string[] = [];
beforeAll(async () => {
  database = await startDatabase();
});
beforeEach(async () => {
  await database.db.dropDatabase();
  order = [];
  const model = (name: string): DocDbService<Note, Note> => new DocDbService<Note, Note>({ Model: database.db.createCollection(name) });
  app = framework<{ notes: DocDbService<Note, Note>; inner: DocDbService<Note, Note> }>()
    .use('notes', model('notes'))
    .use('inner', model('inner'));
  app.hooks({ around: { create: [transactionHook(database.client)] } });
  app.service('notes').hooks({
    after: {
      create: [
        async ({ data, params }: HookContext): Promise<void> => {
          const { _id, fails, inner } = data as Note;
          const { docdb } = params as DocDbParams;
          if (inner === 'docdb') await app.service('inner').create({ _id }, { docdb: docdb ?? {} });
          if (inner === 'session') await app.service('inner').create({ _id }, { docdb: { session: docdb?.session as ClientSession } });
          await new Promise((resolve) => setTimeout(resolve, 10));
          order.push(String(_id));
          if (fails) throw new Error('undone');
        },
      ],
    },
  });
});
afterAll(() => database.close());

const stored = async (name: string): Promise<unknown[]> => (await database.db.collection(name).find().toArray()).map(({ _id }) => _id);

it('calls at once in one session are each a transaction of their own: what fails undoes no other', async () => {
  const ends = await database.client.withSession((session) =>
    Promise.allSettled(
      [{ _id: 1, fails: true }, { _id: 2 }, { _id: 3, fails: true }, { _id: 4 }].map((note) =>
        app.service('notes').create(note, { docdb: { session } }),
      ),
    ),
  );
  expect(ends.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected', 'fulfilled']);
  expect([order, await stored('notes')]).toEqual([
    ['1', '2', '3', '4'],
    [2, 4],
  ]);
});

it.each(['docdb', 'session'] as const)('calls inside of them take part, by %s, and go with them', async (inner) => {
  await database.client.withSession((session) =>
    Promise.allSettled(
      [
        { _id: 1, inner, fails: true },
        { _id: 2, inner },
      ].map((note) => app.service('notes').create(note, { docdb: { session } })),
    ),
  );
  expect([await stored('notes'), await stored('inner')]).toEqual([[2], [2]]);
});

it('calls in a transaction of the caller are part of that, at once too', async () => {
  await expect(
    database.client.withSession((session) =>
      session.withTransaction(async () => {
        await Promise.all([1, 2].map((_id) => app.service('notes').create({ _id }, { docdb: { session } })));
        throw new Error('undone');
      }),
    ),
  ).rejects.toThrow('undone');
  expect(await stored('notes')).toEqual([]);
});

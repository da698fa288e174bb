import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { framework, type Application } from '@framework/core';
import type { Document, FindCursor } from 'mongodb';
import { DocDbService, transaction, transactionHook, type DocDbParams } from '../src/index.ts';
import { startHarness, type Person, type ServiceHarness } from './harness.ts';

type People = DocDbService<Person, Partial<Person>>;

describe('calls in a transaction', () => {
  let harness: ServiceHarness;
  let app: Application<{ people: People; later: People }>;
  let told: string[];
  /** Lets the calls of `later` come to the database. */
  let open: () => void;

  beforeAll(async () => {
    harness = await startHarness();
  });
  afterAll(() => harness.database.close());
  beforeEach(async () => {
    await harness.reset();
    await harness.database.db.createCollection('people');
    told = [];
    app = framework<{ people: People; later: People }>()
      .use('people', harness.service({ multi: true }))
      .use('later', harness.service({}));
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    app.service('later').hooks({ before: { create: [() => opened] } });
    for (const path of ['people', 'later'] as const)
      app.service(path).on('created', (record: unknown) => void told.push((record as Person).name));
    await app.service('people').create({ _id: 'ann', name: 'Ann' } as Partial<Person>);
    told = [];
  });

  const people = (): People => app.service('people');
  const duplicate = { _id: 'ann', name: 'Other' } as Partial<Person>;
  const names = async (): Promise<string[]> => ((await people().find({ paginate: false })) as Person[]).map(({ name }) => name);

  it('are made one after the other, also where they are made at once', async () => {
    const counted = await transaction(harness.database.client, async (session) => {
      const params = { docdb: { session } };
      await Promise.all(['Ben', 'Cem', 'Dan'].map((name) => people().create({ name }, params)));
      const lists = await Promise.all([1, 2, 3].map(() => people().find({ ...params, paginate: false })));
      return lists.map((list) => (list as Person[]).length);
    });
    expect(counted).toEqual([4, 4, 4]);
    expect(told).toEqual(['Ben', 'Cem', 'Dan']);
  });

  it('come to the database one at a time', async () => {
    const { client } = harness.database;
    const on: string[] = [];
    let most = 0;
    const started = ({ commandName }: { readonly commandName: string }): void => {
      if (commandName === 'insert') most = Math.max(most, on.push(commandName));
    };
    const ended = ({ commandName }: { readonly commandName: string }): void => {
      if (commandName === 'insert') on.pop();
    };
    client.on('commandStarted', started).on('commandSucceeded', ended).on('commandFailed', ended);
    try {
      await transaction(client, (session) =>
        Promise.all(['Ben', 'Cem', 'Dan', 'Eve'].map((name) => people().create({ name }, { docdb: { session } }))),
      );
    } finally {
      client.off('commandStarted', started).off('commandSucceeded', ended).off('commandFailed', ended);
    }
    expect([most, told.length]).toEqual([1, 4]);
  });

  it('are not part of a later attempt at the same work', async () => {
    const { client } = harness.database;
    const other = client.startSession();
    other.startTransaction();
    await people().patch('ann', { age: 1 }, { docdb: { session: other } });
    const late: Promise<unknown>[] = [];
    let attempts = 0;
    await transaction(client, async (session) => {
      const params = { docdb: { session } };
      attempts += 1;
      if (attempts > 1) {
        open();
        await Promise.allSettled(late);
        await people().create({ name: 'Ben' }, params);
        return;
      }
      late.push(app.service('later').create({ name: 'Late' }, params));
      try {
        await people().patch('ann', { age: 2 }, params);
      } finally {
        await other.abortTransaction();
      }
    });
    await other.endSession();
    expect(attempts).toBe(2);
    await expect(Promise.all(late)).rejects.toThrow('The transaction of this call has ended before the call came to the database');
    expect(await names()).toEqual(['Ann', 'Ben']);
    expect(told).toEqual(['Ben']);
  });

  it('that come when the session has ended are told so, and what to do', async () => {
    const sessions = await transaction(harness.database.client, async (session) => Promise.resolve([session]));
    await expect(people().find({ docdb: { session: sessions[0] } } as never)).rejects.toMatchObject({
      code: 500,
      message: expect.stringMatching(/^The session of this call has ended/),
    });
    expect(await names()).toEqual(['Ann']);
  });

  it('which nobody waits for are part of it where they have come to the database, and otherwise refused', async () => {
    const unwatched: Promise<unknown>[] = [];
    await transaction(harness.database.client, async (session) => {
      unwatched.push(people().create({ name: 'Ben' }, { docdb: { session } }));
      unwatched.push(app.service('later').create({ name: 'Late' }, { docdb: { session } }));
      await setImmediate();
    });
    open();
    const outcomes = await Promise.allSettled(unwatched);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(await names()).toEqual(['Ann', 'Ben']);
    expect(told).toEqual(['Ben']);
  });

  it('which wait for their turn when the work has ended are refused, and not part of it', async () => {
    const unwatched: Promise<unknown>[] = [];
    await transaction(harness.database.client, async (session) => {
      for (const name of ['Ben', 'Late']) unwatched.push(people().create({ name }, { docdb: { session } }));
      await setImmediate();
    });
    const outcomes = await Promise.allSettled(unwatched);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(await names()).toEqual(['Ann', 'Ben']);
  });

  it('are refused while it is being committed', async () => {
    const session = harness.database.client.startSession();
    session.startTransaction();
    await people().create({ name: 'Ben' }, { docdb: { session } });
    const committed = session.commitTransaction();
    await expect(people().create({ name: 'Late' }, { docdb: { session } })).rejects.toThrow(
      'has ended before the call came to the database',
    );
    await committed;
    await session.endSession();
    expect(await names()).toEqual(['Ann', 'Ben']);
  });

  it('are not stored outside of it where one of them has failed beside them, in a session that the application runs', async () => {
    const session = harness.database.client.startSession();
    session.startTransaction();
    const calls = [duplicate, { name: 'Ben' }, { name: 'Cem' }].map((data) => people().create(data, { docdb: { session } }));
    await expect(Promise.all(calls)).rejects.toMatchObject({ code: 409 });
    await session.abortTransaction();
    expect((await Promise.allSettled(calls)).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    await session.endSession();
    expect(await names()).toEqual(['Ann']);
    expect(told).toEqual([]);
  });

  it('beside one that the database has undone it with fail with the error of that one, whichever is heard of first', async () => {
    app.service('people').hooks({
      around: {
        create: [
          async (_context, next) => {
            try {
              await next();
            } finally {
              await setImmediate();
            }
          },
        ],
      },
    });
    const counting = harness.service({});
    const work = transaction(harness.database.client, (session) =>
      Promise.all([people().create(duplicate, { docdb: { session } }), counting.find({ docdb: { session } })]),
    );
    await expect(work).rejects.toMatchObject({ code: 409, message: 'A record with the same _id exists already' });
  });

  it('end the work with the error that the database has undone it with, though the work has kept it to itself', async () => {
    let attempts = 0;
    const work = transaction(harness.database.client, async (session) => {
      attempts += 1;
      await people().create({ name: 'Ben' }, { docdb: { session } });
      await people()
        .create(duplicate, { docdb: { session } })
        .catch(() => undefined);
    });
    await expect(work).rejects.toMatchObject({ code: 409, message: 'A record with the same _id exists already' });
    expect(attempts).toBe(1);
    expect(await names()).toEqual(['Ann']);
  });

  it('behind one that the database has undone it with are refused, and told of that one', async () => {
    let attempts = 0;
    const work = transaction(harness.database.client, async (session) => {
      attempts += 1;
      const params = { docdb: { session } };
      await people()
        .create(duplicate, params)
        .catch(() => people().get('ann', params));
    });
    await expect(work).rejects.toMatchObject({
      message: expect.stringContaining('The database has undone the transaction when a call before this one failed') as unknown,
      cause: { code: 409, message: 'A record with the same _id exists already' },
    });
    expect(attempts).toBe(1);
  });

  it('may go on behind an error that is not of the database', async () => {
    await transaction(harness.database.client, async (session) => {
      const params = { docdb: { session } };
      await expect(people().patch('nobody', { age: 1 }, params)).rejects.toMatchObject({ code: 404 });
      await people().create({ name: 'Ben' }, params);
    });
    expect(await names()).toEqual(['Ann', 'Ben']);
  });

  it('may be made by a raw method that a subclass overrides', async () => {
    class Counting extends DocDbService<Person, Partial<Person>> {
      override async findRaw(params: DocDbParams = {}): Promise<FindCursor<Document>> {
        const all = await people().find({ paginate: false, ...(params.docdb ? { docdb: params.docdb } : {}) });
        return (await super.findRaw(params)).limit((all as Person[]).length);
      }
    }
    app.use('counting' as 'people', new Counting({ Model: harness.database.db.collection('people') }));
    const found = await transaction(harness.database.client, (session) => app.service('counting' as 'people').find({ docdb: { session } }));
    expect(found).toHaveLength(1);
  });

  it('tell nobody of calls without a database that end when it is undone', async () => {
    class Notes {
      async create(data: Partial<Person>): Promise<Partial<Person>> {
        await people().find({ paginate: false });
        open();
        return data;
      }
    }
    app.use('notes' as 'people', new Notes() as unknown as People);
    app.service('notes' as 'people').on('created', () => void told.push('notes'));
    const notes: Promise<unknown>[] = [];
    const work = transaction(harness.database.client, async (session) => {
      notes.push(app.service('notes' as 'people').create({ name: 'Ben' }, { docdb: { session } }));
      throw new Error('not so');
    });
    await expect(work).rejects.toThrow('not so');
    await Promise.all(notes);
    expect(told).toEqual([]);
  });

  it('of a hook are one in a session of the caller that has no transaction yet', async () => {
    const session = harness.database.client.startSession();
    app.service('people').hooks({
      around: { create: [transactionHook(harness.database.client)] },
      after: {
        create: [
          () => {
            throw new Error('not so');
          },
        ],
      },
    });
    await expect(people().create({ name: 'Ben' }, { docdb: { session } })).rejects.toThrow('not so');
    await session.endSession();
    expect(await names()).toEqual(['Ann']);
  });
});

it('transactionHook() says where it stands when it is listed as another hook', async () => {
  const hook = transactionHook(() => {
    throw new Error('no transaction is begun');
  });
  for (const type of ['before', 'after'] as const) {
    const app = framework().use('things', { find: async () => [] });
    app.service('things').hooks({ [type]: { all: [hook as unknown as () => Promise<void>] } });
    await expect(app.service('things').find()).rejects.toThrow(
      'transactionHook() is an around hook: hooks({ around: { create: [transactionHook(client)] } })',
    );
  }
});

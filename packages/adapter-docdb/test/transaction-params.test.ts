import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { framework, type Application, type HookContext, type NextFunction } from '@framework/core';
import { DocDbService, transaction, transactionHook, type DocDbParams } from '../src/index.ts';
import { startHarness, type Person, type ServiceHarness } from './harness.ts';

type People = DocDbService<Person, Partial<Person>>;

describe('the parameters of a call that was a transaction, once that has ended', () => {
  let harness: ServiceHarness;
  let app: Application<{ people: People; notes: People }>;
  beforeAll(async () => {
    harness = await startHarness();
  });
  afterAll(() => harness.database.close());
  beforeEach(async () => {
    await harness.reset();
    await harness.database.db.createCollection('people');
    app = framework<{ people: People; notes: People }>()
      .use('people', harness.service({ multi: true }))
      .use('notes', harness.service());
    app.service('people').hooks({ around: { create: [transactionHook(harness.database.client)] } });
  });

  const note = (name: string, params: object): Promise<Person> => app.service('notes').create({ name }, { ...params, query: {} });
  const names = async (): Promise<string[]> =>
    ((await app.service('notes').find({ query: { $sort: { name: 1 } } })) as Person[]).map(({ name }) => name);
  const failing = (): never => {
    throw new Error('not so');
  };

  it('hold for calls of a hook around the transaction, outside of it', async () => {
    const around = async (context: HookContext, next: NextFunction): Promise<void> => {
      await next();
      await note('Note', context.params);
      await note('Other', { docdb: (context.params as DocDbParams).docdb });
    };
    app.hooks({ around: { create: [async (context, next) => (context.path === 'people' ? around(context, next) : next())] } });
    await app.service('people').create({ name: 'Ann' });
    expect(await names()).toEqual(['Ann', 'Note', 'Other']);
  });

  it('hold for calls of a listener, at once and later', async () => {
    const told = new Promise<unknown>((resolve) => {
      app.service('people').on('created', (record: unknown, { params }: HookContext) => {
        resolve(note('At once', params).then(() => note('Later', params)));
      });
    });
    await app.service('people').create({ name: 'Ann' });
    await told;
    expect(await names()).toEqual(['Ann', 'At once', 'Later']);
  });

  it('hold for listeners of calls in the work of transaction(), at once, later and behind the end of their session', async () => {
    let again: (() => Promise<unknown>) | undefined;
    const told = new Promise<unknown>((resolve) => {
      app.service('people').on('created', (record: unknown, { params }: HookContext) => {
        const { docdb } = params as DocDbParams;
        again = () => note('Again', { docdb });
        resolve(note('At once', params).then(() => note('Later', { docdb })));
      });
    });
    const created = new Promise<unknown>((resolve) => app.service('notes').once('created', resolve));
    await transaction(harness.database.client, (session) => app.service('people').create({ name: 'Ann' }, { docdb: { session } }));
    await Promise.all([told, created]);
    expect(await names()).toEqual(['Ann', 'At once', 'Later']);
    // Not of a listener: it may be work that has come too late.
    await expect(again?.()).rejects.toThrow('The session of this call has ended');
  });

  it('hold for listeners of calls in a transaction that the application runs, behind the end of its session', async () => {
    const { client } = harness.database;
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const told = new Promise<unknown>((resolve) => {
      app.service('people').on('created', (record: unknown, { params }: HookContext) => {
        resolve(released.then(() => note('Later', params)));
      });
    });
    await client.withSession((session) =>
      session.withTransaction(() => app.service('people').create({ name: 'Ann' }, { docdb: { session } })),
    );
    release();
    await told;
    expect(await names()).toEqual(['Ann', 'Later']);
  });

  it('keep the session for listeners that begin another transaction in it', async () => {
    const { client } = harness.database;
    await client.withSession(async (session) => {
      const undone = new Promise<void>((resolve) => {
        app.service('people').once('created', (record: unknown, { params }: HookContext) => {
          session.startTransaction();
          resolve(note('Undone', params).then(() => session.abortTransaction()));
        });
      });
      await session.withTransaction(() => app.service('people').create({ name: 'Ann' }, { docdb: { session } }));
      await undone;
    });
    expect(await names()).toEqual(['Ann']);
  });

  it('hold for listeners of a call in the work whose hooks end behind the transaction', async () => {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    app.hooks({ after: { create: [({ path }) => (path === 'people' ? released : undefined)] } });
    const told = new Promise<unknown>((resolve) => {
      app.service('people').on('created', (record: unknown, { params }: HookContext) => {
        resolve(note('Later', params));
      });
    });
    let late: Promise<unknown> | undefined;
    await transaction(harness.database.client, async (session) => {
      late = app.service('people').create({ name: 'Ann' }, { docdb: { session } });
      await app.service('notes').create({ name: 'Beside' }, { docdb: { session } });
    });
    release();
    await late;
    await told;
    expect(await names()).toEqual(['Ann', 'Beside', 'Later']);
  });

  it('hold for listeners of calls inside of the transaction', async () => {
    app.service('people').hooks({ after: { create: [({ params }) => note('Inside', params)] } });
    const told = new Promise<unknown>((resolve) => {
      app.service('notes').once('created', (record: unknown, { params }: HookContext) => {
        resolve(note('Later', params));
      });
    });
    await app.service('people').create({ name: 'Ann' });
    await told;
    expect(await names()).toEqual(['Ann', 'Inside', 'Later']);
  });

  it('hold for a hook that tells of an error, and for another transaction', async () => {
    app.service('people').hooks({ before: { create: [({ data }) => ((data as Person).name === 'Ann' ? failing() : undefined)] } });
    const error = async ({ path, params, data }: HookContext): Promise<void> => {
      if (path === 'people' && (data as Person).name === 'Ann') await app.service('people').create({ name: 'Failed' }, { ...params });
    };
    app.hooks({ error: { create: [error] } });
    await expect(app.service('people').create({ name: 'Ann' })).rejects.toThrow('not so');
    expect(await names()).toEqual(['Failed']);
  });

  it('have what the call was made with', async () => {
    let seen: object | undefined;
    app.service('people').on('created', (record: unknown, { params }: HookContext) => {
      seen = params;
    });
    await app.service('people').create({ name: 'Ann' }, { docdb: { comment: 'mine' } });
    harness.commands.length = 0;
    await note('Note', seen ?? {});
    expect(harness.commands).toMatchObject([{ insert: 'people', comment: 'mine' }]);
    expect(harness.commands[0]).not.toHaveProperty('autocommit');
  });

  it('are those of the transaction for the work itself, whose late calls are refused', async () => {
    let open = (): void => undefined;
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    const late: Promise<unknown>[] = [];
    app.service('people').hooks({
      after: {
        create: [
          (context) => {
            late.push(opened.then(() => note('Late', context.params)));
          },
        ],
      },
    });
    await app.service('people').create({ name: 'Ann' });
    open();
    await expect(late[0]).rejects.toMatchObject({ message: expect.stringMatching(/^The transaction of this call has ended/) as unknown });
    expect(await names()).toEqual(['Ann']);
  });

  it('keep the session of a caller', async () => {
    const session = harness.database.client.startSession();
    await app.service('people').create({ name: 'Ann' }, { docdb: { session } });
    harness.commands.length = 0;
    await note('Note', { docdb: { session } });
    expect(harness.commands[0]?.lsid).toEqual(session.id);
    await session.endSession();
    expect(await names()).toEqual(['Ann', 'Note']);
  });
});

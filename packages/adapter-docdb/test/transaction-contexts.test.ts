import { AsyncResource } from 'node:async_hooks';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { framework, type Application, type HookContext } from '@framework/core';
import type { ClientSession } from 'mongodb';
import { transaction, transactionHook, type DocDbService, type DocDbParams } from '../src/index.ts';
import { startHarness, type Person, type ServiceHarness } from './harness.ts';

type People = DocDbService<Person, Partial<Person>>;

describe('the transaction of a call', () => {
  let harness: ServiceHarness;
  let app: Application<{ people: People; notes: People }>;
  let session: ClientSession;
  /** Where a queue or a loader of batches, which was there before, makes calls for others. */
  let elsewhere: AsyncResource;
  beforeAll(async () => {
    harness = await startHarness();
  });
  afterAll(() => harness.database.close());
  beforeEach(async () => {
    await harness.reset();
    await harness.database.db.createCollection('people');
    session = harness.database.client.startSession();
    elsewhere = new AsyncResource('queue');
    app = framework<{ people: People; notes: People }>().use('people', harness.service()).use('notes', harness.service());
    app.service('people').hooks({ around: { create: [transactionHook(harness.database.client)] } });
  });

  const create = (name: string, docdb: DocDbParams['docdb']): Promise<Person> =>
    app.service('people').create({ name }, docdb === undefined ? {} : { docdb });
  const names = async (): Promise<string[]> =>
    ((await app.service('notes').find({ query: { $sort: { name: 1 } } })) as Person[]).map(({ name }) => name);
  /** Runs work behind the `create` of a record, within its transaction. */
  const within = (name: string, work: (docdb: DocDbParams['docdb']) => Promise<unknown>): void => {
    app.service('people').hooks({
      after: {
        create: [
          async ({ data, params }: HookContext) => {
            if ((data as Person).name === name) await work((params as DocDbParams).docdb);
          },
        ],
      },
    });
  };
  /** What takes longer than a call that waits for nobody. */
  const longer = async (): Promise<void> => {
    for (let reads = 0; reads < 50; reads++) await names();
  };
  const failing = (): never => {
    throw new Error('not so');
  };

  it('has the calls that are made for it elsewhere, and undoes them', async () => {
    within('Ann', async (docdb) => {
      await elsewhere.runInAsyncScope(() => app.service('notes').create({ name: 'Note' }, { docdb: docdb ?? {} }));
      failing();
    });
    await expect(create('Ann', undefined)).rejects.toThrow('not so');
    expect(await names()).toEqual([]);
  });

  it('has those that are transactions by themselves too, in the session of its caller', async () => {
    within('Ann', (docdb) =>
      Promise.race([
        elsewhere.runInAsyncScope(() => create('Inner', docdb)),
        longer().then(() => {
          throw new Error('it waits for the transaction that it is in');
        }),
      ]),
    );
    await create('Ann', { session });
    expect(await names()).toEqual(['Ann', 'Inner']);
    await session.endSession();
  });

  it('is over with the call: the next one of the session takes part in a transaction of its caller', async () => {
    await create('Ann', { session });
    session.startTransaction();
    await create('Bob', { session });
    await session.abortTransaction();
    expect(await names()).toEqual(['Ann']);
    await session.endSession();
  });

  it('has no call of somebody else in its session, though others were before it there', async () => {
    let other: Promise<unknown> = Promise.resolve();
    within('Bob', async () => {
      other = elsewhere.runInAsyncScope(() => create('Cid', { session }));
      await Promise.race([other, longer()]);
      failing();
    });
    const [first, second] = await Promise.allSettled([create('Ann', { session }), create('Bob', { session })]);
    await other;
    expect([first.status, second.status, await names()]).toEqual(['fulfilled', 'rejected', ['Ann', 'Cid']]);
    await session.endSession();
  });

  it('ends with the error of a call that its work has not waited for, and is not tried again', async () => {
    await create('Ann', undefined);
    const [{ _id }] = (await app.service('notes').find()) as [Person];
    let attempts = 0;
    const work = async (own: ClientSession): Promise<void> => {
      attempts += 1;
      if (attempts === 1)
        void app
          .service('notes')
          .create({ _id, name: 'Bob' }, { docdb: { session: own } })
          .catch(() => undefined);
    };
    await expect(transaction(harness.database.client, work)).rejects.toMatchObject({ code: 409 });
    expect(attempts).toBe(1);
  });

  it('is undone when the call that runs has its answer: a session takes one command at a time', async () => {
    const { client } = harness.database;
    const told: string[] = [];
    const begun = new Promise<void>((resolve) => {
      client.on('commandStarted', ({ commandName }) => {
        told.push(commandName);
        if (commandName === 'insert') resolve();
      });
    });
    client.on('commandSucceeded', ({ commandName }) => told.push(`${commandName} answered`));
    let call: Promise<unknown> = Promise.resolve();
    const work = async (own: ClientSession): Promise<void> => {
      call = app.service('notes').create({ name: 'Bob' }, { docdb: { session: own } });
      await begun;
      failing();
    };
    await expect(transaction(client, work)).rejects.toThrow('not so');
    await call;
    expect(told.filter((name) => /^(insert|abortTransaction)/.test(name))).toEqual([
      'insert',
      'insert answered',
      'abortTransaction',
      'abortTransaction answered',
    ]);
    expect(await names()).toEqual([]);
  });
});

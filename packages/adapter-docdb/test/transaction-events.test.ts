import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { framework, type Application, type HookContext } from '@framework/core';
import { type ClientSession, MongoError } from 'mongodb';
import { transaction, transactionHook, type DocDbParams, type DocDbService } from '../src/index.ts';
import { startHarness, type Person, type ServiceHarness } from './harness.ts';

/** Not of the database, and called with its transaction. */
class Notes {
  readonly #people: () => DocDbService<Person, Partial<Person>>;

  constructor(people: () => DocDbService<Person, Partial<Person>>) {
    this.#people = people;
  }

  async create(data: { readonly name: string }, params: DocDbParams = {}): Promise<{ readonly name: string }> {
    await this.#people().create({ name: data.name }, params.docdb ? { docdb: params.docdb } : {});
    return data;
  }
}

interface Services {
  people: DocDbService<Person, Partial<Person>>;
  notes: Notes;
}

describe('events of calls in transactions', () => {
  let harness: ServiceHarness;
  let app: Application<Services>;
  /** What was told of, and how many records the rest of the world saw by then. */
  let told: string[];

  beforeAll(async () => {
    harness = await startHarness();
  });
  afterAll(() => harness.database.close());
  beforeEach(async () => {
    await harness.reset();
    await harness.database.db.createCollection('people');
    told = [];
    app = framework<Services>()
      .use('people', harness.service({ multi: true }))
      .use('notes', new Notes(() => app.service('people')));
    for (const event of ['created', 'patched', 'removed'])
      app.service('people').on(event, (record: Person, context: HookContext) => void told.push(`${context.path} ${event} ${record.name}`));
    app.service('notes').on('created', (record: unknown) => void told.push(`notes created ${(record as Person).name}`));
  });

  const people = (): Services['people'] => app.service('people');

  it('are told once it is committed, in the order of the calls', async () => {
    await transaction(harness.database.client, async (session) => {
      const [ann] = await people().create([{ name: 'Ann' }, { name: 'Ben' }], { docdb: { session } });
      await people().patch(ann?._id as string, { age: 5 }, { docdb: { session } });
      await people().remove(ann?._id as string, { docdb: { session } });
      expect(told).toEqual([]);
    });
    expect(told).toEqual(['people created Ann', 'people created Ben', 'people patched Ann', 'people removed Ann']);
  });

  it('are not told of what was undone', async () => {
    const undone = transaction(harness.database.client, async (session) => {
      await people().create({ name: 'Ann' }, { docdb: { session } });
      throw new Error('not so');
    });
    await expect(undone).rejects.toThrow('not so');
    expect(await people().find({ paginate: false })).toEqual([]);
    expect(told).toEqual([]);
  });

  it('are told once of what the driver ran again', async () => {
    let runs = 0;
    await transaction(harness.database.client, async (session) => {
      runs += 1;
      await people().create({ name: `Ann ${String(runs)}` }, { docdb: { session } });
      if (runs > 1) return;
      const error = new MongoError('in the way');
      error.addErrorLabel('TransientTransactionError');
      throw error;
    });
    expect(told).toEqual(['people created Ann 2']);
  });

  it('wait with what hooks emit behind the context of a call, which is not told where that is undone', async () => {
    const heard: string[] = [];
    const service = app.service('people');
    service.on('moved', (record: Person) => void heard.push(`${record.name}, ${String(told.length)} told`));
    service.on('typing', (text: string) => void heard.push(text));
    service.hooks({
      after: {
        create: [
          (context) => {
            expect(service.emit('moved', context.result, context)).toBe(true);
            expect(service.emit('nobody', context.result, context)).toBe(false);
            service.emit('typing', 'hello', { room: 5 });
          },
        ],
      },
    });
    const work = async (session: ClientSession, fails: boolean): Promise<void> => {
      await service.create({ name: fails ? 'Ann' : 'Ben' }, { docdb: { session } });
      if (fails) throw new Error('not so');
      expect(heard).toEqual(['hello', 'hello']);
    };
    await expect(transaction(harness.database.client, (session) => work(session, true))).rejects.toThrow('not so');
    expect(heard).toEqual(['hello']);
    await transaction(harness.database.client, (session) => work(session, false));
    expect(heard).toEqual(['hello', 'hello', 'Ben, 0 told']);
    await service.create({ name: 'Cem' });
    expect(heard.slice(3)).toEqual(['Cem, 1 told', 'hello']);
  });

  it('fail the hook that emits an error to which nobody listens, and not what comes behind the commit', async () => {
    const service = app.service('people');
    const heard = (): void => undefined;
    service.hooks({ after: { create: [(context) => void service.emit('error', new Error('odd'), context)] } });
    const both = transaction(harness.database.client, async (session) => {
      await service.create({ name: 'Ann' }, { docdb: { session } });
      await service.create({ name: 'Ben' }, { docdb: { session } });
    });
    await expect(both).rejects.toThrow('odd');
    expect(await service.find({ paginate: false })).toEqual([]);
    service.on('error', heard);
    await transaction(harness.database.client, async (session) => {
      await service.create({ name: 'Cem' }, { docdb: { session } });
      service.off('error', heard);
    });
    expect(told).toEqual(['people created Cem']);
  });

  it('are told at once of calls outside of the transaction, also while it runs', async () => {
    await transaction(harness.database.client, async (session) => {
      await people().create({ name: 'Ann' }, { docdb: { session } });
      await people().create({ name: 'Ben' });
      expect(told).toEqual(['people created Ben']);
    });
    expect(told).toEqual(['people created Ben', 'people created Ann']);
  });

  it('follow each transaction of a session that the application runs by itself', async () => {
    const session = harness.database.client.startSession();
    try {
      session.startTransaction();
      await people().create({ name: 'Ann' }, { docdb: { session } });
      await session.abortTransaction();
      session.startTransaction();
      await people().create({ name: 'Ben' }, { docdb: { session } });
      expect(() => session.startTransaction()).toThrow('Transaction already in progress');
      expect(told).toEqual([]);
      await session.commitTransaction();
      expect(told).toEqual(['people created Ben']);
      await session.commitTransaction();
      await people().create({ name: 'Cem' }, { docdb: { session } });
      expect(told).toEqual(['people created Ben', 'people created Cem']);
      session.startTransaction();
      await people().create({ name: 'Dan' }, { docdb: { session } });
    } finally {
      await session.endSession();
    }
    expect(told).toEqual(['people created Ben', 'people created Cem']);
  });

  it('of services without a database wait with the others of the application', async () => {
    await transaction(harness.database.client, async (session) => {
      await app.service('notes').create({ name: 'Ann' }, { docdb: { session } } as object);
      expect(told).toEqual([]);
    });
    expect(told).toEqual(['people created Ann', 'notes created Ann']);
  });

  it('of services without a database that end behind the commit are told at once, also where somebody would undo it then', async () => {
    let open: () => void = () => undefined;
    const slow = { create: (data: unknown) => new Promise((resolve) => (open = () => resolve(data))) };
    app.use('slow' as never, slow as never);
    const service = app.service('slow' as never) as Services['notes'] & { on(event: string, listener: () => void): unknown };
    service.on('created', () => told.push('slow created'));
    const sessions: ClientSession[] = [];
    const call: Promise<unknown>[] = [];
    await transaction(harness.database.client, async (session) => {
      sessions.push(session);
      await people().create({ name: 'Ann' }, { docdb: { session } });
      call.push(service.create({ name: 'Ben' }, { docdb: { session } }));
    });
    await expect(sessions[0]?.abortTransaction()).rejects.toThrow();
    expect(told).toEqual(['people created Ann']);
    open();
    await Promise.all(call);
    expect(told).toEqual(['people created Ann', 'slow created']);
  });

  it('are told after the commit of a call that is one transaction, and the call of it gets its record all the same', async () => {
    const during: string[][] = [];
    app.service('notes').hooks({
      around: { create: [transactionHook(harness.database.client)] },
      after: { create: [() => void during.push([...told])] },
    });
    expect(await app.service('notes').create({ name: 'Ann' })).toEqual({ name: 'Ann' });
    expect(during).toEqual([[]]);
    expect(told).toEqual(['people created Ann', 'notes created Ann']);
  });

  it('keep the transaction committed where a listener fails, and the other listeners told', async () => {
    const failed: unknown[] = [];
    app.on('listenerError', (error: unknown) => void failed.push(error));
    app.service('people').on('created', () => {
      throw new Error('of the listener');
    });
    app.service('people').on('created', () => void told.push('the next one'));
    await transaction(harness.database.client, (session) => people().create({ name: 'Ann' }, { docdb: { session } }));
    expect(failed).toEqual([new Error('of the listener')]);
    expect(told).toEqual(['people created Ann', 'the next one']);
  });
});

import { randomUUID } from 'node:crypto';
import { DocDbService, eventLog } from '@framework/adapter-docdb';
import { channels } from '@framework/channels';
import { framework } from '@framework/core';
import { Hidden, serviceSchema, Type } from '@framework/schema';
import { Random, Variety } from '@framework-internal/random';
import { startDatabase, type TestDatabase } from '@framework-internal/testing/database';
import { startNetwork } from '@framework-internal/testing/network';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { MongoClient, type CommandStartedEvent } from 'mongodb';
import { startProcess, until, type AnyApplication, type Listener, type Process, type ProcessOptions } from './event-log-harness.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await startDatabase();
});
afterAll(() => database.close());

const processes: Process[] = [];
afterEach(async () => {
  await Promise.all(processes.splice(0).map((each) => each.stop()));
});

async function start(
  options: Omit<ProcessOptions, 'uri' | 'name'> & { readonly name?: string } = {},
): Promise<Process & { readonly name: string }> {
  const name = options.name ?? `${database.db.databaseName}_${randomUUID().slice(0, 8)}`;
  const started = await startProcess({ uri: database.uri, ...options, name });
  processes.push(started);
  return { ...started, name };
}

/** Two processes over one database. */
async function startTwo(options: Omit<ProcessOptions, 'uri' | 'name'> = {}): Promise<[Process, Process, string]> {
  const one = await start(options);
  return [one, await start({ ...options, name: one.name }), one.name];
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

describe('events of several processes', () => {
  it('reach the connections of all, in one order, whoever made them and however', async () => {
    const seed = Number(process.env.LOG_SEED ?? 20261122);
    const random = new Random(seed);
    const variety = new Variety();
    const [one, two] = await startTwo();
    const [a, b] = [one.open(), two.open()];
    const writes: Promise<unknown>[] = [];
    for (let number = 0; number < 120; number++) {
      const [{ app }, path] = [random.pick([one, two]), random.pick(['messages', 'notes'])];
      variety.tried(`${number} ${path} ${app === one.app}`);
      variety.took(path);
      writes.push(app.service(path).create({ number }));
      if (random.oneIn(4)) await Promise.all(writes.splice(0));
    }
    await Promise.all(writes);
    await until(() => a?.messages.length === 120 && b?.messages.length === 120);
    console.log(variety.report('writes in two processes', seed));
    variety.expect(100, { messages: 30, notes: 30 });
    expect(a?.messages).toEqual(b?.messages);
    expect((a?.all('number') as number[]).sort((x, y) => x - y)).toEqual(upTo(120));
  });

  it('of one process and service without durable keep the order in which they were emitted', async () => {
    const [one, two] = await startTwo();
    const listener = two.open();
    for (const number of upTo(50)) one.app.service('notes').emit('created', { number });
    await until(() => listener?.messages.length === 50);
    expect(listener?.all('number')).toEqual(upTo(50));
  });

  it('are stored together, and cost no command of their own each', async () => {
    const { app, client } = await start({ build: () => undefined });
    const counting = new MongoClient(database.uri, { monitorCommands: true });
    const commands: string[] = [];
    counting.on('commandStarted', ({ commandName }: CommandStartedEvent) => commands.push(commandName));
    const log = eventLog(counting.db(client.db().databaseName), { collection: 'counted' });
    const other: AnyApplication = framework();
    other.configure(channels({ log }));
    other.use('notes', { find: async () => [] });
    other.publish(() => other.channel('everybody'));
    await other.setup();
    commands.splice(0);
    for (const number of upTo(500)) other.service('notes').emit('created', { number });
    await other.teardown();
    expect(commands.filter((name) => name === 'insert')).toHaveLength(1);
    expect(app).toBeDefined();
    await counting.close();
  });

  it('ask the publisher of each process about filters, with what everybody may see and no more', async () => {
    const contexts: unknown[] = [];
    const record = Type.Object({ _id: Type.Optional(Type.Any()), number: Type.Number(), secret: Hidden(Type.String()) });
    const build = (app: AnyApplication, client: MongoClient): void => {
      const collection = client.db(database.db.databaseName).collection('filtered');
      app.use('filtered', new DocDbService({ Model: collection }), { schema: serviceSchema({ record }) });
      app.service('filtered').publish(async (data: any, context: any) => {
        contexts.push([data.secret, context.remote, Object.hasOwn(context, 'params'), context.path, context.event]);
        await new Promise((resolve) => setTimeout(resolve, 10));
        return [app.channel('everybody').filter((connection: any) => connection.from <= data.number), app.channel('nobody')];
      });
    };
    const [one, two] = await startTwo({ build });
    const listeners = [one, two].map((each) => [each.open(undefined, { from: 0 }), each.open(undefined, { from: 2 })]).flat();
    for (const number of upTo(4)) await one.app.service('filtered').create({ number, secret: 'x' });
    await until(() => listeners.every((each) => each?.all('number').includes(3)));
    expect(listeners.map((each) => each?.all('number'))).toEqual([
      [0, 1, 2, 3],
      [2, 3],
      [0, 1, 2, 3],
      [2, 3],
    ]);
    expect(JSON.stringify(listeners.map((each) => each?.messages))).not.toContain('secret');
    const remote = contexts.filter((context) => (context as unknown[])[1] === true);
    expect(remote).toEqual(upTo(4).map(() => [undefined, true, false, 'filtered', 'created']));
    expect(contexts).toHaveLength(8);
  });

  it('whose publisher decides otherwise elsewhere reach nobody there, and the application is told', async () => {
    const build = (app: AnyApplication): void => {
      app.service('notes').publish((_data: unknown, { remote }: any) => app.channel(remote ? 'others' : 'everybody').filter(() => true));
    };
    const [one, two] = await startTwo({ build });
    const errors: string[] = [];
    two.app.on('listenerError', (error: Error) => errors.push(error.message));
    const [a, b] = [one.open(), two.open()];
    await one.app.service('notes').create({ number: 0 });
    await one.app.service('messages').create({ number: 1 });
    await until(() => a?.messages.length === 2 && b?.messages.length === 1);
    expect([a?.all('number'), b?.all('number')]).toEqual([[0, 1], [1]]);
    expect(errors).toEqual([expect.stringContaining('context.remote')]);
  });

  it('send what the channel is to get, wherever it is', async () => {
    const build = (app: AnyApplication): void => {
      app.service('notes').publish(() => [app.channel('everybody').send({ number: 'sent' })]);
    };
    const [one, two] = await startTwo({ build });
    const listener = two.open();
    await one.app.service('notes').create({ number: 0 });
    await until(() => listener?.messages.length === 1);
    expect(listener?.messages).toEqual([{ name: 'notes created', data: { number: 'sent' } }]);
  });
});

describe('a client that comes back to another process', () => {
  it('resumes there without loss and without repetition, also where that process has started since', async () => {
    const [one, two, name] = await startTwo();
    let listener = one.open();
    const got: unknown[] = [];
    const move = async (to: Process): Promise<void> => {
      got.push(...(listener?.all('number') ?? []));
      const { position } = listener!;
      one.app.emit('disconnect', listener?.connection);
      listener = await to.resume(position);
    };
    // One after the other has come: a `durable` event is not held back for one that is gathered.
    const create = async (app: AnyApplication, from: number, to: number): Promise<void> => {
      for (let number = from; number < to; number++) {
        await app.service(number % 2 ? 'notes' : 'messages').create({ number });
        await until(() => listener?.all('number').includes(number) ?? false);
      }
    };
    await create(one.app, 0, 3);
    await until(() => listener?.messages.length === 3);
    await create(two.app, 3, 6);
    await until(() => listener?.messages.length === 6);
    // Two has it all, and the client has half of it.
    await move(two);
    await create(one.app, 6, 9);
    await until(() => listener?.messages.length === 3);
    const left = listener?.position;
    await create(two.app, 9, 12);
    await until(() => listener?.messages.length === 6);
    const three = await start({ name });
    listener = Object.assign(three.open(left)!, {});
    await until(() => listener?.messages.length === 3);
    got.push(
      ...upTo(6)
        .map((number) => number + 6)
        .slice(0, 3),
      ...listener.all('number'),
    );
    expect(got).toEqual(upTo(12));
  });

  it('costs the database nothing: a hundred that have missed a thousand events each are served by what the process keeps', async () => {
    const [one, two] = await startTwo();
    const listener = one.open();
    const before = listener?.position;
    for (const number of upTo(10)) await one.app.service('messages').create(upTo(100).map((each) => ({ number: number * 100 + each })));
    await until(() => listener?.messages.length === 1000);
    await until(() => two.resume(listener?.position));
    const commands: string[] = [];
    two.client.on('commandStarted', ({ commandName }: CommandStartedEvent) => commands.push(commandName));
    const back = await Promise.all(upTo(100).map(() => two.resume(before)));
    await until(() => back.every((each) => each?.messages.length === 1000));
    // The process goes on following the log meanwhile.
    expect(commands.filter((name) => name !== 'getMore')).toEqual([]);
    expect(back.every((each) => each?.all('number').every((number, place) => number === place))).toBe(true);
  });

  it('resumes though it had no event before, with a process that has started since', async () => {
    const one = await start();
    const { position } = one.open()!;
    await one.app.service('notes').create({ number: 0 });
    const three = await start({ name: one.name, log: { replay: 60_000 } });
    const listener = await three.resume(position);
    await until(() => listener?.messages.length === 1);
    expect(listener?.all('number')).toEqual([0]);
  });

  it('resumes in the middle of what one write has told', async () => {
    const [one, two] = await startTwo();
    const listener = one.open();
    await one.app.service('messages').create(upTo(6).map((number) => ({ number })));
    await until(() => listener?.messages.length === 6);
    const rest = await Promise.all(upTo(6).map((number) => two.resume(listener?.positions[number])));
    await one.app.service('notes').create({ number: 6 });
    await until(() => rest.every((each) => each?.all('number').includes(6)));
    expect(rest.map((each) => each?.all('number'))).toEqual(upTo(6).map((number) => upTo(7).slice(number + 1)));
  });

  it('that was catching up is not given again what that process has not read yet', async () => {
    const one = await start();
    const between = await startNetwork(Number(new URL(database.uri.replace('mongodb:', 'http:')).port));
    const behind = await startProcess({ uri: `mongodb://127.0.0.1:${between.port}/?directConnection=true`, name: one.name });
    processes.push(behind);
    const first = one.open();
    const again = one.open(first?.position);
    let resumed: Promise<Listener | undefined> | undefined;
    await between.cut(async () => {
      for (const number of upTo(3)) await one.app.service('notes').create({ number });
      await until(() => again?.messages.length === 3);
      resumed = behind.resume(again?.position);
    });
    const listener = await resumed;
    await one.app.service('notes').create({ number: 3 });
    await until(() => listener?.all('number').includes(3));
    between.stop();
    expect([again?.all('number'), listener?.all('number')]).toEqual([upTo(4), [3]]);
  });

  it('is told when its place is of another log, or behind what the process has read', async () => {
    const [one, other] = [await start(), await start()];
    const listener = one.open();
    await one.app.service('notes').create({ number: 0 });
    await until(() => listener?.messages.length === 1);
    expect(other.open(listener?.position)).toBeUndefined();
    const before = listener?.position;
    await one.app.service('notes').create({ number: 1 });
    await until(() => listener?.messages.length === 2);
    const late = await start({ name: one.name, log: { replay: 0 } });
    expect([late.open(before), one.open(before)]).toEqual([undefined, expect.anything()]);
  });
});

describe('a database that goes away', () => {
  it('and comes back tells everything that was written meanwhile', async () => {
    const one = await start();
    const between = await startNetwork(Number(new URL(database.uri.replace('mongodb:', 'http:')).port));
    const uri = `mongodb://127.0.0.1:${between.port}/?directConnection=true`;
    const cut = await startProcess({ uri, name: one.name });
    const listener = cut.open();
    for (const round of upTo(4)) {
      await between.cut(async () => {
        for (const number of upTo(5)) await one.app.service('notes').create({ number: round * 5 + number });
      });
      await until(() => listener?.messages.length === (round + 1) * 5);
    }
    expect([listener?.all('number'), listener?.closed]).toEqual([upTo(20), undefined]);
    await cut.stop();
    between.stop();
  });

  it('for good ends the connections, and what comes then is told again', async () => {
    const [one, two, name] = await startTwo();
    const [a, b] = [one.open(), two.open()];
    await one.app.service('notes').create({ number: 0 });
    await until(() => a?.messages.length === 1 && b?.messages.length === 1);
    await database.client.db(name).dropDatabase();
    await until(() => a?.closed && b?.closed);
    expect([a?.closed, b?.closed]).toEqual(['events lost', 'events lost']);
    for (const [process, listener] of [
      [one, a],
      [two, b],
    ] as const)
      process.app.emit('disconnect', listener?.connection);
    expect([one.open(a?.position), two.open(a?.position), two.open(b?.position)]).toEqual([undefined, undefined, undefined]);
    const next = [one.open(), two.open()];
    await one.app.service('messages').create({ number: 1 });
    await two.app.service('notes').create({ number: 2 });
    await until(() => next.every((each) => each?.messages.length === 2));
    expect(next.map((each) => each?.all('number'))).toEqual([
      [1, 2],
      [1, 2],
    ]);
  });
});

describe('durable: the write and its events are one', () => {
  it('is nothing of both when an after hook, or the publisher, fails', async () => {
    const build = (app: AnyApplication): void => {
      app.service('messages').hooks({
        after: {
          create: [
            (context: any) => {
              if (context.data.fail === 'hook') throw new Error('no');
            },
          ],
        },
      });
      app.service('messages').publish((data: any) => {
        if (data.fail === 'publisher') throw new Error('no publisher');
        return app.channel('everybody');
      });
    };
    const [one, two] = await startTwo({ build });
    const [a, b] = [one.open(), two.open()];
    for (const fail of ['hook', 'publisher']) await expect(one.app.service('messages').create({ fail })).rejects.toThrow('no');
    await one.app.service('messages').create({ number: 1 });
    await until(() => a?.messages.length === 1 && b?.messages.length === 1);
    expect([a?.all('number'), b?.all('number')]).toEqual([[1], [1]]);
    expect(await one.app.service('messages').find()).toHaveLength(1);
  });

  it('gives the events of one record in the order in which its changes were made, whichever process made them', async () => {
    const build = (app: AnyApplication): void => {
      // What is read within the transaction makes others that write it begin again.
      app.service('messages').publish(async (_data: any) => {
        await new Promise((resolve) => setTimeout(resolve, 2));
        return app.channel('everybody');
      });
    };
    const [one, two] = await startTwo({ build });
    const { _id } = await one.app.service('messages').create({ count: 0 });
    const [a, b] = [one.open(), two.open()];
    const patches = upTo(24).map((number) => [one, two][number % 2]!.app.service('messages').patch(_id, { $inc: { count: 1 } }));
    await Promise.all(patches);
    const counts = (listener: typeof a): unknown[] =>
      listener!.messages.filter(({ name }) => name === 'messages patched').map(({ data }) => data.count);
    await until(() => counts(a).length === 24 && counts(b).length === 24);
    expect(counts(a)).toEqual(upTo(24).map((count) => count + 1));
    expect(counts(b)).toEqual(counts(a));
  });

  it('is part of a transaction that the caller has begun, and goes with it', async () => {
    const one = await start();
    const listener = one.open();
    const write = (number: number, fail: boolean): Promise<unknown> =>
      one.client.withSession((session) =>
        session.withTransaction(async () => {
          await one.app.service('messages').create({ number }, { docdb: { session } });
          if (fail) throw new Error('given up');
        }),
      );
    await expect(write(0, true)).rejects.toThrow('given up');
    await write(1, false);
    await until(() => listener?.messages.length === 1);
    expect(listener?.all('number')).toEqual([1]);
  });

  it('tells nothing of a transaction of the caller that was given up while the publisher was asked', async () => {
    let asked = false;
    let answer = (): void => undefined;
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const one = await start({
      build: (app) =>
        app.service('messages').publish(async () => {
          asked = true;
          await answered;
          return app.channel('everybody');
        }),
    });
    const listener = one.open();
    const session = one.client.startSession();
    session.startTransaction();
    const late: Promise<unknown> = one.app.service('messages').create({ number: 0 }, { docdb: { session } });
    await until(() => asked);
    await session.abortTransaction();
    answer();
    await expect(late).rejects.toThrow('The transaction of this call has ended');
    await session.endSession();
    await one.app.service('messages').create({ number: 1 });
    await until(() => listener?.messages.length === 1);
    expect(listener?.all('number')).toEqual([1]);
  });

  it('tells each record of a call that writes several, and nothing of calls that read or emit nothing', async () => {
    const one = await start();
    const listener = one.open();
    await one.app.service('messages').create(upTo(3).map((number) => ({ number })));
    await one.app.service('messages').find();
    one.app.service('messages').hooks({ after: { patch: [(context: any) => void (context.event = null)] } });
    await one.app.service('messages').patch(null, { seen: true });
    await one.app.service('messages').remove(null);
    await until(() => listener?.messages.length === 6);
    expect(listener?.messages.map(({ name }) => name)).toEqual([
      ...upTo(3).map(() => 'messages created'),
      ...upTo(3).map(() => 'messages removed'),
    ]);
  });

  it('does not wait for the first write of a process that was killed in its middle', async () => {
    const { app, client, name } = await start();
    const another = await new MongoClient(database.uri).connect();
    const session = another.startSession();
    session.startTransaction();
    // What it would make here nobody else could use until the database ends the transaction, after a minute.
    await another.db(name).collection('messages').insertOne({ number: 1 }, { session });
    await app.service('messages').create({ number: 2 });
    const stored = await client.db(name).collection('messages').find().toArray();
    await session.abortTransaction();
    await another.close();
    expect(stored.map(({ number }) => number)).toEqual([2]);
  });

  it('is refused where it can not be', async () => {
    const plain: AnyApplication = framework();
    plain.configure(channels());
    const service = (): object => new DocDbService({ Model: database.db.collection('x') });
    expect(() => plain.use('x', service(), { durable: true })).toThrow('eventLog(db)');
    expect(() => plain.use('x', service(), { durable: 'yes' })).toThrow("The option 'durable' of 'x' has to be true or false");
    expect(Object.keys(plain.services)).toEqual([]);
    const before: AnyApplication = framework();
    before.use('x', service(), { durable: true });
    expect(() => before.configure(channels())).toThrow('eventLog(db)');
    // Of another client, and of no database at all.
    const elsewhere = start({ build: (app) => app.use('x', service(), { durable: true }) });
    await expect(elsewhere).rejects.toThrow("'x' can not be durable");
    await expect(start({ build: (app) => app.use('x', { create: async () => ({}) }, { durable: true }) })).rejects.toThrow(
      "'x' can not be durable",
    );
  });
});

describe('collections that are watched', () => {
  const record = Type.Object({ _id: Type.Optional(Type.Any()), number: Type.Number(), secret: Type.Optional(Hidden(Type.String())) });
  const watching = (name: string): Omit<ProcessOptions, 'uri' | 'name'> & { name: string } => ({
    name,
    log: { watch: { 'shop/orders': 'orders' } },
    build: (app, client) =>
      app.use('shop/orders', new DocDbService({ Model: client.db(name).collection('orders') }), { schema: serviceSchema({ record }) }),
  });

  it('tell every change as the event of a service, whoever makes it, once, and without what is hidden', async () => {
    const name = `${database.db.databaseName}_watched`;
    const [one, two] = [await start(watching(name)), await start(watching(name))];
    const [a, b] = [one.open(), two.open()];
    const outside = database.client.db(name).collection('orders');
    const { insertedId } = await outside.insertOne({ number: 1, secret: 'x' });
    await outside.updateOne({ _id: insertedId }, { $set: { number: 2 } });
    await until(() => a?.messages.length === 2);
    await outside.replaceOne({ _id: insertedId }, { number: 3, secret: 'y' });
    await one.app.service('shop/orders').create({ number: 4 });
    await one.app.service('notes').create({ number: 5 });
    await until(() => a?.messages.length === 5);
    await outside.deleteOne({ _id: insertedId });
    await until(() => a?.messages.length === 6 && b?.messages.length === 6);
    expect(a?.messages.map(({ name: event, data }) => [event, data.number])).toEqual([
      ['shop/orders created', 1],
      ['shop/orders patched', 2],
      ['shop/orders updated', 3],
      ['shop/orders created', 4],
      ['notes created', 5],
      ['shop/orders removed', undefined],
    ]);
    expect(a?.messages.at(-1)?.data).toEqual({ _id: insertedId.toHexString() });
    expect(JSON.stringify(a?.messages)).not.toContain('secret');
    expect(b?.messages).toEqual(a?.messages);
  });

  it('need a service at the path', async () => {
    await expect(start({ log: { watch: ['nothing'] } })).rejects.toThrow('no service is there');
  });
});

describe('options of the log', () => {
  it('are refused when they are not what they have to be', () => {
    const bad = [
      { colection: 'x' },
      { collection: '' },
      { watch: 5 },
      { watch: [5] },
      { watch: ['events'] },
      { watch: { a: 'x', b: 'x' } },
      { keep: -1 },
      { gather: 'x' },
    ];
    for (const options of bad) expect(() => eventLog(database.db, options as never)).toThrow(TypeError);
  });
});

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Collection } from 'mongodb';
import { transaction } from '../src/index.ts';
import { startHarness, type ServiceHarness } from './harness.ts';

let harness: ServiceHarness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.database.close());
beforeEach(() => harness.reset());

const names = (): string[] => harness.commands.map((command) => Object.keys(command)[0] as string);

describe('commands to the database per call', () => {
  it('is one for a single record, with restriction, $select and the returned record', async () => {
    const service = harness.service();
    const made = await service.create({ name: 'Ann', age: 5 }, { query: { $select: ['name'] } });
    expect(made).toEqual({ _id: made._id, name: 'Ann' });
    expect(names()).toEqual(['insert']);
    const id = made._id as string;
    const params = { query: { age: { $lt: 10 }, $select: ['name'] } };

    harness.commands.length = 0;
    await service.get(id, params);
    expect(names()).toEqual(['find']);

    harness.commands.length = 0;
    expect(await service.patch(id, { name: 'Bea' }, params)).toEqual({ _id: id, name: 'Bea' });
    expect(names()).toEqual(['findAndModify']);

    harness.commands.length = 0;
    expect(await service.update(id, { name: 'Cleo', age: 6 }, params)).toEqual({ _id: id, name: 'Cleo' });
    expect(names()).toEqual(['findAndModify']);

    harness.commands.length = 0;
    expect(await service.remove(id, params)).toEqual({ _id: id, name: 'Cleo' });
    expect(names()).toEqual(['findAndModify']);
  });

  it('is one for find, and one more for the count of a page', async () => {
    await harness.service({ multi: true }).create([{ name: 'a' }, { name: 'b' }]);
    expect(names()).toEqual(['insert']);
    harness.commands.length = 0;
    await harness.service().find();
    expect(names()).toEqual(['find']);
    harness.commands.length = 0;
    expect(await harness.service({ paginate: { default: 1 } }).find()).toMatchObject({ total: 2, limit: 1, skip: 0 });
    expect(names().sort()).toEqual(['aggregate', 'find']);
    harness.commands.length = 0;
    expect(await harness.service({ paginate: { default: 1 } }).find({ query: { $limit: 0 } })).toEqual({
      total: 2,
      limit: 0,
      skip: 0,
      data: [],
    });
    expect(names()).toEqual(['aggregate']);
  });

  it('is what the README says for several records', async () => {
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
    const [table = ''] = /\| call \| commands \|[\s\S]*?\n\n/.exec(readme) ?? [];
    const said = Object.fromEntries(
      [...table.matchAll(/^\| (`\w+` of several) \| (\d)(?:.*?(\d) with)?/gm)].map(([, call, all, count]) => [call, [all, count]]),
    );
    const counted: Record<string, (string | undefined)[]> = {};
    for (const [call, work] of [
      ['`create` of several', (service: ReturnType<ServiceHarness['service']>) => service.create([{ name: 'a' }, { name: 'b' }])],
      ['`patch` of several', (service: ReturnType<ServiceHarness['service']>) => service.patch(null, { age: 1 })],
      ['`remove` of several', (service: ReturnType<ServiceHarness['service']>) => service.remove(null)],
    ] as const) {
      const numbers: string[] = [];
      for (const returning of ['records', 'count'] as const) {
        const service = harness.service({ multi: true, returning });
        await service.create([{ name: 'x' }, { name: 'y' }]);
        harness.commands.length = 0;
        await work(service);
        numbers.push(String(names().length));
      }
      counted[call] = call.includes('create') ? [numbers[0], undefined] : numbers;
    }
    expect(counted).toEqual(said);
  });

  it('S4 S36 puts the restriction into the very command that reads or writes', async () => {
    const service = harness.service();
    const made = await service.create({ name: 'Ann', age: 5 });
    harness.commands.length = 0;
    const foreign = { query: { age: 99 } };
    await expect(service.get(made._id as string, foreign)).rejects.toMatchObject({ code: 404 });
    await expect(service.patch(made._id as string, { name: 'x' }, foreign)).rejects.toMatchObject({ code: 404 });
    await expect(service.update(made._id as string, { name: 'x' }, foreign)).rejects.toMatchObject({ code: 404 });
    await expect(service.remove(made._id as string, foreign)).rejects.toMatchObject({ code: 404 });
    expect(names()).toEqual(['find', 'findAndModify', 'findAndModify', 'findAndModify']);
    for (const command of harness.commands) expect(JSON.stringify(command.filter ?? command.query)).toContain('"age":99');
    await expect(service.get(made._id as string)).resolves.toMatchObject({ name: 'Ann' });
  });

  it('S37 lets one of two clients win', async () => {
    const service = harness.service();
    const made = await service.create({ name: 'seat', free: true });
    const book = (name: string): Promise<unknown> => service.patch(made._id as string, { free: false, name }, { query: { free: true } });
    const results = await Promise.allSettled([book('one'), book('two'), book('three')]);
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
  });

  it('S14 gives every command a time limit', async () => {
    const service = harness.service({ paginate: { default: 1 }, multi: true });
    const made = await service.create({ name: 'a' });
    harness.commands.length = 0;
    await service.find();
    await service.get(made._id as string);
    await service.patch(null, { age: 1 });
    await service.remove(null);
    for (const command of harness.commands) expect(command.maxTimeMS).toBe(30_000);
  });
});

describe('writes to several records', () => {
  const many = { multi: true } as const;

  it('S37 gives back no record that went to another owner meanwhile', async () => {
    const { db } = harness.database;
    const collection = db.collection('people');
    // Another client, between the command that writes and the one that reads.
    const Model = new Proxy(collection, {
      get(target, name: keyof typeof collection) {
        if (name !== 'updateMany') return Reflect.get(target, name, target) as unknown;
        return async (...args: Parameters<typeof collection.updateMany>) => {
          const answer = await target.updateMany(...args);
          await target.updateOne({ name: 'Ann' }, { $set: { owner: 'other' } });
          return answer;
        };
      },
    });
    const service = harness.service({ ...many, Model });
    await service.create([
      { name: 'Ann', owner: 'me', state: 'open' },
      { name: 'Bea', owner: 'me', state: 'open' },
      { name: 'Cleo', owner: 'other', state: 'open' },
    ]);
    const query = { $and: [{ owner: 'me' }, { $or: [{ state: 'open' }, { state: 'new' }] }] };
    expect(await service.patch(null, { state: 'done' }, { query })).toMatchObject([{ name: 'Bea', state: 'done' }]);
    // What the change itself has ended does not count.
    await collection.updateMany({}, { $set: { owner: 'me', state: 'open' } });
    const moved = await harness.service(many).patch(null, { $set: { owner: 'you' }, state: 'moved' } as never, { query: { owner: 'me' } });
    expect(moved).toHaveLength(3);
  });

  it('S37 gives back no id of a record that went to another owner before it could be changed', async () => {
    const collection = harness.database.db.collection('people');
    // Another client, between the command that reads and the one that writes.
    const Model = new Proxy(collection, {
      get(target, name: keyof typeof collection) {
        if (name !== 'updateMany') return Reflect.get(target, name, target) as unknown;
        return async (...args: Parameters<typeof collection.updateMany>) => {
          await target.updateOne({ name: 'Ann' }, { $set: { owner: 'other' } });
          return target.updateMany(...args);
        };
      },
    });
    const service = harness.service({ ...many, Model, returning: 'ids' });
    const [, bea] = await harness.service(many).create([
      { name: 'Ann', owner: 'me' },
      { name: 'Bea', owner: 'me' },
    ]);
    expect(await service.patch(null, { age: 1 }, { query: { owner: 'me' } })).toEqual([{ _id: bea?._id }]);
    expect(await harness.service().find({ query: { age: 1 } })).toMatchObject([{ name: 'Bea' }]);
  });

  it.each(['records', 'ids'] as const)(
    'S37 gives back no record that went to another owner before it could be removed, as %s',
    async (returning) => {
      const collection = harness.database.db.collection('people');
      // Another client, between the command that reads and the one that removes.
      const Model = new Proxy(collection, {
        get(target, name: keyof typeof collection) {
          if (name !== 'deleteMany') return Reflect.get(target, name, target) as unknown;
          return async (...args: Parameters<typeof collection.deleteMany>) => {
            await target.updateOne({ name: 'Ann' }, { $set: { owner: 'other' } });
            return target.deleteMany(...args);
          };
        },
      });
      const service = harness.service({ ...many, Model, returning });
      const [, bea] = await harness.service(many).create([
        { name: 'Ann', owner: 'me' },
        { name: 'Bea', owner: 'me' },
      ]);
      const removed = await service.remove(null, { query: { owner: 'me', ...(returning === 'records' && { $select: ['name'] }) } });
      expect(removed).toEqual([{ _id: bea?._id, ...(returning === 'records' && { name: 'Bea' }) }]);
      expect(await harness.service().find()).toMatchObject([{ name: 'Ann', owner: 'other' }]);
    },
  );

  /** A collection that tells its calls of one kind to somebody else first. */
  const withFirst = (method: 'updateMany' | 'deleteMany', first: () => Promise<unknown>): Collection => {
    const collection = harness.database.db.collection('people');
    return new Proxy(collection, {
      get(target, name: keyof Collection) {
        const own = Reflect.get(target, name, target) as unknown;
        if (name !== method || typeof own !== 'function') return own;
        return async (...args: unknown[]) => {
          await first();
          return Reflect.apply(own, target, args) as unknown;
        };
      },
    });
  };

  it.each(['records', 'ids'] as const)('gives each record to one of two calls that take what is free, as %s', async (returning) => {
    const service = harness.service({ ...many, returning });
    const [, bea, cleo] = await service.create(['Ann', 'Bea', 'Cleo'].map((name) => ({ name, owner: null })));
    const other = { names: ['Ann', 'Bea', 'Cleo'] };
    const Model = withFirst('updateMany', () => service.patch(null, { owner: 'other' }, { query: { name: { $in: other.names } } }));
    const late = harness.service({ ...many, Model, returning });
    const take = (): Promise<unknown> => late.patch(null, { owner: 'me' }, { query: { owner: null } });
    expect(await take()).toEqual([]);
    await service.patch(null, { owner: null });
    other.names = ['Ann'];
    const expected = [bea, cleo].map((found) => ({ _id: found?._id, ...(returning === 'records' && { name: found?.name, owner: 'me' }) }));
    expect(await take()).toEqual(expected);
  });

  it('gives each record to one of two calls that set the same, by its version', async () => {
    const service = harness.service({ ...many, version: 'version' });
    await service.create(['Ann', 'Bea'].map((name) => ({ name, state: 'new' })));
    const Model = withFirst('updateMany', () => service.patch(null, { state: 'taken' }, { query: { name: 'Ann' } }));
    const late = harness.service({ ...many, Model, version: 'version' });
    const taken = await late.patch(null, { state: 'taken' }, { query: { state: 'new' } });
    expect(taken).toMatchObject([{ name: 'Bea' }]);
    expect(taken).toHaveLength(1);
  });

  it('gives back all that operators have changed, which no record shows', async () => {
    const service = harness.service(many);
    await service.create(['Ann', 'Bea', 'Cleo'].map((name) => ({ name, age: 1 })));
    const Model = withFirst('updateMany', () => service.remove(null, { query: { name: 'Ann' } }));
    const grown = await harness.service({ ...many, Model }).patch(null, { $inc: { age: 1 } } as never, { query: { age: 1 } });
    expect(grown).toMatchObject([
      { name: 'Bea', age: 2 },
      { name: 'Cleo', age: 2 },
    ]);
  });

  it.each(['records', 'ids'] as const)('gives back nothing that another call has removed before it, as %s', async (returning) => {
    const service = harness.service({ ...many, returning });
    await service.create([{ name: 'Ann' }, { name: 'Bea' }]);
    const Model = withFirst('deleteMany', () => service.remove(null));
    expect(await harness.service({ ...many, Model, returning }).remove(null)).toEqual([]);
  });

  it.each(['patch', 'remove'] as const)('refuses to %s more than maxMulti where it only counts', async (method) => {
    const service = harness.service({ ...many, maxMulti: 1, returning: 'count' });
    await service.create([{ name: 'Ann' }, { name: 'Bea' }]);
    const call = (query: Record<string, string>): Promise<unknown> =>
      method === 'patch' ? service.patch(null, { age: 1 }, { query }) : service.remove(null, { query });
    await expect(call({})).rejects.toMatchObject({ code: 400, message: expect.stringContaining("'maxMulti'") });
    expect(await harness.service().find({ query: { age: 1 } })).toEqual([]);
    expect(await harness.service().find()).toHaveLength(2);
    expect(await call({ name: 'Ann' })).toEqual({ count: 1 });
  });
});

it('sends one command at a time in a session', async () => {
  const { client } = harness.database;
  const service = harness.service({ paginate: { default: 1, max: 10 } });
  await service.create({ name: 'Ann' });
  let open = 0;
  let most = 0;
  const begun = (): void => void (most = Math.max(most, ++open));
  const ended = (): void => void (open -= 1);
  client.on('commandStarted', begun).on('commandSucceeded', ended);
  expect(await service.find()).toMatchObject({ total: 1 });
  expect(most).toBe(2);
  most = 0;
  const found = await transaction(client, (session) => service.find({ docdb: { session } }));
  client.off('commandStarted', begun).off('commandSucceeded', ended);
  expect(found).toMatchObject({ total: 1, data: [{ name: 'Ann' }] });
  expect(most).toBe(1);
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { framework, type Application, type HookContext } from '@framework/core';
import { Binary, MongoError, ObjectId } from 'mongodb';
import { transactionHook, type DocDbService } from '../src/index.ts';
import { startHarness, type Person, type ServiceHarness } from './harness.ts';

interface Services {
  people: DocDbService<Person, Partial<Person>>;
}

describe('a call that the driver runs again', () => {
  let harness: ServiceHarness;
  let app: Application<Services>;

  beforeAll(async () => {
    harness = await startHarness();
  });
  afterAll(() => harness.database.close());
  beforeEach(async () => {
    await harness.reset();
    await harness.database.db.createCollection('people');
    app = framework<Services>().use('people', harness.service({ multi: true }));
  });

  /** Each call with `method` is one transaction, with a hook in it, and is in the way of another one once. */
  const twice = (method: string, hook: (context: HookContext) => void): void => {
    let runs = 0;
    const fail = (): void => {
      runs += 1;
      if (runs > 1) return;
      const error = new MongoError('in the way');
      error.addErrorLabel('TransientTransactionError');
      throw error;
    };
    app.service('people').hooks({
      around: { [method]: [transactionHook(harness.database.client)] },
      before: { [method]: [hook] },
      after: { [method]: [fail] },
    });
  };

  it('begins with the data that it was made with, whatever hooks have changed in them', async () => {
    const [id, tags] = [new ObjectId(), ['new']];
    const data = { name: 'Ann', age: 5, team: { id, tags } };
    twice('create', ({ data: given }) => {
      const person = given as typeof data;
      person.age *= 100;
      person.team.tags.push('checked');
    });
    const made = await app.service('people').create(data);
    expect(made).toMatchObject({ name: 'Ann', age: 500, team: { tags: ['new', 'checked'] } });
    expect((made as unknown as typeof data).team.id).toBe(id);
    expect(data).toEqual({ name: 'Ann', age: 5, team: { id, tags: ['new'] } });
  });

  it('begins with the dates, maps and bytes that it was made with', async () => {
    const data = {
      at: new Date(0),
      on: [{ at: new Date(5) }],
      scores: new Map([['a', { n: 1 }]]),
      bytes: Buffer.from([1]),
      raw: new Uint8Array([1]),
    };
    twice('create', ({ data: given }) => {
      const { at, on, scores, bytes, raw } = given as unknown as typeof data;
      at.setTime(at.getTime() + 1000);
      on[0]?.at.setTime(7);
      for (const score of scores.values()) score.n += 1;
      scores.set(`b${String(scores.size)}`, { n: 0 });
      bytes[0] = (bytes[0] ?? 0) + 1;
      raw[0] = (raw[0] ?? 0) + 1;
    });
    const { _id: id, ...made } = await app.service('people').create(data as never);
    const bytes = new Binary(Buffer.from([2]));
    expect(made).toEqual({ at: new Date(1000), on: [{ at: new Date(7) }], scores: { a: { n: 2 }, b1: { n: 0 } }, bytes, raw: bytes });
    expect(await app.service('people').get(id as never)).toEqual({ _id: id, ...made });
    expect(data).toEqual({
      at: new Date(0),
      on: [{ at: new Date(5) }],
      scores: new Map([['a', { n: 1 }]]),
      bytes: Buffer.from([1]),
      raw: new Uint8Array([1]),
    });
  });

  it('begins without what an attempt before has left for the answer and the event', async () => {
    let seen: unknown[] = [];
    let first = true;
    twice('create', (context) => {
      seen = [context.dispatch, context.event, context.http.status, context.result];
      if (!first) return;
      first = false;
      context.dispatch = { name: 'of the first' };
      context.event = 'first';
      context.http.status = 299;
    });
    const told: unknown[] = [];
    app.service('people').on('created', (record, { http }) => told.push(http.status));
    app.service('people').on('first', () => told.push('first'));
    const around: HookContext[] = [];
    app.hooks({
      around: {
        all: [
          async (context, next) => {
            await next();
            around.push(context);
          },
        ],
      },
    });
    await app.service('people').create({ name: 'Ann' });
    expect(seen).toEqual([undefined, 'created', undefined, undefined]);
    expect(told).toEqual([undefined]);
    expect(around.map(({ dispatch }) => dispatch)).toEqual([undefined]);
  });

  it('begins with its query and its id too', async () => {
    const ann = (await app.service('people').create({ name: 'Ann', age: 5 })) as Person;
    twice('patch', (context) => {
      const { query = {} } = context.params;
      query.age = Number(query.age) + 1;
      if (context.id !== 'ann') throw new Error(`nobody is called ${String(context.id)}`);
      context.id = String(ann._id);
    });
    const params = { query: { age: 4 } };
    await expect(app.service('people').patch('ann', { name: 'Anne' }, params)).resolves.toMatchObject({ name: 'Anne' });
    expect(params).toEqual({ query: { age: 4 } });
  });

  it('takes data that contain themselves as the database does', async () => {
    const data: Record<string, unknown> = { name: 'Ann' };
    data.self = data;
    twice('create', () => undefined);
    await expect(app.service('people').create(data)).rejects.toMatchObject({ code: 400 });
  });

  it.each([150, 20_000])('takes data that are nested too deeply as without a transaction: %d levels are 400', async (levels) => {
    twice('create', () => undefined);
    const data = JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`) as object;
    await expect(app.service('people').create(data as never, { provider: 'rest' })).rejects.toMatchObject({ code: 400 });
  });
});

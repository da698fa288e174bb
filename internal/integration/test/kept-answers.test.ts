import { framework, type HookContext, type NextFunction } from '@framework/core';
import { Hidden, Reference, resolve, resolveExternal, serviceSchema, Type } from '@framework/schema';
import { MemoryService } from '@framework-internal/testing';
import express, {
  errorHandler,
  idempotent,
  json,
  MemoryIdempotencyStore,
  rest,
  type Application,
  type HeldKey,
} from '@framework/transport-express';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listen, sendJson, type Answer, type Running } from './harness.ts';

/** Notes what it is given to keep. */
class WatchedStore extends MemoryIdempotencyStore {
  readonly texts: string[] = [];

  override async keep(held: HeldKey, outcome: string): Promise<void> {
    this.texts.push(outcome);
    await super.keep(held, outcome);
  }
}

describe('what is kept of a write with an Idempotency-Key', () => {
  const store = new WatchedStore();
  let running: Running;
  let resolved = 0;
  let people: MemoryService;

  const sentTwice = async (path: string, data: object): Promise<readonly [Answer, Answer]> => {
    const headers = { 'idempotency-key': `a key for ${path}, and no other`.replaceAll(' ', '-') };
    return [await sendJson(running.url, 'POST', path, data, headers), await sendJson(running.url, 'POST', path, data, headers)];
  };

  beforeAll(async () => {
    const person = Type.Object({ id: Type.Number(), name: Type.String(), password: Hidden(Type.String()) });
    const account = Type.Object({
      id: Type.Number(),
      text: Type.String(),
      at: Type.Optional(Type.Unsafe<Date>({})),
      pin: Type.Optional(Hidden(Type.String())),
      owner: Type.Optional(Type.Unsafe<object>({})),
      personId: Type.Optional(Reference('people', { as: 'person', id: Type.Number() })),
    });
    const external = resolve<{ at: Date }, HookContext>({
      at: async (value) => {
        resolved += 1;
        return new Date(value!.toISOString());
      },
    });
    const app = express(framework()) as Application;
    app.use(json());
    app.configure(rest());
    people = new MemoryService({ startId: 1 });
    app.use('people', people, { schema: serviceSchema({ record: person }) });
    app.use('accounts', new MemoryService({ startId: 1 }), { schema: serviceSchema({ record: account }) });
    app.hooks({ around: { all: [idempotent({ store })] } });
    const owned = async (context: HookContext, next: NextFunction): Promise<void> => {
      await next();
      const owner = await app.service('people').get(1);
      context.result = { ...(context.result as object), owner };
    };
    const pinned = (context: HookContext): void => {
      context.data = { ...(context.data as object), pin: 'a pin that is hidden', at: new Date(0) };
    };
    app.service('accounts').hooks({ around: { create: [resolveExternal(external), owned] }, before: { create: [pinned] } });
    app.use(errorHandler({ logger: false }));
    await people.create({ name: 'Ann', password: 'a hidden password' });
    running = await listen(app);
  });
  afterAll(() => running.stop());

  it('is what left: no hidden property, none of records of other services, and resolved once', async () => {
    const [first, second] = await sentTwice('/accounts', { text: 'tea' });
    const expected = { id: 1, text: 'tea', at: '1970-01-01T00:00:00.000Z', owner: { id: 1, name: 'Ann' } };
    expect([first.status, first.body, second.status, second.body]).toEqual([201, expected, 201, expected]);
    expect([second.text, second.headers['idempotency-replayed']]).toEqual([first.text, 'true']);
    expect(store.texts.join()).toContain('tea');
    expect(store.texts.join()).not.toContain('hidden');
    expect(resolved).toBe(1);
  });

  it('has the records that were asked for beside it, as they were', async () => {
    const path = '/accounts?$populate=person';
    const [first] = await sentTwice(path, { text: 'milk', personId: 1 });
    await people.patch(1, { name: 'Bea' });
    const [second] = await sentTwice(path, { text: 'milk', personId: 1 });
    expect(first.body.person).toEqual({ id: 1, name: 'Ann' });
    expect(second.text).toBe(first.text);
    expect(store.texts.join()).not.toContain('hidden');
  });
});

import { MemoryService } from '@framework-internal/testing';
import { createContext, framework, callerAnswer, type HookContext } from '@framework/core';
import { describe, expect, it } from '@jest/globals';
import { resolve, serviceSchema, Type, virtual, type AllResolvers } from '../../src/index.ts';

const record = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  email: Type.String(),
  isPrivate: Type.Boolean(),
  label: Type.Optional(Type.String()),
  address: Type.Object({ city: Type.String(), isSecret: Type.Boolean() }),
});

interface Person {
  name: string;
  email: string;
  isPrivate: boolean;
  address: { city: string; isSecret: boolean };
  label: string;
}

const ann = { id: 1, name: 'Ann', email: 'ann@here', isPrivate: true, address: { city: 'Rome', isSecret: true } };
const bob = { id: 2, name: 'Bob', email: 'bob@here', isPrivate: false, address: { city: 'Bern', isSecret: false } };
const hiding = resolve<Person>({
  email: async (email, { isPrivate }) => (isPrivate ? undefined : email),
  address: async (address) => (address?.isSecret ? undefined : address),
});

type Answer = (method: 'find' | 'get', $select: string[], params?: object) => Promise<unknown>;

/** @returns asks for what callers get, and the selections that the method has seen */
function people(resolvers: AllResolvers, after: (context: HookContext) => void = () => undefined): { answer: Answer; selected: unknown[] } {
  const selected: unknown[] = [];
  class People extends MemoryService {
    override find(params: { query?: { $select?: unknown } } = {}): ReturnType<MemoryService['find']> {
      selected.push(params.query?.$select);
      return super.find(params);
    }
  }
  const app = framework().use('people', new People({ store: [structuredClone(ann), structuredClone(bob)] }), {
    schema: serviceSchema({ record, resolvers }),
  });
  app.service('people').hooks({ after: { all: [after] } } as never);
  const answer: Answer = async (method, $select, params = { provider: 'rest' }) => {
    const context = createContext(app.service('people'), method);
    const called = { query: { $select }, ...params };
    const service = app.service('people') as unknown as Record<typeof method, (...args: unknown[]) => Promise<unknown>>;
    await service[method](...(method === 'get' ? [1] : []), called, context);
    return callerAnswer(context);
  };
  return { answer, selected };
}

describe('what callers from outside select', () => {
  it('does not decide what a resolver of what they get knows', async () => {
    const { answer } = people({ dispatch: hiding });
    expect(await answer('find', ['email'])).toEqual([{ id: 1 }, { id: 2, email: 'bob@here' }]);
    expect(await answer('get', ['email'])).toEqual({ id: 1 });
  });

  it('does not decide what a resolver of the result knows', async () => {
    const { answer } = people({ result: hiding });
    expect(await answer('find', ['email'])).toEqual([{ id: 1 }, { id: 2, email: 'bob@here' }]);
  });

  it('does not decide what a resolver knows of a property that is asked for in part', async () => {
    const { answer } = people({ dispatch: hiding });
    expect(await answer('find', ['address.city'])).toEqual([{ id: 1 }, { id: 2, address: { city: 'Bern' } }]);
  });

  it('is all that they get of stored properties, beside those that are worked out', async () => {
    const label = virtual<string, Person, unknown>(({ name, email }) => `${name}: ${email}`);
    const { answer } = people({ dispatch: resolve<Person>({ label }) });
    expect(await answer('find', ['label'])).toEqual([
      { id: 1, label: 'Ann: ann@here' },
      { id: 2, label: 'Bob: bob@here' },
    ]);
  });

  it('leaves what hooks have made of the result', async () => {
    const { answer } = people({ dispatch: hiding }, ({ result }) => {
      for (const one of result as Record<string, unknown>[]) Object.assign(one, { email: '***', link: `/${String(one.id)}` });
    });
    expect(await answer('find', ['email'])).toEqual([
      { id: 1, link: '/1' },
      { id: 2, email: '***', link: '/2' },
    ]);
  });

  it('is the same for hooks that have the result', async () => {
    const seen: unknown[] = [];
    const { answer } = people({ dispatch: hiding }, ({ params, result }) => {
      seen.push(params.query, structuredClone(result));
    });
    await answer('get', ['email']);
    expect(seen).toEqual([{ $select: ['email'] }, { id: 1, email: 'ann@here' }]);
  });

  it('is all that is read where no resolver has to do with it, and for code on the server', async () => {
    const { answer, selected } = people({ dispatch: hiding, result: hiding });
    await answer('find', ['name']);
    await answer('find', ['email'], {});
    await answer('find', ['email']);
    expect(selected).toEqual([['name'], ['email'], undefined]);
  });
});

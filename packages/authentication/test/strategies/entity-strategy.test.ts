import { BadRequest, Conflict, Gone, NotFound } from '@framework/errors';
import { afterEach, describe, expect, it } from '@jest/globals';
import { EntityStrategy, type AuthenticationConfiguration, type AuthenticationParams } from '../../src/index.ts';
import { createWorld, endWorlds, type SessionWorld } from '../session-world.ts';

afterEach(endWorlds);

const INVALID = { code: 401, message: 'invalid token', data: { name: 'JsonWebTokenError' } };

/** Selects properties, as strategies of applications do. */
class SelectingStrategy extends EntityStrategy {
  override getEntityQuery(): Promise<Record<string, unknown>> {
    return Promise.resolve({ $select: ['name'] });
  }
}

async function withStrategy<S extends EntityStrategy>(
  strategy: S,
  options: AuthenticationConfiguration = {},
): Promise<SessionWorld & { strategy: S }> {
  const world = await createWorld(options);
  world.service.register('own', strategy);
  world.userCalls.length = 0;
  return { ...world, strategy };
}

describe('the entity of a strategy', () => {
  it('is read once for a call on the server, without where the call came from', async () => {
    const { strategy, userCalls } = await withStrategy(new EntityStrategy());
    const found = await strategy.getEntity('1', { authentication: { strategy: 'own' }, mark: 'kept' } as AuthenticationParams);
    expect(found).toMatchObject({ id: 1, name: 'Ann', password: 'secret of Ann' });
    expect(userCalls).toEqual([{ method: 'get', id: '1', params: expect.objectContaining({ query: {}, mark: 'kept' }) }]);
    expect(userCalls[0]?.params).not.toHaveProperty('authentication');
    expect(userCalls[0]?.params).not.toHaveProperty('provider');
  });

  it('is given to a call from outside as its service shows it to that transport, which sees it as who calls', async () => {
    const { strategy, userCalls, usersService } = await withStrategy(new EntityStrategy());
    usersService.hooks({
      after: {
        get: [
          (context: { params: { provider?: string }; result: object }) => {
            if (context.params.provider === 'rest') context.result = { ...context.result, shown: 'outside' };
          },
        ],
      },
    });
    const found = await strategy.getEntity('1', { provider: 'rest', query: { of: 'the call' } });
    expect(found).toMatchObject({ id: 1, name: 'Ann', shown: 'outside' });
    expect(userCalls).toHaveLength(2);
    expect(userCalls[0]?.params).not.toHaveProperty('provider');
    expect(userCalls[1]).toEqual({
      method: 'get',
      id: '1',
      params: expect.objectContaining({ provider: 'rest', query: {}, user: expect.objectContaining({ id: 1, name: 'Ann' }) }),
    });
  });

  it.each([
    ['no service is configured', { service: undefined }],
    ['there is no entity', { entity: null }],
  ])('can not be found where %s: 401', async (_what, change) => {
    const { strategy, configure, userCalls } = await withStrategy(new EntityStrategy());
    configure(change as never);
    await expect(strategy.getEntity('1', {})).rejects.toMatchObject({ code: 401, message: 'Could not find entity service' });
    expect(userCalls).toEqual([]);
  });

  it('can not be found by a strategy that is not registered: 401', async () => {
    const error = { code: 401, message: 'Could not find entity service' };
    await expect(new EntityStrategy().getEntity('1', {})).rejects.toMatchObject(error);
  });

  it("has the name and the service of the strategy's own options, which win over those of the service", async () => {
    const { app, strategy, userCalls, users, configure } = await withStrategy(new EntityStrategy());
    const machines: unknown[] = [];
    app.use('machines', {
      get: async (id: unknown, params: object) => {
        machines.push(params);
        return { id, name: 'Press' };
      },
    } as never);
    configure({ own: { service: 'machines', entity: 'machine' } });
    expect(await strategy.getEntity('7', { provider: 'rest' })).toMatchObject({ id: '7', name: 'Press' });
    expect(machines).toEqual([
      expect.not.objectContaining({ machine: expect.anything() }),
      expect.objectContaining({ machine: expect.objectContaining({ name: 'Press' }) }),
    ]);
    expect(userCalls).toEqual([]);
    configure({ own: {} });
    expect(await strategy.getEntity('2', {})).toMatchObject(users.store.get('2') as object);
    configure({ own: 'not options' });
    expect(strategy.configuration).toEqual({});
  });

  it.each([new NotFound('none'), new BadRequest('no id'), new Gone('removed')])(
    'that its service answers with %s for is 401',
    async (error) => {
      const { strategy, usersService } = await withStrategy(new EntityStrategy());
      usersService.hooks({
        before: {
          get: [
            () => {
              throw error;
            },
          ],
        },
      });
      await expect(strategy.getEntity('1', {})).rejects.toMatchObject(INVALID);
    },
  );

  it.each([new Conflict('taken'), new Error('no database')])('that can not be read fails as its service does: %s', async (error) => {
    const { strategy, usersService } = await withStrategy(new EntityStrategy());
    usersService.hooks({
      before: {
        get: [
          () => {
            throw error;
          },
        ],
      },
    });
    await expect(strategy.getEntity('1', {})).rejects.toBe(error);
  });

  it.each([undefined, null, 'text', 0])('for which its service gives %j in place of a record is 401', async (nothing) => {
    const { app, strategy, configure } = await withStrategy(new EntityStrategy());
    app.use('people', { id: 'id', get: async () => nothing } as never);
    configure({ service: 'people' });
    await expect(strategy.getEntity('1', {})).rejects.toMatchObject(INVALID);
    await expect(strategy.getEntity('1', { provider: 'rest' })).rejects.toMatchObject(INVALID);
  });

  it('is refused when it is disabled, by whatever property says so', async () => {
    const { strategy, users, configure } = await withStrategy(new EntityStrategy());
    await users.patch(1, { disabled: true });
    await expect(strategy.getEntity('1', {})).rejects.toMatchObject(INVALID);
    configure({ disabledField: 'locked' });
    await expect(strategy.getEntity('1', {})).resolves.toMatchObject({ id: 1 });
    await users.patch(1, { locked: 1 });
    await expect(strategy.getEntity('1', {})).rejects.toMatchObject(INVALID);
    configure({ disabledField: 'account.locked' });
    await expect(strategy.getEntity('1', {})).resolves.toMatchObject({ id: 1 });
    await users.patch(1, { account: { locked: true } });
    await expect(strategy.getEntity('1', {})).rejects.toMatchObject(INVALID);
    configure({ disabledField: null });
    await expect(strategy.getEntity('1', {})).resolves.toMatchObject({ id: 1 });
  });

  it('is shown as it is stored, with the names of its secrets, to what admits it, whose refusal is the answer', async () => {
    const { strategy } = await withStrategy(new EntityStrategy());
    const seen: unknown[] = [];
    await strategy.getEntity('1', { provider: 'rest' }, (secrets) => void seen.push(secrets));
    expect(seen).toEqual([{ entity: expect.objectContaining({ id: 1, password: 'secret of Ann' }), fields: ['password'] }]);
    const refused = new Error('not admitted');
    await expect(strategy.getEntity('1', {}, () => Promise.reject(refused))).rejects.toBe(refused);
  });

  it('of a query that selects properties shows no secrets, so that nothing is compared', async () => {
    const { strategy, userCalls } = await withStrategy(new SelectingStrategy());
    const found = await strategy.getEntity('1', { provider: 'rest' }, () => Promise.reject(new Error('not admitted')));
    expect(found).toEqual({ id: 1, name: 'Ann' });
    expect(userCalls.map(({ params }) => params.query)).toEqual([{ $select: ['name'] }, { $select: ['name'] }]);
  });

  it('keeps its secrets out of the JSON of whatever holds it, and shows them to whoever asks for them', async () => {
    const { strategy, configure } = await withStrategy(new EntityStrategy());
    const found = (await strategy.getEntity('1', {})) as { password: string };
    expect(found.password).toBe('secret of Ann');
    expect(JSON.parse(JSON.stringify({ found }))).toEqual({ found: { id: 1, name: 'Ann' } });
    configure({ entity: null });
    class Concealing extends EntityStrategy {
      conceal(entity: unknown): unknown {
        return this.concealed(entity);
      }
    }
    const concealing = new Concealing();
    const record = { id: 1, password: 'x' };
    expect(concealing.conceal(record)).toBe(record);
    const { service } = await createWorld({ entity: null });
    service.register('concealing', concealing);
    expect(JSON.stringify(concealing.conceal(record))).toBe('{"id":1}');
  });
});

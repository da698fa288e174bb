import { getRules, NOBODY, rememberOrigin } from '@framework/core';
import { NotAuthenticated } from '@framework/errors';
import { afterEach, describe, expect, it } from '@jest/globals';
import { concealedEntity, admittedResult, entityPlace, shownEntity } from '../../src/entity/entity-rules.ts';
import type { AuthenticationStrategy } from '../../src/index.ts';
import { createApp } from '../harness.ts';
import { createWorld, endWorlds } from '../session-world.ts';

afterEach(endWorlds);

const ANN = { id: 1, name: 'Ann', password: 'x', pin: 'y' };

describe('the place of the entities', () => {
  const of = (configuration: object, own?: object): unknown =>
    entityPlace({ configuration: configuration as never }, own && ({ configuration: own } as AuthenticationStrategy));

  it.each<[object, object | undefined, unknown]>([
    [{ entity: 'user', service: 'users' }, undefined, { name: 'user', path: 'users' }],
    [{ entity: 'user', service: 'users' }, {}, { name: 'user', path: 'users' }],
    [{ entity: 'user', service: 'users' }, { entity: 'machine' }, { name: 'machine', path: 'users' }],
    [{ entity: 'user', service: 'users' }, { service: 'machines' }, { name: 'user', path: 'machines' }],
    [{ entity: null }, { entity: 'machine', service: 'machines' }, { name: 'machine', path: 'machines' }],
    [{ entity: 'user' }, undefined, { name: 'user', path: undefined }],
    [{ entity: 'user', service: 5 }, undefined, { name: 'user', path: undefined }],
    [{ entity: null, service: 'users' }, undefined, undefined],
    [{ service: 'users' }, {}, undefined],
  ])('with %j and %j of the strategy is %j', (configuration, own, place) => {
    expect(of(configuration, own)).toEqual(place);
  });

  it('is that of the service for a strategy without options', () => {
    expect(entityPlace({ configuration: { entity: 'user', service: 'users' } }, {})).toEqual({ name: 'user', path: 'users' });
  });
});

describe('what others see of an entity', () => {
  it('has no secret, whether or not its service is known', async () => {
    const { service } = await createWorld();
    expect(shownEntity(service, 'users', ANN, NOBODY)).toEqual({ id: 1, name: 'Ann', pin: 'y' });
    expect(shownEntity(service, undefined, ANN, NOBODY)).toEqual({ id: 1, name: 'Ann', pin: 'y' });
  });

  it('has no secret of a strategy that was registered late either', () => {
    const { service } = createApp();
    expect(shownEntity(service, 'users', ANN, NOBODY)).toEqual(ANN);
    service.register('late', { protectedFields: ['password', 'pin'] });
    for (const path of ['users', undefined, 'users']) expect(shownEntity(service, path, ANN, NOBODY)).toEqual({ id: 1, name: 'Ann' });
    service.register('later', { protectedFields: ['name', 'pin'] });
    for (const path of ['users', undefined]) expect(shownEntity(service, path, ANN, NOBODY)).toEqual({ id: 1 });
  });

  it('has no secret of a strategy that has taken the place of another', () => {
    const { service } = createApp();
    service.register('late', { protectedFields: ['password'] });
    expect(shownEntity(service, 'users', ANN, NOBODY)).toEqual({ id: 1, name: 'Ann', pin: 'y' });
    service.register('late', { protectedFields: ['password', 'pin'] });
    expect(service.protectedFields).toEqual(['password', 'pin']);
    expect(shownEntity(service, 'users', ANN, NOBODY)).toEqual({ id: 1, name: 'Ann' });
  });

  it('can not become less once the application is set up: its service would show a secret of a strategy that comes then', async () => {
    const { service, users, usersService } = await createWorld();
    await users.patch(1, { pin: 'y' });
    expect(() => {
      service.register('late', { protectedFields: ['pin'] });
    }).toThrow("say nothing of 'pin': register services, hooks and strategies that keep something secret before app.setup()");
    expect(service.getStrategy('late')).toBeUndefined();
    service.register('again', { protectedFields: ['password'] });
    expect(service.getStrategy('again')).toBeDefined();
    expect(await usersService.get(1, { provider: 'rest' })).toEqual({ id: 1, name: 'Ann', pin: 'y' });
  });

  it('has what its own service hides neither', async () => {
    const { service, app } = await createWorld();
    app.use('machines', { get: async (id: unknown) => ({ id }) } as never);
    getRules(app.service('machines'))?.add({ hidden: ['owner'] });
    expect(shownEntity(service, 'machines', { id: 1, owner: 'Ann', password: 'x' }, NOBODY)).toEqual({ id: 1 });
    expect(shownEntity(service, 'users', { id: 1, owner: 'Ann', password: 'x' }, NOBODY)).toEqual({ id: 1, owner: 'Ann' });
  });
});

describe('an entity as it lies in parameters', () => {
  it('can be read, and its JSON is what others see', async () => {
    const { service } = await createWorld();
    const entity = concealedEntity(service, 'users', ANN) as typeof ANN;
    expect([entity.password, JSON.parse(JSON.stringify(entity))]).toEqual(['x', { id: 1, name: 'Ann', pin: 'y' }]);
    const plain = { id: 1, name: 'Ann' };
    expect(concealedEntity(service, 'users', plain)).toBe(plain);
  });

  it('keeps the rules of a service that has handed it on, and nothing that a resolver has made of it for others', async () => {
    const { service } = await createWorld();
    const record = { id: 1, name: 'Ann', salary: 5 };
    rememberOrigin(record, { dispatch: { id: 1, name: 'A.' }, rules: [() => ({ id: 1, name: 'Ann' })] });
    const entity = concealedEntity(service, 'users', record) as typeof record;
    expect([entity.name, entity.salary]).toEqual(['Ann', 5]);
    expect(JSON.stringify(entity)).toBe('{"id":1,"name":"Ann"}');
  });

  it('is that of a result of a strategy, which is not changed', async () => {
    const { service } = await createWorld();
    const result = { user: ANN, authentication: { strategy: 'name' } };
    const concealed = admittedResult(service, {}, result) as unknown as typeof result;
    expect(concealed.user.password).toBe('x');
    expect(JSON.parse(JSON.stringify(concealed))).toEqual({
      user: { id: 1, name: 'Ann', pin: 'y' },
      authentication: { strategy: 'name' },
    });
    expect(JSON.stringify(result)).toContain('"password":"x"');
  });

  it.each([[{}], [{ user: 'Ann' }], [{ user: { id: 1, name: 'Ann' } }], [{ machine: ANN }]])(
    'is looked for under its name: %j stays as it is',
    async (result) => {
      const { service } = await createWorld();
      expect(admittedResult(service, {}, result)).toBe(result);
    },
  );

  it.each([undefined, null, false])('is nobody where a strategy has found %j', async (user) => {
    const { service } = await createWorld();
    const strategies: AuthenticationStrategy[] = [{}, { configuration: { entity: 'machine' } } as AuthenticationStrategy];
    for (const strategy of strategies) expect(() => admittedResult(service, strategy, { user, machine: user })).toThrow(NotAuthenticated);
    expect(admittedResult(service, {}, { machine: user })).toEqual({ machine: user });
  });

  it.each([
    ['by its default property', {}, { id: 1, disabled: true }],
    ['by a property of its own', { disabledField: 'state.locked' }, { id: 1, state: { locked: true } }],
  ])('is refused where it is disabled %s, whatever the strategy has looked at', async (_how, options, user) => {
    const { service } = await createWorld(options);
    service.register('own', { authenticate: async () => ({ user, authentication: { strategy: 'own' } }) });
    await expect(service.authenticate({ strategy: 'own' }, {}, 'own')).rejects.toMatchObject({ code: 401 });
  });

  it('is not refused where nothing says that entities are disabled', async () => {
    const { service } = await createWorld({ disabledField: null });
    const result = { user: { id: 1, disabled: true }, authentication: { strategy: 'own' } };
    expect(admittedResult(service, {}, result)).toBe(result);
  });

  it('is none where there is no entity', async () => {
    const { service } = await createWorld({ entity: null });
    const result = { user: ANN, null: ANN };
    expect(admittedResult(service, {}, result)).toBe(result);
  });
});

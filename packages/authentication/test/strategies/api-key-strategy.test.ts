import { MemoryService } from '@framework-internal/testing';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { ApiKeyStrategy, SCOPES_CLAIM, type AuthenticationConfiguration, type HttpRequest } from '../../src/index.ts';
import { codeOf } from '../../src/sessions/store-call.ts';
import { createApp } from '../harness.ts';
import { createWorld, endWorlds, type SessionWorld } from '../session-world.ts';

afterEach(endWorlds);

const INVALID = { code: 401, message: 'Invalid API key' };

const authenticate = ({ service }: SessionWorld, apiKey: unknown): Promise<Record<string, unknown>> =>
  service.authenticate({ strategy: 'api-key', apiKey }, {}, 'api-key');

describe('the options of the api-key strategy', () => {
  const register = async (options: unknown): Promise<ApiKeyStrategy> => {
    const { service } = await createWorld({ machines: options });
    const strategy = new ApiKeyStrategy();
    service.register('machines', strategy);
    return strategy;
  };

  it('have defaults', async () => {
    expect((await register(undefined)).configuration).toEqual({ header: 'X-API-Key', prefix: 'key' });
    for (const none of [null, {}, { header: undefined, prefix: undefined }])
      expect((await register(none)).configuration).toEqual({ header: 'X-API-Key', prefix: 'key' });
    const { configuration } = await register({ header: 'X-Key', prefix: 'acme_live' });
    expect(configuration).toEqual({ header: 'X-Key', prefix: 'acme_live' });
  });

  it.each([
    [{ heder: 'X' }, "'authentication.machines' has no option 'heder'. Did you mean 'header'? It has header, prefix"],
    [false, "'authentication.machines' must be an object of options"],
    ['acme', "'authentication.machines' must be an object of options"],
    [['acme'], "'authentication.machines' must be an object of options"],
    [{ header: '' }, "'authentication.machines.header' must be the name of a header"],
    [{ header: 5 }, "'authentication.machines.header' must be the name of a header"],
    [{ prefix: '' }, "'authentication.machines.prefix' must be a word"],
    [{ prefix: 5 }, "'authentication.machines.prefix' must be a word"],
    [{ prefix: 'a-b' }, "'authentication.machines.prefix' must be a word"],
    [{ prefix: '-ab' }, "'authentication.machines.prefix' must be a word"],
    [{ prefix: 'ab-' }, "'authentication.machines.prefix' must be a word"],
    [{ prefix: 'a'.repeat(33) }, "'authentication.machines.prefix' must be a word"],
  ])('%j are refused', async (options, message) => {
    await expect(register(options)).rejects.toThrow(new Error(message));
  });

  it.each(['a', 'a'.repeat(32)])('take the prefix %j', async (prefix) => {
    expect((await register({ prefix })).configuration.prefix).toBe(prefix);
  });

  it('name the header to tools', async () => {
    expect((await register({ header: 'X-Key' })).describe()).toEqual({ credentials: [{ type: 'apiKey', in: 'header', name: 'X-Key' }] });
  });
});

describe('an API key in a request', () => {
  const read = async (request: HttpRequest, options: AuthenticationConfiguration = {}): Promise<unknown> =>
    (await createWorld(options)).service.parse(request, null, 'api-key');

  it('is read from its header, whatever the case of its name', async () => {
    expect(await read({ headers: { 'x-api-key': 'abc' } })).toEqual({ strategy: 'api-key', apiKey: 'abc' });
    expect(await read({ headers: { 'x-own': 'abc' } }, { 'api-key': { header: 'X-OWN' } })).toMatchObject({ apiKey: 'abc' });
  });

  it.each([[{}], [{ headers: {} }], [{ headers: { 'x-api-key': '' } }], [{ headers: { 'x-api-key': ['a', 'b'] } }]])(
    'is missing from %j',
    async (request) => {
      expect(await read(request)).toBeNull();
    },
  );

  it('that is wrong counts for the address that the request came from', async () => {
    const { service } = await createWorld({ limiter: { address: { attempts: 1, window: '1h' } } });
    const call = async (ip: string): Promise<unknown> => {
      const authentication = await service.parse({ headers: { 'x-api-key': 'wrong' }, ip }, null, 'api-key');
      return service.authenticate(authentication as never, {}, 'api-key').catch(codeOf);
    };
    expect([await call('192.0.2.1'), await call('192.0.2.1'), await call('192.0.2.2')]).toEqual([401, 429, 401]);
  });
});

describe('authenticating with an API key', () => {
  it('gives the entity and what the key may do, and no token', async () => {
    const world = await createWorld();
    const { id, key } = await world.service.createApiKey({ entity: 2, scopes: ['*'], name: 'nightly' });
    expect(await authenticate(world, key)).toEqual({
      authentication: { strategy: 'api-key', name: 'nightly', payload: { sub: '2', sid: id, [SCOPES_CLAIM]: ['*'] } },
      user: expect.objectContaining({ id: 2, name: 'Bob' }),
    });
  });

  it('knows the keys that are made, whatever its name and prefix are', async () => {
    const { app, service, users } = createApp({ sessions: true, machines: { prefix: 'acme_live' } });
    service.register('machines', new ApiKeyStrategy());
    app.use('sessions', new MemoryService());
    await users.create({ name: 'Ben' });
    await app.setup();
    const { key } = await service.createApiKey({ entity: 2 });
    expect(key).toMatch(/^acme_live_/);
    await expect(service.authenticate({ strategy: 'machines', apiKey: key }, {}, 'machines')).resolves.toMatchObject({ user: { id: 2 } });
    service.teardown();
  });

  it('keeps what the key may do, whatever a call makes of its own copy', async () => {
    const world = await createWorld();
    const { key } = await world.service.createApiKey({ entity: 2, scopes: ['*'] });
    for (let call = 0; call < 2; call++) {
      const { authentication } = (await authenticate(world, key)) as { authentication: { payload: Record<string, string[]> } };
      expect(authentication.payload[SCOPES_CLAIM]).toEqual(['*']);
      authentication.payload[SCOPES_CLAIM]?.push('users:remove');
    }
  });

  it.each(['*:find', '*:*', '/orders:find', 'orders/:find', 'orders/*:find', 'orders:*:find'])(
    'is not made for a scope that no call can have: %s',
    async (scope) => {
      const { service } = await createWorld();
      await expect(service.createApiKey({ entity: 1, scopes: [scope] })).rejects.toMatchObject({
        code: 400,
        message: "A scope is 'service:method', 'service:*' or '*', with the path of the service",
      });
    },
  );

  it('that has no scopes is for all that the entity may do', async () => {
    const world = await createWorld();
    const { id, key } = await world.service.createApiKey({ entity: 2 });
    const { authentication } = (await authenticate(world, key)) as { authentication: object };
    expect(authentication).toEqual({ strategy: 'api-key', name: 'key', payload: { sub: '2', sid: id } });
  });

  it('gives no entity where there is none', async () => {
    const world = await createWorld({ entity: null });
    const { id, key } = await world.service.createApiKey({});
    expect(await authenticate(world, key)).toEqual({ authentication: { strategy: 'api-key', name: 'key', payload: { sub: '', sid: id } } });
    expect(world.userCalls).toEqual([]);
  });

  it('is 401 for whatever is no key, and for the key of another one', async () => {
    const world = await createWorld();
    const [one, other] = [await world.service.createApiKey({ entity: 1 }), await world.service.createApiKey({ entity: 2 })];
    const [, , secret] = /^key_(.{22})_(.{43})$/.exec(other.key) ?? [];
    const mixed = `key_${one.id}_${String(secret)}`;
    for (const apiKey of [undefined, 5, '', 'key', one.id, `kay${one.key.slice(3)}`, mixed, `${one.key}a`])
      await expect(authenticate(world, apiKey)).rejects.toMatchObject(INVALID);
    const { id, accessToken } = await world.service.createToken({ entity: 1 });
    for (const named of [id, (await world.logIn()).authentication.payload.sid])
      await expect(authenticate(world, `key_${String(named)}_${String(secret)}`)).rejects.toMatchObject(INVALID);
    await expect(authenticate(world, accessToken)).rejects.toMatchObject(INVALID);
  });

  it('is 401 for a key that was ended, and where sessions are off', async () => {
    const world = await createWorld();
    const [{ id, key }, other] = [await world.service.createApiKey({ entity: 1 }), await world.service.createApiKey({ entity: 1 })];
    await world.service.sessions!.end(id);
    await expect(authenticate(world, key)).rejects.toMatchObject(INVALID);
    world.configure({ sessions: false });
    await expect(authenticate(world, other.key)).rejects.toMatchObject(INVALID);
    await expect(new ApiKeyStrategy().authenticate({ apiKey: other.key }, {})).rejects.toMatchObject(INVALID);
  });

  it('is 401 once the secrets of its entity are others, and ends the key', async () => {
    const world = await createWorld();
    const { id, key } = await world.service.createApiKey({ entity: 1 });
    world.users.store.set('1', { ...world.users.store.get('1'), password: 'another' });
    await expect(authenticate(world, key)).rejects.toMatchObject({ code: 401, data: { name: 'SessionEnded' } });
    expect(world.store.store.get(id)).toMatchObject({ endedAt: expect.any(Number) });
  });

  it('logs nobody in, whatever `authStrategies` says', async () => {
    const { service } = await createWorld();
    const { key } = await service.createApiKey({ entity: 1 });
    const error = { code: 401, message: expect.stringContaining('authenticates single calls and gives no login') };
    await expect(service.create({ strategy: 'api-key', apiKey: key })).rejects.toMatchObject(error);
  });
});

describe('the use of an API key', () => {
  it('is noted once in a minute for each key, so that its owner sees which are used', async () => {
    const world = await createWorld();
    const [one, other] = [await world.service.createApiKey({ entity: 1 }), await world.service.createApiKey({ entity: 1 })];
    const noted: string[] = [];
    jest.spyOn(world.service.sessions!, 'noteUsed').mockImplementation((id) => void noted.push(id));
    const START = Math.ceil(performance.now());
    let now = START;
    const stopwatch = jest.spyOn(performance, 'now').mockImplementation(() => now);
    try {
      for (const [key, after] of [
        [one.key, 0],
        [other.key, 1],
        [one.key, 59_999],
        [one.key, 60_000],
        [one.key, 60_001],
      ] as const) {
        now = START + after;
        await authenticate(world, key);
      }
    } finally {
      stopwatch.mockRestore();
    }
    expect(noted).toEqual([one.id, other.id, one.id]);
  });

  it('is written to the store, and a store that fails then is no matter', async () => {
    const world = await createWorld();
    const { id, key } = await world.service.createApiKey({ entity: 1 });
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => 5_000_000_000_000);
    await authenticate(world, key);
    clock.mockRestore();
    await new Promise((resolve) => setImmediate(resolve));
    expect(world.store.store.get(id)).toMatchObject({ usedAt: 5_000_000_000_000 });
    const other = await world.service.createApiKey({ entity: 1 });
    world.app.service('sessions').hooks({
      before: {
        patch: [
          () => {
            throw new Error('no database');
          },
        ],
      },
    });
    await expect(authenticate(world, other.key)).resolves.toMatchObject({ user: { id: 1 } });
  });
});

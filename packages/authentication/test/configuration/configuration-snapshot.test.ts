import { inspect } from 'node:util';
import { describeService } from '@framework/core';
import { describe, expect, it } from '@jest/globals';
import { ConfigurationSnapshot } from '../../src/configuration/configuration-snapshot.ts';
import { createApp, SECRET } from '../harness.ts';

/** What an application puts into its settings: an instance of a class of its own. */
class Store {
  readonly credentials = 'user:word';
}

/** One that says what is shown of it. */
class Endpoint {
  readonly credentials = 'user:word';
  toJSON(): string {
    return 'an endpoint';
  }
}

describe('the configuration as JSON', () => {
  it('has all settings but those that are secrets, wherever they are', () => {
    const { service } = createApp({
      keys: [{ kid: 'a', secret: 'x' }],
      oauth: { google: { clientId: 'id', clientSecret: 'x', scopes: ['email'] }, apple: { keys: [{ privateKey: 'x', kid: 'b' }] } },
      limiter: { store: new Store() as never },
      stores: [new Store(), new Endpoint()],
      entity: null,
      other: { none: null, at: new Date(0), count: 0, on: false },
    });
    const { secret: _secret, keys: _keys, ...rest } = JSON.parse(JSON.stringify({ ...service.configuration })) as Record<string, unknown>;
    expect(JSON.parse(JSON.stringify(service.configuration))).toEqual({
      ...rest,
      oauth: { google: { clientId: 'id', scopes: ['email'] }, apple: { keys: [{ kid: 'b' }] } },
      // What is no plain setting is shown as it says itself, and else not at all.
      limiter: {},
      stores: [null, 'an endpoint'],
      other: { none: null, at: '1970-01-01T00:00:00.000Z', count: 0, on: false },
    });
    expect(service.configuration.secret).toBe(SECRET);
    expect(Object.keys(service.configuration)).not.toContain('toJSON');
  });
});

describe('the configuration in a log', () => {
  it.each([
    ['the setting', (created: ReturnType<typeof createApp>): unknown => created.app.get('authentication')],
    ['that of the service', (created: ReturnType<typeof createApp>): unknown => created.service.configuration],
  ])('has no secrets: %s', (_what, read) => {
    const created = createApp({ keys: [{ kid: 'a', secret: 'hunter2' }], oauth: { google: { clientId: 'id', clientSecret: 'hunter2' } } });
    const text = inspect(read(created), { depth: 9 });
    expect([text.includes('hunter2'), text.includes(SECRET), text.includes("clientSecret: '[secret]'")]).toEqual([false, false, true]);
  });
});

describe('a snapshot of the configuration', () => {
  it('is the same until the setting is another object, and then what that says', () => {
    let setting: object | undefined;
    const snapshot = new ConfigurationSnapshot(() => setting);
    const first = snapshot.current;
    expect(first).toMatchObject({ authStrategies: [], jwtOptions: { algorithm: 'HS256' } });
    expect(snapshot.current).toBe(first);
    setting = { entity: 'user', jwtOptions: { issuer: 'own' } };
    const second = snapshot.current;
    expect(second).toMatchObject({ entity: 'user', jwtOptions: { algorithm: 'HS256', issuer: 'own' } });
    expect(snapshot.current).toBe(second);
    expect(Object.isFrozen(second)).toBe(true);
    setting = undefined;
    expect(snapshot.current).not.toHaveProperty('entity');
  });
});

it('lists that are null in a file of settings are those of the defaults', async () => {
  const none = { origins: null, parseStrategies: null } as never;
  const { service, app } = createApp(none);
  await app.setup();
  expect(service.configuration).not.toHaveProperty('origins');
  expect(service.configuration).not.toHaveProperty('parseStrategies');
  const params = { provider: 'rest', headers: { 'content-type': 'application/x-www-form-urlencoded' } };
  await expect(service.create({ strategy: 'word', word: 'open' }, params)).resolves.toHaveProperty('accessToken');
  expect(describeService(service)?.methods?.create).toHaveProperty('data');
  app.set('authentication', { ...service.configuration, authStrategies: null });
  expect(service.configuration.authStrategies).toEqual([]);
  expect(describeService(service)?.methods?.create).not.toHaveProperty('data');
});

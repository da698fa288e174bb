import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { framework, type Application } from '@framework/core';
import { describe, expect, it } from '@jest/globals';
import { checkConfiguration } from '../../src/configuration/check-configuration.ts';
import { checkStrategies, missingStrategies, registered } from '../../src/configuration/check-strategies.ts';
import {
  AuthenticationService,
  MemoryLimiterStore,
  type AuthenticationConfiguration,
  type AuthenticationStrategy,
} from '../../src/index.ts';
import { SECRET } from '../harness.ts';

const STRATEGY: AuthenticationStrategy = {};
const secret = (): string => randomBytes(32).toString('hex');

describe('the configuration', () => {
  const check = (configuration: object) => (): void => {
    const app = framework() as Application;
    app.use('users', { id: 'id', get: async () => ({}) } as never);
    app.use('plain', { get: async () => ({}) } as never);
    const whole = { secret: SECRET, service: 'users', entity: 'user', ...configuration };
    checkConfiguration(whole as AuthenticationConfiguration, app as never, 'auth', []);
  };

  it.each([undefined, null, ''])('needs a secret: %j is none', (none) => {
    expect(check({ secret: none })).toThrow(
      "A 'secret' must be provided in your authentication configuration: set 'auth.secret' to a random text",
    );
    expect(check({ secret: none, allowWeakSecret: true })).toThrow("A 'secret' must be provided");
  });

  it('takes a weak secret where it says so itself', () => {
    expect(check({ secret: 'weak' })).toThrow("'auth.secret' has 4 bytes");
    expect(check({ secret: 'weak', allowWeakSecret: 'yes' })).toThrow("'auth.secret' has 4 bytes");
    expect(check({ secret: 'weak', allowWeakSecret: true })).not.toThrow();
  });

  it.each<[unknown, string]>([
    ['strict', "'auth.limiter' must be false, or an object with account, address, store"],
    [{ acount: false }, "'auth.limiter' has no option 'acount'. Did you mean 'account'? It has account, address, store"],
    [{ account: true }, "'auth.limiter.account' must be false, or an object with attempts, window, delay"],
    [
      { address: { attempt: 3, window: '1m' } },
      "'auth.limiter.address' has no option 'attempt'. Did you mean 'attempts'? It has attempts, window, delay",
    ],
    [{ account: { attempts: 0, window: '1m' } }, "limiter.account' needs attempts (1 or more), a window and, if any, a delay"],
    [{ account: { attempts: 3 } }, "limiter.account' needs attempts (1 or more), a window"],
    [{ address: { attempts: 3, window: 'soon' } }, "limiter.address' needs attempts (1 or more), a window"],
    [{ address: { attempts: 3, window: '1m', delay: 'soon' } }, "limiter.address' needs attempts (1 or more), a window"],
    [{ store: {} }, "'auth.limiter.store' must have the methods attempt, restore, reset"],
  ])('bounds logins by what can be meant: %j is refused at start, and not by each login', (limiter, message) => {
    expect(check({ limiter })).toThrow(message);
  });

  it.each([
    undefined,
    null,
    false,
    {},
    { account: false, address: { attempts: 3, window: 60, delay: 1 } },
    { account: undefined, store: new MemoryLimiterStore() },
  ])('takes the bounds %j', (limiter) => {
    expect(check({ limiter })).not.toThrow();
  });

  it.each<[object, string]>([
    [{ origins: 'https://app.example.com' }, "'auth.origins' must be a list of origins"],
    [{ origins: ['https://app.example.com/'] }, "'auth.origins' must be origins such as https://app.example.com, without a path"],
    [{ origins: ['https://APP.example.com'] }, "'https://APP.example.com' is none"],
    [{ origins: ['*'] }, "'*' is none"],
    [{ origins: ['app://*'] }, "'app://*' is none"],
    [{ origins: [''] }, "'auth.origins' must be a list of origins"],
    [{ sessions: { cookie: true, origins: ['https://app.example.com:443'] } }, "'auth.sessions.origins' must be origins such as"],
    [{ authStrategies: 'jwt' }, "'auth.authStrategies' must be a list of names of strategies"],
    [{ parseStrategies: ['jwt', 5] }, "'auth.parseStrategies' must be a list of names of strategies"],
    [{ keys: { kid: 'a' } }, "'auth.keys' must be a list of keys"],
    [{ disabledField: false }, "'auth.disabledField' must be the name of a property, or null for none"],
    [{ disabledField: '' }, "'auth.disabledField' must be the name of a property, or null for none"],
    [{ entity: '' }, "'auth.entity' must be the name that users have in the parameters of calls, such as 'user', or null for none"],
    [{ entity: 0 }, "'auth.entity' must be the name that users have in the parameters of calls"],
    [{ entity: true }, "'auth.entity' must be the name that users have in the parameters of calls"],
    [{ entity: 'provider' }, "'auth.entity' can not be 'provider': the parameters of calls have something else there"],
    [{ entity: 'accessToken' }, "'auth.entity' can not be 'accessToken'"],
    [{ entityId: '' }, "'auth.entityId' must be the name of the id property of the users"],
    [{ entityId: 5 }, "'auth.entityId' must be the name of the id property of the users"],
    [{ service: 5 }, "'auth.service' must be the path of the users"],
    [{ jwtOptions: null }, "'auth.jwtOptions' must be an object of token options, such as { expiresIn: '1h' }"],
    [{ jwtOptions: '1h' }, "'auth.jwtOptions' must be an object of token options"],
    [{ jwtOptions: [] }, "'auth.jwtOptions' must be an object of token options"],
  ])('has options in their form: %j is refused', (options, message) => {
    expect(check(options)).toThrow(message);
  });

  it('takes origins of pages and of applications', () => {
    const origins = ['https://app.example.com', 'http://localhost:3000', 'capacitor://localhost', 'chrome-extension://abcdef'];
    expect(check({ origins, sessions: { cookie: true, origins }, disabledField: null, authStrategies: [], keys: [] })).not.toThrow();
  });

  it('has keys with names, each another one', () => {
    const named = (kid: unknown): object => ({ kid, secret: secret() });
    expect(check({ keys: [named('a'), named('b')] })).not.toThrow();
    expect(check({ keys: [named('a'), named('')] })).toThrow("'auth.keys[1].kid' must be a text: tokens name their key by it");
    expect(check({ keys: [named(5)] })).toThrow("'auth.keys[0].kid' must be a text");
    expect(check({ keys: [named(undefined)] })).toThrow("'auth.keys[0].kid' must be a text");
    expect(check({ keys: [named('a'), named('b'), named('a')] })).toThrow("'auth.keys[2].kid' is the name of another key too");
    expect(check({ keys: [{ kid: 'a', secret: 'weak' }] })).toThrow("'auth.keys[0].secret' has 4 bytes");
  });

  it('has keys that tokens can be verified with: for an algorithm that there is, and by another name than that of the present key', () => {
    const key = { kid: 'a', secret: secret() };
    for (const algorithm of ['HS-256', 'none', 'hs256'])
      expect(check({ keys: [{ ...key, algorithm }] })).toThrow("'auth.keys[0].algorithm' must be one of HS256, HS384");
    const present = "'auth.keys[0].kid' is the name of the present key too: give that another 'auth.jwtOptions.keyid'";
    expect(check({ keys: [key], jwtOptions: { keyid: 'a' } })).toThrow(present);
    expect(check({ keys: [key], jwtOptions: { header: { kid: 'a' } }, allowWeakSecret: true })).toThrow(present);
    expect(check({ keys: [key], jwtOptions: { keyid: 'b' } })).not.toThrow();
  });

  it('has keys for the algorithm that they are for, else for that of the tokens', () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const [curve, text] = [
      { kid: 'curve', secret: privateKey },
      { kid: 'text', secret: secret() },
    ];
    expect(check({ keys: [{ ...curve, algorithm: 'ES256' }, text] })).not.toThrow();
    expect(check({ keys: [curve] })).toThrow('An HS algorithm needs a secret, not a key pair');
    const es = { secret: privateKey, jwtOptions: { algorithm: 'ES256' } };
    expect(check({ ...es, keys: [curve, { ...text, algorithm: 'HS256' }] })).not.toThrow();
    expect(check({ ...es, keys: [text] })).toThrow('The secret is no public or private key for ES256');
    expect(check({ secret: privateKey, jwtOptions: { algorithm: ['ES256', 'HS256'] } })).not.toThrow();
    expect(check({ jwtOptions: { algorithm: undefined } })).not.toThrow();
    expect(check({ jwtOptions: undefined })).not.toThrow();
    expect(check({ secret: privateKey, jwtOptions: undefined })).toThrow('An HS algorithm needs a secret');
  });

  it('has token options, sessions and revocation that can be meant', () => {
    expect(check({ jwtOptions: { expiresin: '1d' } })).toThrow("'auth.jwtOptions.expiresin' is no token option");
    expect(check({ sessions: { typo: 1 } })).toThrow("'authentication.sessions' has no option 'typo'");
    expect(check({ revocation: 'disk' })).toThrow("'authentication.revocation' must be");
  });

  it('names the service of the entities, which has an id, unless there are none', () => {
    expect(check({ service: undefined })).toThrow("Set 'auth.service' to the path of the users, or 'auth.entity' to null");
    expect(check({ service: 'plain' })).toThrow("The 'plain' service does not have an 'id' property and no 'entityId' option is set.");
    expect(check({ service: 'plain', entityId: 'uuid' })).not.toThrow();
    expect(check({ service: undefined, entity: null })).not.toThrow();
  });
});

describe('the strategies that a configuration names', () => {
  const services = (...entries: [string, string, string[]][]): AuthenticationService[] => {
    const app = framework() as Application;
    app.set('a', { secret: SECRET, entity: null, authStrategies: ['own'] });
    app.set('b', { secret: SECRET, entity: null, authStrategies: [] });
    return entries.map(([path, configKey, names]) => {
      const service = new AuthenticationService(app as never, configKey);
      for (const name of names) service.register(name, STRATEGY);
      app.use(path, service as never);
      return service;
    });
  };
  const check = (service: AuthenticationService | undefined) => (): void => {
    checkStrategies(service as AuthenticationService);
  };

  it('are registered on the service or on another one with the same configuration', () => {
    expect(check(services(['one', 'a', ['own']])[0])).not.toThrow();
    expect(check(services(['one', 'a', []], ['two', 'a', ['own']])[0])).not.toThrow();
    expect(check(services(['one', 'a', []], ['two', 'b', ['own']])[0])).toThrow(
      "'a.authStrategies' names the strategy 'own', which is not registered (none is). Register it before the application is set up, " +
        "authentication.register('own', …), or take its name away",
    );
    expect(check(services(['one', 'a', ['jwt', 'other']])[0])).toThrow("(registered: 'jwt', 'other')");
  });

  it('are looked at beside services that know nothing of strategies', () => {
    const [service] = services(['one', 'a', []]);
    service?.app.set('a', { secret: SECRET, entity: null, authStrategies: ['own', 'Stryker was here'] });
    (service?.app as unknown as Application).use('foreign', { configKey: 'a', get: async () => ({}) } as never);
    expect(check(service)).toThrow("names the strategy 'own'");
  });

  it('are told one by one: those that are missing, and what there is', () => {
    const [service] = services(['one', 'a', ['jwt', 'word']]) as [AuthenticationService];
    expect(missingStrategies(service, ['jwt', 'a', 'word', 'b'])).toEqual(['a', 'b']);
    expect(missingStrategies(service, ['word', 'jwt'])).toEqual([]);
    expect(missingStrategies({} as AuthenticationService, ['a'])).toEqual([]);
    expect(registered(service)).toBe("registered: 'jwt', 'word'");
  });
});

import { describe, expect, it } from '@jest/globals';
import { revocationSettings } from '../../src/sessions/revocation-settings.ts';
import { sessionSettings } from '../../src/sessions/session-settings.ts';
import { sessionScope, isOfScope } from '../../src/sessions/session-scope.ts';

const DAY = 24 * 3_600_000;
const DEFAULTS = {
  service: 'sessions',
  maxAge: 30 * DAY,
  idle: 14 * DAY,
  refresh: 'json',
  cookie: false,
  sameSite: undefined,
  origins: [],
  refreshGrace: 0,
  cacheSize: 10_000,
};

describe('the option sessions', () => {
  it.each([undefined, null, false])('%j is off', (option) => {
    expect(sessionSettings(option)).toBeUndefined();
  });

  it.each([true, {}, { maxAge: undefined, idle: undefined, cookie: undefined, origins: undefined }])('%j has all defaults', (option) => {
    expect(sessionSettings(option)).toEqual(DEFAULTS);
  });

  it('has what is given, in milliseconds', () => {
    const given = {
      service: 'logins',
      maxAge: '2d',
      idle: 60,
      refresh: 'cookie',
      cookie: true,
      sameSite: 'Lax',
      origins: ['https://a'],
      refreshGrace: '2s',
      cacheSize: 5,
    };
    expect(sessionSettings(given)).toEqual({ ...given, maxAge: 2 * DAY, idle: 60_000, refreshGrace: 2000 });
  });

  it.each([
    [{ cookie: true }, { cookie: true, refresh: 'cookie' }],
    [
      { cookie: true, refresh: false },
      { cookie: true, refresh: false },
    ],
    [{ refresh: 'cookie' }, { cookie: false, refresh: 'cookie' }],
    [
      { cookie: false, refresh: 'json' },
      { cookie: false, refresh: 'json' },
    ],
    [{ sameSite: 'Strict' }, { sameSite: 'Strict' }],
    [{ refreshGrace: '1h' }, { refreshGrace: 10_000 }],
    [{ refreshGrace: 10 }, { refreshGrace: 10_000 }],
    [{ cacheSize: 1 }, { cacheSize: 1 }],
    [{ origins: [] }, { origins: [] }],
  ])('%j means %j', (option, settings) => {
    expect(sessionSettings(option)).toEqual({ ...DEFAULTS, ...settings });
  });

  it.each<[unknown, string]>([
    ['yes', "'authentication.sessions' must be true, false or an object"],
    [1, "'authentication.sessions' must be true, false or an object"],
    [
      { maxage: 1 },
      "'authentication.sessions' has no option 'maxage'. Did you mean 'maxAge'? It has service, maxAge, idle, refresh, cookie, cookieName, sameSite, origins, refreshGrace, cacheSize",
    ],
    [{ refresh: true }, "'authentication.sessions.refresh' must be 'json', 'cookie' or false"],
    [{ refresh: 'header' }, "'authentication.sessions.refresh' must be 'json', 'cookie' or false"],
    [{ refresh: null }, "'authentication.sessions.refresh' must be 'json', 'cookie' or false"],
    [{ cookie: 'yes' }, "'authentication.sessions.cookie' must be true or false"],
    [{ cookie: true, refresh: 'json' }, "'authentication.sessions.refresh' must be 'cookie' or false where 'cookie' is true"],
    ...['', 'a b', 'a=b', '-a', 'a'.repeat(33), 5].map((cookieName): [unknown, string] => [
      { cookieName },
      "'authentication.sessions.cookieName' must be a word of at most 32 letters, digits and '-'",
    ]),
    [{ sameSite: 'None' }, "'authentication.sessions.sameSite' must be 'Strict' or 'Lax'"],
    [{ origins: 'https://a' }, "'authentication.sessions.origins' must be a list of origins"],
    [{ origins: ['https://a', 5] }, "'authentication.sessions.origins' must be a list of origins"],
    [{ cacheSize: 0 }, "'authentication.sessions.cacheSize' must be a positive whole number"],
    [{ cacheSize: -1 }, "'authentication.sessions.cacheSize' must be a positive whole number"],
    [{ cacheSize: 1.5 }, "'authentication.sessions.cacheSize' must be a positive whole number"],
    [{ cacheSize: '5' }, "'authentication.sessions.cacheSize' must be a positive whole number"],
    [{ maxAge: 0 }, "'authentication.sessions.maxAge' must be longer than a second"],
    [{ idle: 0 }, "'authentication.sessions.idle' must be longer than a second"],
    [{ service: '' }, "'authentication.sessions.service' must be the path of the service that stores sessions"],
    [{ service: 5 }, "'authentication.sessions.service' must be the path of the service that stores sessions"],
    [{ refreshGrace: -1 }, "'authentication.sessions.refreshGrace' must be 0 to 10 seconds"],
  ])('%j is refused', (option, message) => {
    expect(() => sessionSettings(option)).toThrow(new Error(message));
  });
});

describe('the option revocation', () => {
  it.each<[unknown, string | undefined, string | undefined]>([
    [undefined, undefined, undefined],
    ['memory', 'logins', undefined],
    ['store', undefined, 'sessions'],
    ['store', 'logins', 'logins'],
    [{ service: 'revoked' }, 'logins', 'revoked'],
  ])('%j with sessions in %j is kept in %j', (option, sessions, service) => {
    expect(revocationSettings(option, sessions)).toEqual({ service });
  });

  it.each([null, true, '', 'disk', {}, { service: '' }, { service: 5 }, []])('%j is refused', (option) => {
    expect(() => revocationSettings(option)).toThrow(
      new Error("'authentication.revocation' must be 'memory', 'store' or { service }, the path of a service that stores sessions"),
    );
  });
});

describe('what sessions belong to', () => {
  it.each([
    [
      { jwtOptions: { audience: 'a' }, entity: 'user', service: 'users' },
      { audience: 'a', entity: 'users' },
    ],
    [
      { jwtOptions: { audience: ['b', 'a'] }, entity: 'user', service: 'users' },
      { audience: 'a b', entity: 'users' },
    ],
    [
      { jwtOptions: {}, service: 'users' },
      { audience: '', entity: 'users' },
    ],
    [
      { entity: null, service: 'users' },
      { audience: '', entity: '' },
    ],
    [{ entity: 'user' }, { audience: '', entity: '' }],
  ])('with %j is %j', (configuration, scope) => {
    expect(sessionScope('auth', configuration)).toEqual({ service: 'auth', ...scope });
  });

  it('changes no list of the configuration', () => {
    const audience = ['b', 'a'];
    sessionScope('auth', { jwtOptions: { audience } });
    expect(audience).toEqual(['b', 'a']);
  });

  it('is the service, the audience and the entities together', () => {
    const scope = { service: 's', audience: 'a', entity: 'e' };
    expect(isOfScope({ ...scope }, scope)).toBe(true);
    for (const change of [{ service: 'x' }, { audience: 'x' }, { entity: 'x' }])
      expect(isOfScope({ ...scope, ...change }, scope)).toBe(false);
  });
});

import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { LOGIN_SERVICE, LOGIN_STRATEGY, loginMarks, loginResult } from '../../src/index.ts';

describe('the result of a login', () => {
  let warned: jest.SpiedFunction<typeof process.emitWarning>;
  beforeEach(() => {
    warned = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  });
  afterEach(() => warned.mockRestore());

  it('is no error, also of another realm, as that of a test runner', () => {
    const error: unknown = runInNewContext("new Error('not today')");
    expect(error).not.toBeInstanceOf(Error);
    expect(() => loginResult({}, error)).toThrow('not today');
    expect(() => loginResult({}, new RangeError('not today'))).toThrow(RangeError);
    expect(warned).not.toHaveBeenCalled();
  });

  it('is any other object', () => {
    const result = { user: { id: 1 } };
    expect(loginResult({}, result)).toBe(result);
    expect(warned).not.toHaveBeenCalled();
  });

  it.each<[string, unknown]>([
    ['false', false],
    ['true', true],
    ['undefined', undefined],
    ['null', null],
    ['a list', [{ user: { id: 1 } }]],
    ['a string', 'a secret'],
    ['a number', 7],
    ['a function', () => ({})],
  ])('is not %s, which is told without what may be a secret', (told, given) => {
    expect(() => loginResult({}, given)).toThrow(
      expect.objectContaining({ name: 'NotAuthenticated', code: 401, message: 'Invalid authentication information' }),
    );
    expect(warned.mock.calls).toEqual([
      [
        `authenticate() of the authentication service gave ${told}, which lets nobody in. It gives an object, such as { authentication: { strategy: 'jwt' } }, or throws NotAuthenticated`,
        { code: 'NO_LOGIN_RESULT' },
      ],
    ]);
  });

  it('is told of once for each strategy, by its name', () => {
    const [one, other] = [{}, {}];
    for (const giver of [one, other, one]) expect(() => loginResult(giver, false, giver === one ? 'key' : 'ldap')).toThrow('Invalid');
    expect(warned.mock.calls.map(([text]) => String(text).split(',')[0])).toEqual([
      "authenticate() of the strategy 'key' gave false",
      "authenticate() of the strategy 'ldap' gave false",
    ]);
  });
});

it('the marks of a login name its strategy, of this service and of no other, and hold none', () => {
  const service = { configKey: 'login', secret: 'kept' };
  const marks = loginMarks(service, 'key');
  expect(marks[LOGIN_SERVICE]).toBe('login');
  const strategy = marks[LOGIN_STRATEGY];
  expect(strategy.name).toBe('key');
  expect([strategy.isOf(service), strategy.isOf({ ...service })]).toEqual([true, false]);
  expect(Object.isFrozen(strategy)).toBe(true);
  expect(Reflect.ownKeys(strategy)).toEqual(['name', 'isOf']);
});

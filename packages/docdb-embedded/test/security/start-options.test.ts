import { expect, it } from '@jest/globals';
import { authOfEnvironment } from '../../src/security/start-options.ts';

const authOf = (isOn: boolean, user?: string, password?: string) => authOfEnvironment(isOn, ['USER', user], ['PASSWORD', password]);

it('a first user by the environment is made where clients have to log in', () => {
  expect(authOf(true, 'ann', 'pw')).toEqual({ user: 'ann', password: 'pw' });
  expect(authOf(true)).toBe(true);
  expect(authOf(false)).toBe(false);
});

it('a first user where nobody has to log in is refused, and so is half of one', () => {
  expect(() => authOf(false, 'ann', 'pw')).toThrow('start with --auth');
  expect(() => authOf(true, 'ann')).toThrow('need each other');
  expect(() => authOf(false, undefined, 'pw')).toThrow('need each other');
});

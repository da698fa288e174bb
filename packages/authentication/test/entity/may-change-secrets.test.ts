import { describe, expect, it } from '@jest/globals';
import { mayChange } from '../../src/entity/may-change-secrets.ts';

const changes = (data: unknown, paths: readonly string[] = ['password', 'login.secret']): boolean => mayChange(data, paths);

describe('data that may change a secret', () => {
  it.each([
    [{ password: 'x' }],
    [{ name: 'Ann', password: undefined }],
    [{ login: {} }],
    [{ 'login.secret': 'x' }],
    [{ 'login.secret.salt': 'x' }],
    [{ 'password.hash': 'x' }],
    [{ login: null }],
  ])('names it, or something around or inside it: %j', (data) => {
    expect(changes(data)).toBe(true);
  });

  it.each([[{}], [{ name: 'Ann' }], [{ 'login.name': 'x' }], [{ 'profile.password': 'x' }], [{ passwords: 'x' }], [{ secret: 'x' }]])(
    'does not name it: %j is none',
    (data) => {
      expect(changes(data)).toBe(false);
    },
  );

  it.each([
    [{ $set: { password: 'x' } }, true],
    [{ $set: { name: 'x', password: 'x' } }, true],
    [{ $set: { name: 'x' } }, false],
    [{ name: 'x', $unset: { 'login.secret': '' } }, true],
    [{ $set: { name: 'x' }, $inc: { logins: 1 } }, false],
    [{ $rename: { password: 'former' } }, true],
    [{ $rename: { former: 'password' } }, true],
    [{ $rename: { former: 'name' } }, false],
    // What is no name, not even by its text, can not be seen through.
    [{ $rename: { former: { toString: 1 } } }, true],
    // The value is the name of a property for this operator alone.
    [{ $set: { name: 'password' } }, false],
    [{ $set: { $password: 'x' } }, false],
  ])('is looked for in update operators: that %j is one is %j', (data, expected) => {
    expect(changes(data)).toBe(expected);
  });

  it.each([[null], [undefined], ['text'], [[]], [[{ $set: { name: 'x' } }]], [{ $set: null }], [{ $set: 'x' }], [{ $set: [] }]])(
    'is whatever can not be seen through: %j',
    (data) => {
      expect(changes(data)).toBe(true);
    },
  );

  it.each([
    'devices.0.secret',
    'devices.12.secret',
    'devices.$.secret',
    'devices.$[].secret',
    'devices.$[one].secret',
    'devices.$[]',
    'devices.secret',
  ])('is looked for in lists: %s', (name) => {
    expect(changes({ $set: { [name]: 'x' } }, ['devices.secret'])).toBe(true);
    expect(changes({ $set: { [name]: 'x' } }, ['devices.0.secret'])).toBe(true);
    expect(changes({ $set: { [name.replace('devices', 'keys')]: 'x' } }, ['devices.secret'])).toBe(false);
  });

  it.each([
    'devices.0x.secret',
    'devices.x0.secret',
    'devices.$x.secret',
    'devices.a$.secret',
    'devices.a$[].secret',
    'devices.$[]a.secret',
  ])('is not taken for one in a list: %s', (name) => {
    expect(changes({ $set: { [name]: 'x' } }, ['devices.secret'])).toBe(false);
  });

  it('is none where there are no secrets, unless it can not be seen through', () => {
    expect(changes({ password: 'x', $set: { password: 'x' } }, [])).toBe(false);
    expect(changes(null, [])).toBe(true);
  });
});

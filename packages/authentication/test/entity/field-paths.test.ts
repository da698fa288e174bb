import { describe, expect, it } from '@jest/globals';
import { valueAt } from '../../src/entity/field-paths.ts';

describe('the value at a path', () => {
  it.each([
    ['password', { password: 'x' }, 'x'],
    ['login.password', { login: { password: 'x' } }, 'x'],
    ['login.password', { 'login.password': 'x' }, undefined],
    ['login.password', { login: 'text' }, undefined],
    ['login.password', { login: null }, undefined],
    ['login.password', {}, undefined],
    ['password', undefined, undefined],
    ['password', 'text', undefined],
    ['length', 'text', undefined],
    ['login', { login: null }, null],
    ['login', { login: ['x'] }, ['x']],
    ['toString', {}, undefined],
    ['__proto__.password', {}, undefined],
  ])('%s of %j is %j', (path, record, value) => {
    expect(valueAt(record, path)).toEqual(value);
  });

  it.each([
    ['devices.secret', { devices: [{ secret: 'a' }, { secret: 'b' }] }, ['a', 'b']],
    ['devices.secret', { devices: [{ secret: 'a' }, { name: 'no secret' }, 'text', null] }, ['a']],
    ['devices.secret', { devices: [[{ secret: 'a' }], { secret: 'b' }] }, [['a'], 'b']],
    ['devices.keys.secret', { devices: [{ keys: [{ secret: 'a' }] }, { keys: { secret: 'b' } }, { keys: [] }] }, [['a'], 'b']],
    ['devices.0.secret', { devices: [{ secret: 'a' }, { secret: 'b' }] }, 'a'],
    ['devices.10.secret', { devices: Array.from({ length: 11 }, (_, index) => ({ secret: `of ${String(index)}` })) }, 'of 10'],
    ['devices.1st', { devices: [{ '1st': 'a' }] }, ['a']],
    ['devices.no1', { devices: [{ no1: 'a' }] }, ['a']],
    ['devices.2.secret', { devices: [{ secret: 'a' }] }, undefined],
    ['devices.length', { devices: [{ length: 3 }] }, [3]],
    // What has no such property says the same as one that is not there.
    ['devices.secret', { devices: [{ name: 'no secret' }] }, undefined],
    ['devices.secret', { devices: [] }, undefined],
  ])('%s is looked for in every element of a list: that of %j is %j', (path, record, value) => {
    expect(valueAt(record, path)).toEqual(value);
  });
});

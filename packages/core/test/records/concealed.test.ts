import { describe, expect, it } from '@jest/globals';
import { concealed, NOBODY, PathRules } from '../../src/index.ts';

class User {
  id = 1;
  password = 'secret';
  get name(): string {
    return `user ${this.id}`;
  }
}

/** A record in which properties are concealed. */
const conceal = <T>(record: T, ...hidden: string[]): T => concealed(record, new PathRules().add({ hidden }).redact(record, NOBODY));

describe('S34 concealed properties', () => {
  it('are left out by JSON and by copies, and can be read', () => {
    const record = { id: 1, password: 'secret' };
    const copy = conceal(record, 'password');
    expect(copy.password).toBe('secret');
    expect(JSON.stringify(copy)).toBe('{"id":1}');
    expect({ ...copy }).toEqual({ id: 1 });
    expect(record).toEqual({ id: 1, password: 'secret' });
  });

  it('may be several, and in records of records', () => {
    const record = { id: 1, password: 'a', keys: { api: 'b', name: 'c' } };
    const copy = conceal(record, 'password', 'keys.api');
    expect(JSON.stringify(copy)).toBe('{"id":1,"keys":{"name":"c"}}');
    expect([copy.password, copy.keys.api]).toEqual(['a', 'b']);
    expect(JSON.stringify(record)).toBe('{"id":1,"password":"a","keys":{"api":"b","name":"c"}}');
  });

  it('leave classes and symbols as they are', () => {
    const mark = Symbol('mark');
    const user = conceal(Object.assign(new User(), { [mark]: 1 }), 'password');
    expect(user).toBeInstanceOf(User);
    expect([user.name, user[mark], Object.keys(user)]).toEqual(['user 1', 1, ['id']]);
  });

  it('may be those of a frozen record', () => {
    const copy = conceal(Object.freeze({ id: 1, password: 'secret' }), 'password');
    expect([JSON.stringify(copy), copy.password]).toEqual(['{"id":1}', 'secret']);
  });

  it('leave a record as it is that has none of them', () => {
    const record = { id: 1 };
    expect(conceal(record, 'password')).toBe(record);
    expect(conceal(null, 'password')).toBe(null);
  });
});

import { describe, expect, it } from '@jest/globals';
import { hidePath } from '../../src/entity/field-paths.ts';

class User {
  id = 1;
  password = 'secret';
  get name(): string {
    return `user ${this.id}`;
  }
}

describe('S34 hidePath', () => {
  it('hides a property from JSON and from copies, and leaves it readable', () => {
    const record = { id: 1, password: 'secret' };
    const copy = hidePath(record, 'password');
    expect(copy.password).toBe('secret');
    expect(JSON.stringify(copy)).toBe('{"id":1}');
    expect({ ...copy }).toEqual({ id: 1 });
    expect(record).toEqual({ id: 1, password: 'secret' });
  });

  it('hides several, one after the other, and in records of records', () => {
    const record = { id: 1, password: 'a', keys: { api: 'b', name: 'c' } };
    const copy = hidePath(hidePath(record, 'password'), 'keys.api');
    expect(JSON.stringify(copy)).toBe('{"id":1,"keys":{"name":"c"}}');
    expect([copy.password, copy.keys.api]).toEqual(['a', 'b']);
    expect(JSON.stringify(record)).toBe('{"id":1,"password":"a","keys":{"api":"b","name":"c"}}');
  });

  it('keeps classes, accessors, symbols and names of prototypes', () => {
    const mark = Symbol('mark');
    const user = hidePath(Object.assign(new User(), { [mark]: 1 }), 'password');
    expect(user).toBeInstanceOf(User);
    expect([user.name, user[mark], Object.keys(user)]).toEqual(['user 1', 1, ['id']]);
    let read = 0;
    const lazy = {
      password: 'secret',
      get keys() {
        read += 1;
        return { api: 'b', name: 'c' };
      },
    };
    const copy = hidePath(lazy, 'password');
    expect(read).toBe(0);
    expect(JSON.stringify(hidePath(copy, 'keys.api'))).toBe('{"keys":{"name":"c"}}');
    const odd = JSON.parse('{"__proto__":{"a":1},"password":"secret"}') as { password: string };
    expect(JSON.stringify(hidePath(odd, 'password'))).toBe('{"__proto__":{"a":1}}');
  });

  it('takes frozen records', () => {
    const copy = hidePath(Object.freeze({ id: 1, password: 'secret' }), 'password');
    expect([JSON.stringify(copy), copy.password]).toEqual(['{"id":1}', 'secret']);
  });

  it('leaves what has no such property', () => {
    const record = { id: 1 };
    expect(hidePath(record, 'password')).toBe(record);
    expect(hidePath(record, 'toString')).toBe(record);
    expect(hidePath(null, 'password')).toBe(null);
  });
});

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

  it('are left out by records that make their own JSON, which can still be read', () => {
    class Document {
      readonly #values = { id: 1, password: 'secret', keys: { api: 'b', name: 'c' } };
      cached = this.#values.password;

      toJSON(): object {
        return this.#values;
      }
    }
    const document = new Document();
    const copy = conceal(document, 'password', 'keys.api');
    expect(copy).toBeInstanceOf(Document);
    expect(JSON.stringify(copy)).toBe('{"id":1,"keys":{"name":"c"}}');
    expect([copy.cached, { ...copy }]).toEqual(['secret', {}]);
    expect(JSON.stringify(document)).toContain('secret');
  });

  it('can be set again, and then are as hidden as before', () => {
    const copy = conceal({ id: 1, password: 'secret', keys: { api: 'b', name: 'c' } }, 'password', 'keys.api');
    copy.password = 'other';
    Object.defineProperty(copy.keys, 'api', { value: 'd' });
    expect([copy.password, copy.keys.api, JSON.stringify(copy)]).toEqual(['other', 'd', '{"id":1,"keys":{"name":"c"}}']);
    Reflect.deleteProperty(copy, 'password');
    expect(copy.password).toBe(undefined);
  });

  it('make nothing a prototype that a record has by its name', () => {
    const record = JSON.parse('{"id":1,"password":"secret","__proto__":{"admin":true}}') as {
      id: number;
      password: string;
      admin?: boolean;
    };
    const copy = conceal(record, 'password');
    expect([copy.admin, Object.getPrototypeOf(copy), { ...copy }]).toEqual([undefined, Object.prototype, { id: 1 }]);
    expect(Object.getOwnPropertyDescriptor(copy, '__proto__')).toMatchObject({ value: { admin: true }, enumerable: false });
  });

  it('leave nothing of lists, dates and nulls beside them out', () => {
    const at = new Date(0);
    const copy = conceal({ password: 'secret', at, none: null, tags: ['a'], text: 'b', map: new Map([['a', 1]]) }, 'password');
    expect({ ...copy }).toEqual({ at, none: null, tags: ['a'], text: 'b', map: new Map([['a', 1]]) });
    expect(copy.at).toBe(at);
  });
});

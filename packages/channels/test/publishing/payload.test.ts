import { createContext, getRules, type HookContext } from '@framework/core';
import { describe, expect, it } from '@jest/globals';
import { jsonText, payloadText } from '../../src/publishing/payload.ts';
import { create } from '../listener.ts';

describe('what an event sends', () => {
  const service = create().service('notes') as object;
  getRules(service)?.add({ hidden: ['secret'] });
  const call = (event: string | null, result: unknown, dispatch: unknown): HookContext =>
    Object.assign(createContext(service, 'create'), { event, result, dispatch });

  it('of a call is what that has for those outside; behind another event it is what everybody may see of that', () => {
    const record = { id: 1, text: 'a', secret: 's' };
    const context = call('created', record, record);
    expect(payloadText(service, 'created', record, context)).toBe('{"id":1,"text":"a","secret":"s"}');
    expect(payloadText(service, 'archived', record, context)).toBe('{"id":1,"text":"a"}');
  });

  it('S34 of a record that is none of the call is what everybody may see of it', () => {
    const several = call('created', [{ id: 1 }], [{ id: 1, by: 'the call' }]);
    expect(payloadText(service, 'created', { id: 2, secret: 's' }, several)).toBe('{"id":2}');
    expect(payloadText(service, 'created', { id: 1 }, several)).toBe('{"id":1,"by":"the call"}');
    expect(payloadText(service, 'created', { id: 2, secret: 's' }, call('created', { id: 1 }, { by: 'the call' }))).toBe('{"id":2}');
    expect(payloadText(service, 'created', { id: 2, secret: 's' }, undefined)).toBe('{"id":2}');
  });

  it('of equal records is what the call has for each, in their order, also with one between them that is none of its', () => {
    const [first, second] = [{ text: 'a' }, { text: 'a' }];
    const copies = call('created', [first, second], [{ n: 1 }, { n: 2 }]);
    const told = [{ text: 'a' }, { text: 'none' }, { text: 'a' }].map((record) => payloadText(service, 'created', record, copies));
    expect(told).toEqual(['{"n":1}', '{"text":"none"}', '{"n":2}']);
  });

  it('is nothing where a value has no JSON', () => {
    for (const value of [undefined, () => 1, Symbol('a')]) expect(jsonText(value)).toBe('null');
    expect(() => jsonText({ a: Promise.resolve(1) })).toThrow(TypeError);
  });
});

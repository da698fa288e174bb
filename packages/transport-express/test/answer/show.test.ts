import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { JSON_TYPE, makeAnswer, NOTHING, type Content, type Header } from '../../src/answer/answer.ts';
import { show } from '../../src/answer/show.ts';
import type { Response } from '../../src/middleware-types.ts';

/** A response on which others have set headers, after an answer was put on it. */
function shown(present: Record<string, string | string[]>, headers: readonly Header[], content: Content = NOTHING): Response {
  const res = new ServerResponse(new IncomingMessage(new Socket())) as Response;
  for (const [name, value] of Object.entries(present)) res.setHeader(name, value);
  show(makeAnswer(418, headers, content), res);
  return res;
}

const vary = (present: string | string[] | undefined, value: string | readonly string[]): unknown =>
  shown(present === undefined ? {} : { vary: present }, [{ name: 'Vary', value, rule: 'add' }]).getHeader('vary');

describe('an answer on a response', () => {
  it('has its status, and the result of a service as data', () => {
    const data = { a: 1 };
    const res = shown({}, [], { kind: 'value', value: data });
    expect([res.statusCode, res.data]).toEqual([418, data]);
    for (const content of [
      NOTHING,
      { kind: 'value', value: data, type: JSON_TYPE },
      { kind: 'text', type: 'text/plain', text: 'x' },
    ] as const)
      expect('data' in shown({}, [], content)).toBe(false);
  });

  it.each([
    ['set', 'new'],
    ['keep', 'old'],
    ['add', 'old, new'],
  ] as const)('a header whose rule is %s is %s where there was one, and itself where there was none', (rule, value) => {
    expect(shown({ 'x-own': 'old' }, [{ name: 'X-Own', value: 'new', rule }]).getHeaders()).toEqual({ 'x-own': value });
    expect(shown({ other: 'old' }, [{ name: 'X-Own', value: 'new', rule }]).getHeaders()).toEqual({ other: 'old', 'x-own': 'new' });
  });

  it.each<[string | string[] | undefined, string | readonly string[], string | readonly string[]]>([
    ['Cookie', 'Accept, Origin', 'Cookie, Accept, Origin'],
    ['ACCEPT', 'Accept, Origin', 'ACCEPT, Origin'],
    ['Cookie  ,accept', 'Accept, Origin', 'Cookie, accept, Origin'],
    ['*', 'Accept', '*'],
    ['Cookie, *', 'Accept', '*'],
    [['Cookie', 'Accept'], 'Accept, Origin', 'Cookie, Accept, Origin'],
    ['Cookie', ['Accept', 'Origin'], 'Cookie, Accept, Origin'],
    ['Accept', 'Accept', 'Accept'],
    [undefined, 'Accept', 'Accept'],
  ])('names are put behind those that are there: %p and %p', (present, value, expected) => {
    expect(vary(present, value)).toEqual(expected);
  });

  it.each<[string | string[], string | readonly string[], readonly string[]]>([
    ['a=1', 'b=2', ['a=1', 'b=2']],
    [
      ['a=1', 'b=2, c'],
      ['d=3', 'a=1'],
      ['a=1', 'b=2, c', 'd=3', 'a=1'],
    ],
  ])('cookies are put behind those that are there, each by itself: %p and %p', (present, value, expected) => {
    expect(shown({ 'set-cookie': present }, [{ name: 'Set-Cookie', value, rule: 'add' }]).getHeader('set-cookie')).toEqual(expected);
  });
});

import type { HookContext, Http } from '@framework/core';
import { describe, expect, it } from '@jest/globals';
import { answerOf } from '../../src/answer/answer-of-call.ts';
import { joinHeaders } from '../../src/answer/header-policy.ts';

interface Facts {
  readonly method?: string;
  readonly result?: unknown;
  readonly dispatch?: unknown;
  readonly http?: Http;
  readonly params?: object;
  readonly id?: string;
}

function answer({ method = 'find', result, dispatch, http = {}, params = {}, id = 'id' }: Facts, url = '/notes', conditional = false) {
  const context = { method, result, dispatch, http, params, service: { id } } as unknown as HookContext;
  const { status, headers, content } = answerOf({ context, url, conditional });
  return { status, content, headers: Object.fromEntries(headers.map(({ name, value }) => [name, value])) };
}

const COMMON = { 'X-Content-Type-Options': 'nosniff', Vary: 'Accept, Authorization, Origin' };

describe('the answer of a call', () => {
  it.each<[string, Facts, number]>([
    ['a result', { result: [] }, 200],
    ['a created record', { method: 'create', result: { a: 1 } }, 201],
    ['no result', { result: null }, 204],
    ['nothing to show of one', { result: { a: 1 }, dispatch: null }, 204],
    ['a status that a hook has set', { result: null, http: { status: 202 } }, 202],
    ['a target', { result: { a: 1 }, http: { location: '/b' } }, 303],
    ['a target and a status', { result: { a: 1 }, http: { location: '/b', status: 302 } }, 302],
  ])('has a status for %s', (_title, facts, status) => {
    expect(answer(facts).status).toBe(status);
  });

  it('sends what is to be shown, and is frozen', () => {
    expect(answer({ result: { a: 1 }, dispatch: { b: 2 } })).toEqual({
      status: 200,
      headers: COMMON,
      content: { kind: 'value', value: { b: 2 } },
    });
    expect(answer({ result: 0 })).toMatchObject({ status: 204, content: { value: 0 } });
    const context = { method: 'get', result: 1, http: {}, params: {}, service: {} } as unknown as HookContext;
    expect(Object.isFrozen(answerOf({ context, url: '/', conditional: false }))).toBe(true);
  });

  it('S41 is kept by no cache where it belongs to somebody', () => {
    for (const params of [{ user: {} }, { authenticated: true }, { authentication: {} }]) {
      expect(answer({ result: 1, params }).headers).toEqual({ ...COMMON, 'Cache-Control': 'no-store' });
      expect(answer({ method: 'get', result: 1, params }, '/notes/1', true).headers['Cache-Control']).toBe('private, no-cache');
    }
    expect(answer({ method: 'get', result: 1 }, '/notes/1', true).headers['Cache-Control']).toBe('no-cache');
    expect(answer({ result: 1 }, '/notes', true).headers).toEqual(COMMON);
  });

  it('names no header twice: those of hooks stay, and those that are lists are joined', () => {
    const http = { headers: { vary: 'X', 'CACHE-CONTROL': 'public', 'X-Own': ['a', 'b'], 'Set-Cookie': ['c', 'd'], location: '/mine' } };
    expect(answer({ method: 'create', result: { id: 1 }, http, params: { user: {} } }).headers).toEqual({
      vary: 'X, Accept, Authorization, Origin',
      'CACHE-CONTROL': 'public',
      'X-Own': 'a, b',
      'Set-Cookie': ['c', 'd'],
      location: '/mine',
      'X-Content-Type-Options': 'nosniff',
    });
    const cookies = { 'Set-Cookie': ['a', 'b'], 'set-cookie': 'c' };
    expect(answer({ result: 1, http: { headers: cookies } }).headers).toEqual({ ...COMMON, 'Set-Cookie': ['a', 'b', 'c'] });
    expect(joinHeaders([], []).length).toBe(0);
  });

  it('finds the id of a created record by its name, and as the text of a database id', () => {
    const created = (result: unknown, id?: string) =>
      answer({ method: 'create', result, ...(id === undefined ? {} : { id }) }).headers.Location;
    expect(created({ id: 1 })).toBe('/notes/1');
    expect(created({ _id: 'x' }, '_id')).toBe('/notes/x');
    expect(created({ id: { toHexString: () => 'ab', toString: () => 'ab' } })).toBe('/notes/ab');
    for (const result of [{}, { id: {} }, { id: null }, { id: ['a'] }, [{ id: 1 }], 'text']) expect(created(result)).toBeUndefined();
    expect(answer({ method: 'patch', result: { id: 1 } }).headers.Location).toBeUndefined();
  });

  it('encodes the target that a hook has set, whatever is in it', () => {
    expect(answer({ result: 1, http: { location: '/a b/%20/ü\ud800' } }).headers.Location).toBe('/a%20b/%20/%C3%BC%EF%BF%BD');
  });
});

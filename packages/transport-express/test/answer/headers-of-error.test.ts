import { NotFound, TooManyRequests, toFrameworkError } from '@framework/errors';
import { describe, expect, it } from '@jest/globals';
import { headersOfError } from '../../src/answer/headers-of-error.ts';

const ERROR = new TooManyRequests('Wait');
const given = (more: object): object => ({ expose: true, status: 429, headers: { 'Retry-After': '5' }, ...more });
const RETRY = [{ name: 'Retry-After', value: '5', rule: 'set' }];

describe('the headers that an error brings along', () => {
  it('are those of a client error that is meant for the caller, by either name of its status', () => {
    expect(headersOfError(given({}), ERROR)).toEqual(RETRY);
    expect(headersOfError(given({ status: undefined, statusCode: 429 }), ERROR)).toEqual(RETRY);
    expect(headersOfError(given({ status: 429, statusCode: 404 }), ERROR)).toEqual(RETRY);
  });

  it.each<[string, object]>([
    ['is not meant for the caller', { expose: false }],
    ['does not say for whom it is meant', { expose: 'true' }],
    ['has another status than what it was taken for', { status: 404 }],
    ['has no status', { status: undefined }],
    ['has no headers', { headers: undefined }],
    ['has null for headers', { headers: null }],
    ['has a text for headers', { headers: 'ab' }],
  ])('are none where it %s', (_title, more) => {
    expect(headersOfError(given(more), ERROR)).toEqual([]);
  });

  it('are none of what is no object, of an error of this family, and of one of the server', () => {
    for (const thrown of ['text', 5, null, undefined]) expect(headersOfError(thrown, ERROR)).toEqual([]);
    const own = Object.assign(new NotFound('x'), { expose: true, headers: { A: '1' } });
    expect(headersOfError(own, own)).toEqual([]);
    expect(headersOfError(own, new NotFound('x'))).toEqual([{ name: 'A', value: '1', rule: 'set' }]);
    const late = { expose: true, status: 500, headers: { A: '1' } };
    expect(headersOfError(late, Object.assign(toFrameworkError(new Error('x')), {}))).toEqual([]);
    const thrown = Object.assign(() => undefined, given({}));
    expect(headersOfError(thrown, ERROR)).toEqual([]);
  });

  it.each(['Content-Type', 'content-length', 'CONTENT-ENCODING', 'Transfer-Encoding', 'Trailer'])(
    'leave out %s, which is of another body',
    (name) => {
      expect(headersOfError(given({ headers: { [name]: 'x', 'Content-Range': 'bytes */5' } }), ERROR)).toEqual([
        { name: 'Content-Range', value: 'bytes */5', rule: 'set' },
      ]);
    },
  );

  it('are texts and numbers, or lists of them, that can stand in a header', () => {
    const headers = {
      Text: 'a',
      Number: 5,
      List: ['a', 6, true, { toString: () => 'b' }, 'line\nbreak', 'c'],
      One: ['a'],
      Empty: '',
      None: [],
      Object: { a: 1 },
      Missing: undefined,
      Break: 'a\r\nb',
      'not a name': 'a',
      '': 'a',
    };
    expect(headersOfError(given({ headers }), ERROR)).toEqual([
      { name: 'Text', value: 'a', rule: 'set' },
      { name: 'Number', value: '5', rule: 'set' },
      { name: 'List', value: ['a', '6', 'c'], rule: 'set' },
      { name: 'One', value: ['a'], rule: 'set' },
      { name: 'Empty', value: '', rule: 'set' },
    ]);
  });

  it('are none where reading them fails', () => {
    const failing = Object.defineProperty(given({}), 'headers', {
      get() {
        throw new Error('in a getter');
      },
    });
    expect(headersOfError(failing, ERROR)).toEqual([]);
  });
});

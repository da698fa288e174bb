import {
  BadRequest,
  Conflict,
  Forbidden,
  FrameworkError,
  GeneralError,
  NotAuthenticated,
  NotFound,
  TooManyRequests,
  Unavailable,
} from '@framework/errors';
import { describe, expect, it } from '@jest/globals';
import { answerOfError, errorStatus, type Failure } from '../../src/answer/answer-of-error.ts';

const failure = (error: FrameworkError, more: Partial<Failure> = {}): Failure => ({
  error,
  headers: [],
  form: 'json',
  id: undefined,
  authorized: false,
  ...more,
});
const headersOf = (error: FrameworkError, more: Partial<Failure> = {}): object =>
  Object.fromEntries(answerOfError(failure(error, more)).headers.map(({ name, value }) => [name, value]));
const bodyOf = (error: FrameworkError, more: Partial<Failure> = {}): unknown => {
  const { content } = answerOfError(failure(error, more));
  return content.kind === 'value' ? content.value : content;
};
const pageOf = (error: FrameworkError, id?: string): string => {
  const { content } = answerOfError(failure(error, { form: 'html', id }));
  return content.kind === 'text' ? content.text : '';
};
const withCode = (code: unknown): FrameworkError => new FrameworkError('text', 'Own', code as number, 'own');

const COMMON = { 'X-Content-Type-Options': 'nosniff', Vary: 'Accept, Authorization, Origin', 'Cache-Control': 'no-store' };

describe('the status of an error', () => {
  it.each([
    [400, 400],
    [418, 418],
    [599, 599],
    [399, 500],
    [200, 500],
    [600, 500],
    [400.5, 500],
    ['404', 500],
    [undefined, 500],
    [Number.NaN, 500],
  ])('%p is sent as %i', (code, status) => {
    expect(errorStatus({ code } as FrameworkError)).toBe(status);
    expect(answerOfError(failure(withCode(400))).status).toBe(400);
  });
});

describe('the headers of an error', () => {
  it('are the same for all, and the id under which it is logged', () => {
    expect(headersOf(new NotFound('x'))).toEqual(COMMON);
    expect(headersOf(new GeneralError('x'), { id: 'abc' })).toEqual({ ...COMMON, 'X-Correlation-Id': 'abc' });
  });

  it.each([
    [new NotAuthenticated('x'), false, 'Bearer realm="api"'],
    [new NotAuthenticated('x'), true, 'Bearer realm="api", error="invalid_token"'],
    [new Forbidden('x'), true, 'Bearer realm="api", error="insufficient_scope"'],
    [new Forbidden('x'), false, undefined],
    [new NotFound('x'), true, undefined],
    [new NotFound('x'), false, undefined],
  ])('ask %s for a login where there was one: %p', (error, authorized, challenge) => {
    expect(headersOf(error, { authorized })).toEqual({ ...COMMON, ...(challenge === undefined ? {} : { 'WWW-Authenticate': challenge }) });
  });

  it('let a challenge of its own stand, and nothing else that is this package alone to say', () => {
    const headers = [
      { name: 'www-authenticate', value: 'Basic', rule: 'set' },
      { name: 'x-correlation-id', value: 'own', rule: 'set' },
      { name: 'retry-after', value: '9', rule: 'set' },
      { name: 'Vary', value: 'Cookie', rule: 'set' },
    ] as const;
    expect(headersOf(new NotAuthenticated('x'), { headers, id: 'abc' })).toEqual({
      ...COMMON,
      Vary: 'Cookie, Accept, Authorization, Origin',
      'www-authenticate': 'Basic',
      'X-Correlation-Id': 'abc',
      'retry-after': '9',
    });
    expect(headersOf(new Unavailable('x', { retryAfter: 3 }), { headers: headers.slice(2, 3) })).toEqual({ ...COMMON, 'Retry-After': '3' });
  });

  it.each<[FrameworkError, string | undefined]>([
    [new TooManyRequests('x', { retryAfter: 2.1 }), '3'],
    [new Unavailable('x', { retryAfter: 5 }), '5'],
    [new Conflict('x', { retryAfter: 0 }), '1'],
    [new Conflict('x', { retryAfter: -7 }), '1'],
    [new BadRequest('x', { retryAfter: 5 }), undefined],
    [new GeneralError('x', { retryAfter: 5 }), undefined],
    [new TooManyRequests('x', { retryAfter: '5' }), undefined],
    [new TooManyRequests('x', { retryAfter: Infinity }), undefined],
    [new TooManyRequests('x', { retryAfter: Number.NaN }), undefined],
    [new TooManyRequests('x'), undefined],
  ])('say when to try again: %o', (error, wait) => {
    expect(headersOf(error)).toEqual({ ...COMMON, ...(wait === undefined ? {} : { 'Retry-After': wait }) });
  });
});

describe('the body of an error', () => {
  it('has the id beside its own data and problems', () => {
    expect(bodyOf(new NotFound('x'))).toEqual({ name: 'NotFound', message: 'x', code: 404, className: 'not-found' });
    expect(bodyOf(new NotFound('x', { a: 1 }))).toMatchObject({ data: { a: 1 } });
    const whole = bodyOf(new GeneralError('x', { a: 1, errors: [{ path: 'b' }] }), { id: 'abc' });
    expect(whole).toMatchObject({ data: { a: 1, correlationId: 'abc' }, errors: [{ path: 'b' }] });
    const bare = bodyOf(new GeneralError('x'), { id: 'abc' }) as object;
    expect(bare).toMatchObject({ data: { correlationId: 'abc' } });
    expect(Object.keys(bare)).not.toContain('errors');
    const text = Object.assign(new GeneralError('x'), { data: 'text' });
    expect((bodyOf(text, { id: 'abc' }) as { data: unknown }).data).toEqual({ correlationId: 'abc' });
  });

  it('leaves out data and problems that JSON can not hold', () => {
    const bare = { name: 'BadRequest', message: 'x', code: 400, className: 'bad-request' };
    expect(bodyOf(Object.assign(new BadRequest('x'), { data: { big: 5n } }))).toEqual(bare);
    expect(bodyOf(Object.assign(new BadRequest('x'), { errors: [{ big: 5n }] }))).toEqual(bare);
    expect(bodyOf(Object.assign(new BadRequest('x'), { data: { big: 5n }, errors: [{ big: 5n }] }))).toEqual(bare);
  });

  it('keeps problems beside data that JSON can not hold, data beside such problems, and the id in any case', () => {
    const problems = [{ path: 'name', message: 'is taken' }];
    expect(bodyOf(new BadRequest('x', { count: 1n, errors: problems }))).toEqual({
      name: 'BadRequest',
      message: 'x',
      code: 400,
      className: 'bad-request',
      errors: problems,
    });
    expect(bodyOf(new BadRequest('x', { field: 'name', errors: [1n] }))).toMatchObject({ data: { field: 'name' } });
    expect(bodyOf(new GeneralError('x', { count: 1n }), { id: 'abc' })).toMatchObject({ data: { correlationId: 'abc' } });
    expect(bodyOf(new GeneralError('x', { field: 'name', errors: [1n] }), { id: 'abc' })).toMatchObject({
      data: { field: 'name', correlationId: 'abc' },
    });
  });

  it('has the members of problem details where they are asked for', () => {
    expect(answerOfError(failure(new NotFound('x', { a: 1 }), { form: 'problem' })).content).toEqual({
      kind: 'value',
      type: 'application/problem+json; charset=utf-8',
      value: { type: 'about:blank', title: 'NotFound', status: 404, detail: 'x', className: 'not-found', data: { a: 1 } },
    });
    expect(answerOfError(failure(new NotFound('x'))).content).toMatchObject({ type: 'application/json; charset=utf-8' });
  });
});

describe('the page of an error', () => {
  const shown = (page: string): unknown[] => [
    /<title>(.*)<\/title>/.exec(page)?.[1],
    /<h1 id="error-code">(.*)<\/h1>/.exec(page)?.[1],
    /<h2 id="error-message">(.*)<\/h2>/.exec(page)?.[1],
    /<\/h2>\n([^]*)\n<\/body>/.exec(page)?.[1],
  ];

  it.each([
    [400, 'Bad Request'],
    [401, 'Not Authorized'],
    [403, 'Forbidden'],
    [404, 'Page Not Found'],
    [418, 'The request failed'],
    [499, 'The request failed'],
  ])('of %i has its text', (code, title) => {
    expect(shown(pageOf(withCode(code)))).toEqual([title, String(code), title, '<p>text</p>']);
  });

  it.each([
    [500, 'Internal Server Error'],
    [501, 'Something went wrong'],
    [503, 'Something went wrong'],
  ])('S40 of %i has no text of its own, and the id under which it is logged', (code, title) => {
    const text = '<p>The server could not complete the request.</p>';
    expect(shown(pageOf(withCode(code)))).toEqual([title, String(code), title, text]);
    expect(shown(pageOf(withCode(code), 'a<b'))).toEqual([title, String(code), title, `${text}\n<p>Reference: <code>a&#60;b</code></p>`]);
  });

  it('escapes what comes from outside', () => {
    expect(shown(pageOf(new NotFound(`<a href="x">'&'</a>`)))[3]).toBe('<p>&#60;a href=&#34;x&#34;&#62;&#39;&#38;&#39;&#60;/a&#62;</p>');
  });
});

import { framework } from '@framework/core';
import { BadRequest, GeneralError, NotFound, Unavailable } from '@framework/errors';
import { expect, it } from '@jest/globals';
import { traceCalls, type TracingApi, type TracingSpan } from '../../src/index.ts';

/** What a span was told, in order. */
type Told = readonly [what: string, ...values: unknown[]];

/** An API of OpenTelemetry that writes down what its spans are told. */
function recording(): { readonly api: TracingApi; readonly told: Told[]; readonly tracers: string[] } {
  const told: Told[] = [];
  const tracers: string[] = [];
  const span: TracingSpan = {
    setAttribute: (name, value) => told.push(['attribute', name, value]),
    setStatus: (status) => told.push(['status', status]),
    recordException: ({ message }) => told.push(['exception', message]),
    end: () => told.push(['end']),
  };
  const api: TracingApi = {
    trace: {
      getTracer: (name) => {
        tracers.push(name);
        return {
          startActiveSpan: (title, { attributes }, work) => {
            told.push(['start', title, attributes]);
            return work(span);
          },
        };
      },
    },
  };
  return { api, told, tracers };
}

/** A service whose `get` throws what it is told to. */
function traced(thrown?: unknown) {
  const { api, told, tracers } = recording();
  const app = framework().use('users', {
    get: async (id: string, _params?: object): Promise<unknown> => {
      if (id === 'fails') throw thrown;
      return { id };
    },
  });
  app.hooks({ around: { all: [traceCalls(api)] } });
  return { get: (id: string, params = {}) => app.service('users').get(id, params), told, tracers };
}

it('a call is a span with its service, its method and who has made it', async () => {
  const { get, told, tracers } = traced();
  await get('1', { provider: 'rest' });
  await get('2');
  const own = { 'framework.path': 'users', 'framework.method': 'get' };
  expect(told).toStrictEqual([
    ['start', 'users.get', { ...own, 'framework.provider': 'rest' }],
    ['end'],
    ['start', 'users.get', own],
    ['end'],
  ]);
  expect(tracers).toEqual(['@framework/transport-express']);
});

/** Errors whose codes are no statuses of refusals. */
const ODD = [399, '450', undefined].map((code) => Object.assign(new Error('odd'), { code }));

it('a refusal names its error, and is none of the server; a failure of the server is', async () => {
  for (const error of [new NotFound('nobody'), new BadRequest('bad'), Object.assign(new Error('taken'), { code: 499 })]) {
    const { get, told } = traced(error);
    await expect(get('fails')).rejects.toBe(error);
    expect(told.slice(1)).toEqual([['attribute', 'error.type', error.name], ['end']]);
  }
  for (const error of [new Unavailable('away'), new GeneralError('failed'), new TypeError('broken'), ...ODD]) {
    const { get, told } = traced(error);
    await expect(get('fails')).rejects.toBe(error);
    const status = ['status', { code: 2, message: error.message }];
    expect(told.slice(1)).toEqual([['attribute', 'error.type', error.name], ['exception', error.message], status, ['end']]);
  }
});

it.each([
  ['a text', 'a text', 'a text'],
  ['nothing', undefined, 'undefined'],
  ['an object without a text', Object.create(null), 'A value that can not be read was thrown'],
  ['a symbol', Symbol('odd'), 'Symbol(odd)'],
])('what is thrown stays what the caller gets: %s', async (_title, thrown, message) => {
  const { get, told } = traced(thrown);
  const got = await get('fails').then(
    () => 'a result',
    (error: unknown) => ({ error }),
  );
  expect(got).toEqual({ error: thrown });
  expect(told[2]).toEqual(['exception', message]);
});

it.each([undefined, null, {}, { trace: {} }])('takes the API of OpenTelemetry alone, and not %p', (api) => {
  expect(() => traceCalls(api as never)).toThrow("traceCalls(api) takes what '@opentelemetry/api' exports");
});

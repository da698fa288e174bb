import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { requestId } from '../src/index.ts';
import { send, start, type Running } from './harness.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const ids: unknown[] = [];
const logged: unknown[] = [];
let running: Running;
beforeAll(async () => {
  running = await start(
    (app) => {
      app.use('failing', {
        async find() {
          throw new Error('secret');
        },
      });
      app.service('failing').hooks({
        before: {
          all: [
            (context: { params: object }) => {
              ids.push(requestId(context.params));
              context.params = { ...context.params };
            },
          ],
        },
        error: {
          all: [
            (context: { params: object }) => {
              ids.push(requestId(context.params));
            },
          ],
        },
      });
    },
    { logger: (error) => logged.push((error as { correlationId?: unknown }).correlationId) },
  );
});
afterAll(() => running.stop());

it.each([
  ['the trace of traceparent', { traceparent: `00-${TRACE}-00f067aa0ba902b7-01` }, TRACE],
  ['a later version of traceparent', { traceparent: `01-${TRACE}-00f067aa0ba902b7-01-more` }, TRACE],
  ['X-Request-Id', { 'x-request-id': 'gateway_1.2:3/4=' }, 'gateway_1.2:3/4='],
  ['traceparent before X-Request-Id', { traceparent: `00-${TRACE}-00f067aa0ba902b7-01`, 'x-request-id': 'a' }, TRACE],
  ['X-Request-Id beside a bad traceparent', { traceparent: `ff-${TRACE}-00f067aa0ba902b7-01`, 'x-request-id': 'a' }, 'a'],
] as const)('the id of a request is %s', (_what, headers, id) => {
  expect(requestId({ headers })).toBe(id);
});

it.each([
  {},
  { traceparent: `00-${'0'.repeat(32)}-00f067aa0ba902b7-01` },
  { traceparent: `00-${TRACE}-${'0'.repeat(16)}-01` },
  { traceparent: `00-${TRACE.toUpperCase()}-00f067aa0ba902b7-01` },
  { 'x-request-id': 'x'.repeat(129) },
  { 'x-request-id': '' },
  { 'x-request-id': 'a\u001b[2Jb' },
  { 'x-request-id': '<script>' },
  { 'x-request-id': ['a', 'b'] },
])('S45 an id is made when there is none to take: %j', (headers) => {
  const id = requestId({ headers });
  expect(id).toMatch(UUID);
  expect(requestId({ headers })).toBe(id);
  expect(requestId({ headers: { ...headers } })).not.toBe(id);
});

it('calls within the server have none', () => {
  expect(requestId({})).toBeUndefined();
});

it.each([
  ['given', { 'x-request-id': 'abc-1' }, 'abc-1'],
  ['made', {}, UUID],
] as const)('hooks, the log and the answer have the same id, which is %s', async (_how, headers, id) => {
  ids.length = logged.length = 0;
  const answer = await send(running.url, '/failing', { headers });
  const { correlationId } = answer.body.data;
  expect(correlationId).toMatch(id);
  expect([...ids, ...logged, answer.headers['x-correlation-id']]).toEqual([correlationId, correlationId, correlationId, correlationId]);
});

import type { ServiceLookup } from '@framework/core';
import { afterEach, expect, it } from '@jest/globals';
import { nameRoute } from '../../src/tracing/service-route.ts';
import { exchange } from '../answer/exchange.ts';

const API = Symbol.for('opentelemetry.js.api.1');
const RPC_METADATA = Symbol.for('OpenTelemetry SDK Context Key RPC_METADATA');
afterEach(() => {
  Reflect.deleteProperty(globalThis, API);
});

/** What OpenTelemetry has in its present context, and where its API looks for that. */
function present(metadata: unknown): void {
  const active = (): object => ({ getValue: (key: symbol) => (key === RPC_METADATA ? metadata : undefined) });
  Reflect.set(globalThis, API, { context: { active } });
}

const found = (path: string, id?: string): ServiceLookup => ({ service: {}, path, params: id === undefined ? {} : { __id: id } });

function named(lookup: ServiceLookup, baseUrl = ''): unknown {
  const { req } = exchange();
  Object.assign(req, { baseUrl });
  nameRoute(req, lookup);
  return (req as { route?: { path?: unknown } }).route?.path;
}

it.each([
  [found('users'), '', '/users'],
  [found('users', '1'), '', '/users/:id'],
  [found('/'), '', '/'],
  [found('/', '1'), '', '/:id'],
  [found('users/:userId/notes', '1'), '/v1', '/v1/users/:userId/notes/:id'],
])('a span has the route of its request, and keeps it where layers without a path take it away: %j', (lookup, baseUrl, route) => {
  const metadata: { route?: string | undefined } = { route: '/old' };
  present(metadata);
  expect(`${baseUrl}${String(named(lookup, baseUrl))}`).toBe(route);
  expect(metadata.route).toBe(route);
  metadata.route = undefined;
  expect(metadata.route).toBe(route);
  metadata.route = '/another';
  expect(metadata).toEqual({ route: '/another' });
  present(metadata);
  named(found('again'));
  expect(metadata.route).toBe('/again');
});

it.each([undefined, null, 'text'])('a request has its route where no span is told: %j', (metadata) => {
  present(metadata);
  expect(named(found('users'))).toBe('/users');
});

it.each([undefined, {}])('a request has its route where OpenTelemetry is not set up: %j', (api) => {
  if (api) Reflect.set(globalThis, API, api);
  expect(named(found('users', '1'))).toBe('/users/:id');
});

it('a service at several paths has the route of each', () => {
  const service = {};
  const at = (path: string): unknown => named({ service, path, params: {} });
  expect([at('one'), at('two'), at('one')]).toEqual(['/one', '/two', '/one']);
});

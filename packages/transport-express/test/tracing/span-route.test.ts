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
  const { route } = req as { route?: { path?: unknown } };
  expect(route).toStrictEqual({ path: route?.path, stack: [], methods: {} });
  return route?.path;
}

it.each<[path: string, id: string | undefined, baseUrl: string, route: string]>([
  ['users', undefined, '', '/users'],
  ['users', '1', '', '/users/:id'],
  ['/', undefined, '', '/'],
  ['/', '1', '', '/:id'],
  ['users/:userId/notes', '1', '/v1', '/v1/users/:userId/notes/:id'],
])('a span has the route of its request, and keeps it where layers without a path take it away: %j', (path, id, baseUrl, route) => {
  const lookup = found(path, id);
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

import type { ServiceLookup } from '@framework/core';
import type { Request } from '../middleware-types.ts';

/** What Express has of a route of its own on `req.route`, as far as others read it. */
interface ServiceRoute {
  /** The service's path with its placeholders, and `:id` where a record is named. */
  readonly path: string;
  readonly stack: readonly never[];
  readonly methods: Readonly<Record<string, boolean>>;
}

/** The routes of a service at one path. */
interface ServiceRoutes {
  readonly path: string;
  readonly all: ServiceRoute;
  readonly record: ServiceRoute;
}

const KNOWN = new WeakMap<object, ServiceRoutes>();

/**
 * Names the route of a request that reached a service, as Express does for routes of its own: `req.route.path` is for example
 * `/users/:userId/messages/:id`. Tools that measure and trace read it; OpenTelemetry's HTTP instrumentation is told.
 *
 * @param found the service
 */
export function nameRoute(req: Request, found: ServiceLookup): void {
  let routes = KNOWN.get(found.service);
  // A service can be mounted at several paths.
  if (routes?.path !== found.path) {
    routes = routesOf(found.path);
    KNOWN.set(found.service, routes);
  }
  const route = found.params.__id === undefined ? routes.all : routes.record;
  (req as { route: unknown }).route = route;
  const telemetry = (globalThis as { readonly [OPEN_TELEMETRY]?: OpenTelemetry })[OPEN_TELEMETRY];
  if (telemetry?.context) nameSpan(telemetry.context.active().getValue(RPC_METADATA), `${req.baseUrl}${route.path}`);
}

function routesOf(path: string): ServiceRoutes {
  const outer = path === '/' ? '' : `/${path}`;
  return { path, all: routeOf(outer || '/'), record: routeOf(`${outer}/:id`) };
}

function routeOf(path: string): ServiceRoute {
  return Object.freeze({ path, stack: Object.freeze([]), methods: Object.freeze({}) });
}

/** Where every copy of `@opentelemetry/api`, whatever its module system, finds what the process has set up. */
const OPEN_TELEMETRY: unique symbol = Symbol.for('opentelemetry.js.api.1') as never;
/** Where OpenTelemetry's HTTP instrumentation lets frameworks name the route. */
const RPC_METADATA = Symbol.for('OpenTelemetry SDK Context Key RPC_METADATA');

interface OpenTelemetry {
  readonly context?: { active(): { getValue(key: symbol): unknown } };
}

/** Its instrumentation of Express takes the name away again for each layer without a path, which ours are. */
function nameSpan(metadata: unknown, path: string): void {
  if (typeof metadata !== 'object' || metadata === null) return;
  let route = path;
  Object.defineProperty(metadata, 'route', {
    get: () => route,
    set: (later: string | undefined) => {
      if (later !== undefined) route = later;
    },
    enumerable: true,
    configurable: true,
  });
}

import { authenticate } from '@framework/authentication';
import { authenticating, guard, type HookContext, type HookedMethod, type NextFunction } from '@framework/core';
import { authenticate as authenticateRequest, type Application } from '@framework/transport-express';
import type { RequestHandler } from 'express';

/** What anyone may call from outside. All else needs a login, also every service that is added later. */
const OPEN: ReadonlySet<string> = new Set([
  ...['cities.find', 'cities.get', 'users.create', 'authentication.create', 'authentication.remove'],
  'openapi.json.find',
]);

const verifyCall = authenticate('jwt');
const verifyRequest = authenticateRequest('jwt');

const isOpen = ({ path, method }: HookedMethod): boolean => OPEN.has(`${path}.${method}`);

/** Hook around every call of the application: it runs before the schema of a service looks at the data. The description of the API is told whom it lets in. */
export const loginRequired = authenticating(
  guard(async function loginRequired(context: HookContext, next: NextFunction): Promise<void> {
    if (context.params.provider === undefined || isOpen(context)) await next();
    else await verifyCall(context, next);
  }),
  (called) => (isOpen(called) ? undefined : { strategies: ['jwt'] }),
);

const WRITES: ReadonlyMap<string, string> = new Map([
  ['POST', 'create'],
  ['PUT', 'update'],
  ['PATCH', 'patch'],
  ['DELETE', 'remove'],
]);

/**
 * Middleware in front of the body parsers: a write without a login is 401 whatever its body, also when that is malformed or too large, and
 * nothing of it is read.
 */
export function loginBeforeBody(app: Pick<Application, 'lookup'>): RequestHandler {
  return (req, res, next) => {
    const method = WRITES.get(req.method);
    const path = method === undefined ? undefined : servicePath(app, req.path);
    if (path === undefined || OPEN.has(`${path}.${String(method)}`)) next();
    else void verifyRequest(req, res, next);
  };
}

function servicePath(app: Pick<Application, 'lookup'>, path: string): string | undefined {
  try {
    return app.lookup(path)?.path;
  } catch {
    // Malformed percent-encoding leads to no service; the transport answers 400.
    return undefined;
  }
}

import { NotAuthenticated } from '@framework/errors';

/** Applications whose own fault was told. */
const told = new WeakSet<object>();

/**
 * Makes the error of a call that a guard refuses since there is no authentication service that could let anybody in. The caller can not mend that: the warning
 * `NO_AUTHENTICATION` tells whoever runs the application, once for each.
 *
 * @param app the application
 * @param path of the service that the guard names. Default: the default one
 * @returns the error, 401
 */
export function noAuthentication(app: { get(name: 'defaultAuthentication'): unknown }, path?: string): NotAuthenticated {
  if (!told.has(app)) {
    told.add(app);
    process.emitWarning(`A guard lets nobody in, as the application has no authentication service ${missing(app, path)}`, {
      code: 'NO_AUTHENTICATION',
    });
  }
  return new NotAuthenticated('Could not find a valid authentication service');
}

function missing(app: { get(name: 'defaultAuthentication'): unknown }, path: string | undefined): string {
  if (path !== undefined) return `at '${path}'`;
  const configKey = app.get('defaultAuthentication');
  if (typeof configKey !== 'string') return "yet: app.use('authentication', new AuthenticationService(app))";
  return `with the configKey '${configKey}', which the setting defaultAuthentication names: register it by app.use(…)`;
}

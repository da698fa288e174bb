import { AUTHENTICATION } from '../package-copy.ts';

/**
 * Refuses what can not be registered as a strategy.
 *
 * @param name name that it is to be registered under
 * @throws TypeError for what is no strategy; Error for one that is made of `LocalStrategy` or `OAuthStrategy` of FeathersJS, and for one of another copy of
 *   this package
 */
export function checkStrategy(name: string, strategy: unknown): void {
  if (typeof strategy !== 'object' || strategy === null) {
    const given =
      typeof strategy === 'function' ? `the class ${strategy.name} itself: register('${name}', new ${strategy.name}())` : typeof strategy;
    // Callers without types may give the class, or nothing.
    throw new TypeError(`register('${name}', …) takes a strategy, and got ${given}`);
  }
  AUTHENTICATION.refuseOthers(strategy, `the strategy '${name}'`);
  if (!('entityService' in strategy) || 'fromSettings' in strategy) return;
  const reason = INCUMBENT.find(({ method }) => method in strategy)?.reason;
  if (reason !== undefined) throw new Error(`The strategy '${name}' extends a class of FeathersJS, ${reason}`);
}

/** Strategies of the incumbent that would open here what its own service has open, or that need that service; by a method that they have. */
const INCUMBENT: readonly { readonly method: string; readonly reason: string }[] = [
  {
    method: 'comparePassword',
    reason:
      'which looks for any value that is sent as a username, operators too, and names no properties to keep from callers: ' +
      "extend LocalStrategy of @framework/authentication-local, or register it in an AuthenticationService of '@feathersjs/authentication'",
  },
  {
    method: 'getProfile',
    reason:
      'whose flow changes the settings of the authentication service, which are frozen here: ' +
      'extend OAuthStrategy of @framework/authentication-oauth, and take oauth() of it',
  },
];

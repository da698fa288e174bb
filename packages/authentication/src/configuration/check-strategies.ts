import type { AuthenticationBase } from '../authentication-base.ts';

/**
 * Checks that the strategies which the configuration names are there: a login with one that is not would fail as a wrong password does.
 *
 * @throws Error that names what to mend
 */
export function checkStrategies(service: AuthenticationBase): void {
  const { app, configuration, configKey } = service;
  // Several services may share a configuration, each with strategies of its own.
  const sharing = Object.values(app.services as Record<string, Partial<AuthenticationBase>>).filter((one) => one.configKey === configKey);
  const others = new Set(sharing.flatMap(({ strategyNames = [] }) => strategyNames));
  for (const setting of ['authStrategies', 'parseStrategies'] as const) {
    const missing = missingStrategies(service, configuration[setting] ?? []).find((name) => !others.has(name));
    if (missing === undefined) continue;
    throw new Error(
      `'${configKey}.${setting}' names the strategy '${missing}', which is not registered (${registered(service)}). ` +
        `Register it before the application is set up, authentication.register('${missing}', …), or take its name away`,
    );
  }
}

/** @returns those of the names that no strategy has; none for services of others, which keep strategies in their own way */
export function missingStrategies(service: AuthenticationBase, names: readonly string[]): string[] {
  if (typeof (service as Partial<AuthenticationBase>).getStrategy !== 'function') return [];
  return names.every((name) => service.getStrategy(name)) ? [] : names.filter((name) => !service.getStrategy(name));
}

/** What is registered, for messages to whoever wrote the application. */
export function registered({ strategyNames }: AuthenticationBase): string {
  return strategyNames.length === 0 ? 'none is' : `registered: ${strategyNames.map((name) => `'${name}'`).join(', ')}`;
}

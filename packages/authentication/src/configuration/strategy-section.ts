import { givenOptions } from '@framework/core';
import { isRecord } from '../values.ts';
import type { AuthenticationConfiguration } from './configuration-types.ts';

/**
 * What the configuration has under the name of a strategy.
 *
 * @returns the options that are given; none for a strategy without a name, and where something else stands there
 */
export function strategySection(configuration: AuthenticationConfiguration, name: string | undefined): Record<string, unknown> {
  const section = sectionOf(configuration, name);
  return isRecord(section) ? givenOptions(section) : {};
}

/**
 * Refuses what would be passed over: a strategy has an object of options under its name, or nothing.
 *
 * @throws Error that names what to mend
 */
export function checkStrategySection(configuration: AuthenticationConfiguration, name: string | undefined): void {
  const section = sectionOf(configuration, name);
  if (!isRecord(section) || Array.isArray(section)) throw new Error(`'authentication.${String(name)}' must be an object of options`);
}

function sectionOf(configuration: AuthenticationConfiguration, name: string | undefined): unknown {
  return (name === undefined ? undefined : configuration[name]) ?? {};
}

export { configuration } from './configuration.ts';
export { loadConfiguration } from './load-configuration.ts';
export { ConfigurationError } from './configuration-error.ts';
export type { ConfigurableApplication, Configure } from './configuration.ts';
export type { ConfigurationOptions, SettingsOf } from './configuration-options.ts';
export type { ConfigurationProblem } from './configuration-error.ts';
export type { StandardIssue, StandardResult, StandardSchema } from './standard-schema-check.ts';
export type { VariableMap } from './variables.ts';

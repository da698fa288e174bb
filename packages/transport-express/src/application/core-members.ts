import type { EventEmitter } from 'node:events';
import type { Application as CoreApplication, ApplicationAddons } from '@framework/core';

/** Everything that a core application has by itself. */
export type CoreMember = Exclude<Exclude<keyof CoreApplication, keyof EventEmitter>, keyof ApplicationAddons>;

/**
 * What the wrapped application takes from the core: the value itself, a method that runs on the core, or nothing, because it has its own.
 * A member that the core gains or loses does not compile where this is used until it stands here.
 */
export const CORE_MEMBERS = {
  services: 'value',
  mixins: 'value',
  routes: 'value',
  version: 'value',
  // Applications override it.
  defaultService: 'value',
  service: 'method',
  unuse: 'method',
  hooks: 'method',
  setup: 'method',
  lookup: 'method',
  defaultAuthentication: 'method',
  get: 'own',
  set: 'own',
  use: 'own',
  configure: 'own',
  teardown: 'own',
  settings: 'own',
  facade: 'own',
  // Types alone.
  '~services': 'own',
} as const;

/** Names of what the wrapped application takes from the core. */
export type ForwardedMember = {
  [M in keyof typeof CORE_MEMBERS]: (typeof CORE_MEMBERS)[M] extends 'own' ? never : M;
}[keyof typeof CORE_MEMBERS];

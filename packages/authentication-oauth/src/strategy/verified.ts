import type { ProviderAnswer } from '../provider/provider.ts';

/** A login at a provider that a flow of ours has led to. */
export interface ProviderLogin {
  /** Asks the provider, once. */
  readonly redeem: () => Promise<ProviderAnswer>;
  /** Id of the entity that the identity is linked to; `undefined` for a login. */
  readonly link: string | undefined;
}

/** Carries the login to the strategy. Whatever data a caller sends, it has no such property. */
export const PROVIDER_LOGIN: unique symbol = Symbol('framework.provider-login');

/** Carries the id of the entity of a link in the parameters of a strategy. */
export const LINK: unique symbol = Symbol('framework.link');

/** Carries the base of the flow in the parameters of a strategy. */
export const BASE: unique symbol = Symbol('framework.redirect-base');

/** Carries who has logged in from the strategy to the flow; it is never sent. */
export const LOGGED_IN: unique symbol = Symbol('framework.logged-in');

/** Who has logged in. */
export interface LoggedIn {
  /** Id of the entity, as text. */
  readonly user: string;
  readonly subject: string;
  /** Session at the provider. */
  readonly session: string | undefined;
  /** The entity as it is stored. */
  readonly entity: unknown;
}

/** @returns the login of data that our own service has made */
export function providerLogin(data: object): ProviderLogin | undefined {
  const login: unknown = Reflect.get(data, PROVIDER_LOGIN);
  return isProviderLogin(login) ? login : undefined;
}

function isProviderLogin(value: unknown): value is ProviderLogin {
  return typeof value === 'object' && value !== null && 'redeem' in value && typeof value.redeem === 'function';
}

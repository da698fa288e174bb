import { copyParams } from '@framework/core';
import type { OAuthProfile } from '../providers/preset.ts';
import type { OAuthSettings } from '../settings/oauth-settings.ts';
import type { ProviderSettings } from '../settings/provider-settings.ts';
import { isText } from '../values.ts';
import type { OAuthParams } from './oauth-strategy.ts';
import { OneAtATime } from './one-at-a-time.ts';
import { accountExists, hasCode, isConflict } from './refusals.ts';
import { isOpenTo } from './verified-address.ts';

type Entity = Record<string, unknown>;

/** What a first login needs of the strategy that it is for. */
export interface FirstLoginHost {
  /** Property of entities with the identities of the provider. */
  readonly identity: string;
  readonly linking: { readonly oauth: OAuthSettings; readonly provider: ProviderSettings } | undefined;
  /** Its methods may be overridden. */
  readonly strategy: {
    findEntity(profile: OAuthProfile, params: OAuthParams): Promise<Entity | null>;
    createEntity(profile: OAuthProfile, params: OAuthParams): Promise<Entity>;
    updateEntity(entity: Readonly<Entity>, profile: OAuthProfile, params: OAuthParams): Promise<Entity>;
  };
  /** @throws NotAuthenticated (401) for two */
  find(query: Record<string, unknown>, params: OAuthParams): Promise<Entity | null>;
  /** @throws NotAuthenticated (401) for an entity that is disabled */
  admitted(entity: Entity): Entity;
}

/**
 * First logins of identities: each makes an entity, or takes the one with its address. Of several at once with one address one does so: in this process the others wait, and
 * in other processes the database decides, by its unique indexes and by the condition with which an entity is taken.
 */
export class FirstLogins {
  readonly #byAddress = new OneAtATime();

  /**
   * @returns the entity, which has the identity now
   * @throws Conflict (409) when the entity with the address may not be taken
   */
  async logIn(host: FirstLoginHost, profile: OAuthProfile, params: OAuthParams): Promise<Entity> {
    const { email } = profile;
    const { strategy } = host;
    if (!isText(email, 1024)) return made(host, profile, params);
    return this.#byAddress.run(email, async (waited) => {
      const known = waited ? await strategy.findEntity(profile, params) : null;
      return known ? host.admitted(known) : ((await linked(host, profile, params)) ?? made(host, profile, params));
    });
  }
}

async function made(host: FirstLoginHost, profile: OAuthProfile, params: OAuthParams): Promise<Entity> {
  const { strategy } = host;
  try {
    return await strategy.createEntity(profile, params);
  } catch (error) {
    if (!isConflict(error)) throw error;
  }
  const known = await strategy.findEntity(profile, params);
  if (known) return host.admitted(known);
  // Another identity has made one with this address.
  const other = await linked(host, profile, params);
  if (!other) throw accountExists();
  return other;
}

/**
 * Gives the identity to the entity with its address.
 *
 * @returns `null` when there is none
 * @throws Conflict (409) when there is one that may not be taken
 */
async function linked(host: FirstLoginHost, profile: OAuthProfile, params: OAuthParams): Promise<Entity | null> {
  const account = await withAddress(host, profile, params);
  if (!account) return null;
  try {
    return await host.strategy.updateEntity(account, profile, copyParams(params, { query: { [host.identity]: null } }));
  } catch (error) {
    // Another identity has taken it.
    if (hasCode(error, 404)) throw accountExists();
    // A schema may know no `null` in queries. In this process nobody else is at it.
    if (hasCode(error, 400)) return host.strategy.updateEntity(account, profile, params);
    throw error;
  }
}

/** @throws Conflict (409) when there is an entity with the address that may not be taken */
async function withAddress(host: FirstLoginHost, profile: OAuthProfile, params: OAuthParams): Promise<Entity | null> {
  const { linking, identity } = host;
  const { email } = profile;
  if (!linking || linking.oauth.emailField === null || !isText(email, 1024)) return null;
  const { oauth, provider } = linking;
  const address = linking.oauth.emailField;
  const found = await host.find({ [address]: email }, params);
  if (!found) return null;
  const mayLink = provider.linkByEmail && provider.preset.emailVerified(profile);
  if (!mayLink || !isOpenTo(found, email, { address, verified: oauth.emailVerifiedField, identity })) throw accountExists();
  return host.admitted(found);
}

import { copyParams } from '@framework/core';
import type { OAuthProfile } from '../providers/preset.ts';
import type { OAuthSettings } from '../settings/oauth-settings.ts';
import type { ProviderSettings } from '../settings/provider-settings.ts';
import { isText } from '../values.ts';
import type { OAuthParams } from './oauth-strategy.ts';
import { OneAtATime } from './one-at-a-time.ts';
import { accountExists, alreadyLinked, hasCode, isConflict } from './refusals.ts';
import { isOpenTo } from './verified-address.ts';

type Entity = Record<string, unknown>;

/** What a first login needs of the strategy that it is for. */
export interface FirstLoginHost {
  /** Property of entities with the identities of the provider. */
  readonly identity: string;
  /** Who has logged in, as the provider names the person. */
  readonly subject: string;
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
 * First logins of identities: each makes an entity, or takes the one with its address, or becomes that of who links it. Of several at once of one identity, or with one
 * address, one does so: in this process the others wait, and in other processes the database decides, by its unique indexes and by the condition with which an entity is taken.
 */
export class FirstLogins {
  readonly #byIdentity = new OneAtATime();
  readonly #byAddress = new OneAtATime();

  /**
   * @returns the entity, which has the identity now
   * @throws Conflict (409) when the entity with the address may not be taken
   */
  async logIn(host: FirstLoginHost, profile: OAuthProfile, params: OAuthParams): Promise<Entity> {
    const { email } = profile;
    return this.#byIdentity.run(host.subject, () => {
      if (!isText(email, 1024)) return first(host, profile, params);
      return this.#byAddress.run(email, () => first(host, profile, params));
    });
  }

  /**
   * Gives an identity to the entity of who has logged in.
   *
   * @param current that entity
   * @param idName name of its id property
   * @returns the entity, which has the identity now
   * @throws Conflict (409) when the identity is that of another entity
   */
  async link(host: FirstLoginHost, current: Entity, idName: string, profile: OAuthProfile, params: OAuthParams): Promise<Entity> {
    return this.#byIdentity.run(host.subject, async () => {
      const known = await host.strategy.findEntity(profile, params);
      if (known && String(known[idName]) !== String(current[idName])) throw alreadyLinked();
      try {
        return await host.strategy.updateEntity(current, profile, params);
      } catch (error) {
        throw isConflict(error) ? alreadyLinked() : error;
      }
    });
  }
}

/** Another one may have made the entity since it was asked for. */
async function first(host: FirstLoginHost, profile: OAuthProfile, params: OAuthParams): Promise<Entity> {
  const known = await host.strategy.findEntity(profile, params);
  return known ? host.admitted(known) : ((await linked(host, profile, params)) ?? made(host, profile, params));
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
 * Gives the identity to the entity with its address. What was found of it has to hold when it is written: its address may have become another one
 * meanwhile, and another identity may have taken it.
 *
 * @returns `null` when there is none
 * @throws Conflict (409) when there is one that may not be taken
 */
async function linked(host: FirstLoginHost, profile: OAuthProfile, params: OAuthParams): Promise<Entity | null> {
  const account = await withAddress(host, profile, params);
  if (!account) return null;
  const { entity, conditions } = account;
  for (const [index, query] of conditions.entries()) {
    try {
      return await host.strategy.updateEntity(entity, profile, copyParams(params, { query }));
    } catch (error) {
      if (hasCode(error, 404)) throw accountExists();
      // A schema may not know all of it in queries.
      if (!hasCode(error, 400) || index === conditions.length - 1) throw error;
    }
  }
  return null;
}

interface Account {
  readonly entity: Entity;
  /** What has to hold when it is written, all of it first; the last is known to be allowed in queries. */
  readonly conditions: readonly Record<string, unknown>[];
}

/** @throws Conflict (409) when there is an entity with the address that may not be taken */
async function withAddress(host: FirstLoginHost, profile: OAuthProfile, params: OAuthParams): Promise<Account | null> {
  const { linking, identity } = host;
  const { email } = profile;
  if (!linking || linking.oauth.emailField === null || !isText(email, 1024)) return null;
  const { oauth, provider } = linking;
  const fields = { address: linking.oauth.emailField, verified: oauth.emailVerifiedField };
  const sameAddress = { [fields.address]: email };
  const found = await host.find(sameAddress, params);
  if (!found) return null;
  const mayLink = provider.linkByEmail && provider.preset.emailVerified(profile);
  if (!mayLink || !isOpenTo(found, email, { ...fields, identity })) throw accountExists();
  const stillVerified = { ...sameAddress, [fields.verified]: true };
  return { entity: host.admitted(found), conditions: [{ ...stillVerified, [identity]: null }, stillVerified, sameAddress] };
}

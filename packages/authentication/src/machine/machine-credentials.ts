import { checkOptionNames } from '@framework/core';
import { BadRequest } from '@framework/errors';
import type { AuthenticationApplication, AuthenticationStrategy } from '../authentication-types.ts';
import type { AuthenticationConfiguration } from '../configuration/configuration-types.ts';
import { disabledField, entityIdName, refuseDisabled } from '../entity/entity-state.ts';
import type { EntitySecrets } from '../entity/secret-marks.ts';
import { randomId } from '../sessions/refresh-token.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { ApiKeyStrategy } from '../strategies/api-key-strategy.ts';
import { seconds } from '../tokens/duration.ts';
import type { TokenOptions } from '../tokens/token-options.ts';
import { DEFAULT_PREFIX, newApiKey } from './api-key.ts';
import { checkScopes, SCOPES_CLAIM } from './scopes.ts';
import { isRecord, property } from '../values.ts';
import { entityServiceAt, readEntity } from '../entity/entity-service.ts';

/** Longest name, in characters. */
const NAME_LENGTH = 200;

/** Whom a machine token or an API key is for, and what it may do. */
export interface MachineOptions {
  /** The entity, or its id. Needed unless the configuration has no entity. */
  entity?: unknown;
  /** `service:method`, `service:*` or `*`. Default: everything that the entity may do. */
  scopes?: readonly string[];
  /** Life: seconds, or a text such as `90d`. Default: that of access tokens for tokens, no end for keys. */
  expiresIn?: string | number;
  /** What the owner knows it by. Default: `token` or `key`. */
  name?: string;
}

const OPTIONS: ReadonlySet<string> = new Set<keyof MachineOptions>(['entity', 'scopes', 'expiresIn', 'name']);

/** A machine token. */
export interface MachineToken {
  /** Id by which it is listed and ended; `undefined` where sessions are off. */
  readonly id: string | undefined;
  readonly accessToken: string;
}

/** An API key as its owner gets it, once. */
export interface IssuedApiKey {
  /** Id by which it is listed and ended. */
  readonly id: string;
  /** The key itself: only its digest is stored. */
  readonly key: string;
  readonly name: string;
  readonly scopes: readonly string[] | null;
}

/** The parts of an authentication service that credentials of machines need. */
export interface MachineHost {
  readonly app: AuthenticationApplication;
  readonly configuration: AuthenticationConfiguration;
  readonly sessions: Sessions | undefined;
  /** Secret properties of the entity. */
  readonly protectedFields: readonly string[];
  readonly strategyNames: readonly string[];
  getStrategy(name: string): AuthenticationStrategy | undefined;
  createAccessToken(payload: Record<string, unknown>, options?: TokenOptions): Promise<string>;
}

/**
 * Makes an access token for a machine. With sessions it is listed and can be ended as they are.
 *
 * @throws NotAuthenticated (401) for a disabled entity, NotFound (404), BadRequest (400)
 */
export async function createMachineToken(host: MachineHost, options: MachineOptions): Promise<MachineToken> {
  const { expiresIn, ...session } = await readOptions(host, options, 'token');
  const { user, scopes } = session;
  const life = expiresIn ?? host.configuration.jwtOptions?.expiresIn;
  const id = host.sessions ? randomId() : undefined;
  const expiresAt = life === undefined ? null : Date.now() + seconds(life) * 1000;
  const claims = { ...(id === undefined ? {} : { sid: id }), ...(scopes === null ? {} : { [SCOPES_CLAIM]: scopes }) };
  const accessToken = await host.createAccessToken(claims, {
    ...(user === '' ? {} : { subject: user }),
    ...(expiresIn === undefined ? {} : { expiresIn }),
  });
  if (id !== undefined) await host.sessions?.beginMachine({ ...session, kind: 'token', id, expiresAt, digest: null });
  return { id, accessToken };
}

/**
 * Makes an API key.
 *
 * @throws BadRequest (400) where sessions are off: keys are stored with them; NotAuthenticated (401), NotFound (404)
 */
export async function createApiKey(host: MachineHost, options: MachineOptions): Promise<IssuedApiKey> {
  if (!host.sessions) throw new BadRequest("API keys are stored with sessions. Set 'authentication.sessions' to true");
  const { expiresIn, ...session } = await readOptions(host, options, 'key');
  const { scopes, name } = session;
  const { id, key, digest } = newApiKey(prefixOf(host));
  const expiresAt = expiresIn === undefined ? null : Date.now() + seconds(expiresIn) * 1000;
  await host.sessions.beginMachine({ ...session, kind: 'key', id, expiresAt, digest });
  return { id, key, name, scopes };
}

/** The one by which the strategy knows keys, whatever name it is registered under. */
function prefixOf(host: MachineHost): string {
  const strategy = host.strategyNames.map((name) => host.getStrategy(name)).find((one) => one instanceof ApiKeyStrategy);
  const prefix = strategy?.configuration.prefix ?? property(host.configuration['api-key'], 'prefix');
  return typeof prefix === 'string' ? prefix : DEFAULT_PREFIX;
}

/** What a token or key is made of, apart from its kind. */
interface CheckedOptions extends Owner {
  readonly scopes: readonly string[] | null;
  readonly name: string;
  readonly expiresIn: string | number | undefined;
}

/** The entity that a token or key acts for. */
interface Owner {
  readonly user: string;
  readonly epoch: number;
  readonly secrets: EntitySecrets | undefined;
}

async function readOptions(host: MachineHost, options: MachineOptions, kind: 'token' | 'key'): Promise<CheckedOptions> {
  // A misspelt 'scopes' would be everything that the entity may do.
  checkOptionNames(kind === 'key' ? 'createApiKey()' : 'createToken()', options, OPTIONS);
  const { name = kind, expiresIn } = options;
  if (typeof name !== 'string' || name === '' || name.length > NAME_LENGTH)
    throw new BadRequest('name must be a text of 1 to 200 characters');
  if (expiresIn !== undefined && !isLife(expiresIn)) throw new BadRequest("expiresIn must be a second or more, for example 3600 or '90d'");
  const scopes = checkScopes(options.scopes);
  return { ...(await ownerOf(host, options.entity)), scopes, name, expiresIn };
}

function isLife(length: string | number): boolean {
  try {
    return seconds(length) > 0;
  } catch {
    return false;
  }
}

/** The epoch is read first: whatever ends all sessions of the entity from here on ends this one too. */
async function ownerOf({ app, configuration, protectedFields, sessions }: MachineHost, entity: unknown): Promise<Owner> {
  const { service } = configuration;
  if (configuration.entity === null || service === undefined) return { user: '', epoch: 0, secrets: undefined };
  const entities = entityServiceAt(app, service);
  const idName = entityIdName(configuration, entities);
  const id = isRecord(entity) && Object.hasOwn(entity, idName) ? entity[idName] : entity;
  if (id === undefined || id === null || id === '') throw new BadRequest('A machine token or API key needs the entity that it acts for');
  const epoch = (await sessions?.epochOf(String(id))) ?? 0;
  const found = await readEntity(entities, id);
  refuseDisabled(found, disabledField(configuration));
  return { user: String(property(found, idName)), epoch, secrets: { entity: found, fields: protectedFields } };
}

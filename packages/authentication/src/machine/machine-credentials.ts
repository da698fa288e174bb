import { BadRequest } from '@framework/errors';
import type { AuthenticationApplication, EntityService } from '../authentication-types.ts';
import type { AuthenticationConfiguration } from '../configuration/configuration-types.ts';
import { disabledField, entityIdName, refuseDisabled } from '../entity/entity-state.ts';
import { randomId } from '../sessions/refresh-token.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { seconds } from '../tokens/duration.ts';
import type { TokenOptions } from '../tokens/token-options.ts';
import { DEFAULT_PREFIX, newApiKey } from './api-key.ts';
import { checkScopes, SCOPES_CLAIM } from './scopes.ts';

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
  createAccessToken(payload: Record<string, unknown>, options?: TokenOptions): Promise<string>;
}

/**
 * Makes an access token for a machine. With sessions it is listed and can be ended as they are.
 *
 * @throws NotAuthenticated (401) for a disabled entity, NotFound (404), BadRequest (400)
 */
export async function createMachineToken(host: MachineHost, options: MachineOptions): Promise<MachineToken> {
  const { user, scopes, name, expiresIn } = await readOptions(host, options, 'token');
  const life = expiresIn ?? host.configuration.jwtOptions?.expiresIn;
  const id = host.sessions ? randomId() : undefined;
  const expiresAt = life === undefined ? null : Date.now() + seconds(life) * 1000;
  if (id !== undefined) await host.sessions?.beginMachine(user, { kind: 'token', id, name, scopes, expiresAt, digest: null });
  const claims = { ...(id === undefined ? {} : { sid: id }), ...(scopes === null ? {} : { [SCOPES_CLAIM]: scopes }) };
  const accessToken = await host.createAccessToken(claims, {
    ...(user === '' ? {} : { subject: user }),
    ...(expiresIn === undefined ? {} : { expiresIn }),
  });
  return { id, accessToken };
}

/**
 * Makes an API key.
 *
 * @throws BadRequest (400) where sessions are off: keys are stored with them; NotAuthenticated (401), NotFound (404)
 */
export async function createApiKey(host: MachineHost, options: MachineOptions): Promise<IssuedApiKey> {
  if (!host.sessions) throw new BadRequest("API keys are stored with sessions. Set 'authentication.sessions' to true");
  const { user, scopes, name, expiresIn } = await readOptions(host, options, 'key');
  const { prefix = DEFAULT_PREFIX } = (host.configuration['api-key'] ?? {}) as { readonly prefix?: string };
  const { id, key, digest } = newApiKey(prefix);
  const expiresAt = expiresIn === undefined ? null : Date.now() + seconds(expiresIn) * 1000;
  await host.sessions.beginMachine(user, { kind: 'key', id, name, scopes, expiresAt, digest });
  return { id, key, name, scopes };
}

interface CheckedOptions {
  readonly user: string;
  readonly scopes: readonly string[] | null;
  readonly name: string;
  readonly expiresIn: string | number | undefined;
}

async function readOptions(host: MachineHost, options: MachineOptions, kind: 'token' | 'key'): Promise<CheckedOptions> {
  const { name = kind, expiresIn } = options;
  if (typeof name !== 'string' || name === '' || name.length > NAME_LENGTH)
    throw new BadRequest('name must be a text of 1 to 200 characters');
  if (expiresIn !== undefined && !(seconds(expiresIn) > 0)) throw new BadRequest('expiresIn must be a second or more');
  return { user: await userOf(host, options.entity), scopes: checkScopes(options.scopes), name, expiresIn };
}

async function userOf({ app, configuration }: MachineHost, entity: unknown): Promise<string> {
  const { service } = configuration;
  if (configuration.entity === null || service === undefined) return '';
  const entities = app.service(service) as EntityService;
  const isRecord = typeof entity === 'object' && entity !== null;
  const idName = entityIdName(configuration, entities);
  const id = isRecord && Object.hasOwn(entity, idName) ? (entity as Record<string, unknown>)[idName] : entity;
  if (id === undefined || id === null || id === '') throw new BadRequest('A machine token or API key needs the entity that it acts for');
  const found = (await entities.get(id)) as Record<string, unknown>;
  refuseDisabled(found, disabledField(configuration));
  return String(found[idName]);
}

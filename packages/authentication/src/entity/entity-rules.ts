import {
  concealed,
  getRules,
  NOBODY,
  originOf,
  partsOf,
  PathRules,
  rememberOrigin,
  stripSlashes,
  type RecordRules,
  type Viewer,
} from '@framework/core';
import { NotAuthenticated } from '@framework/errors';
import type { AuthenticationApplication, AuthenticationResult, AuthenticationStrategy } from '../authentication-types.ts';
import type { AuthenticationConfiguration } from '../configuration/configuration-types.ts';
import { property } from '../values.ts';
import { disabledField, refuseDisabled } from './entity-state.ts';

/** What is needed to know what others see of entities. */
export interface EntityHost {
  readonly app: AuthenticationApplication;
  readonly configuration: AuthenticationConfiguration;
  /** Properties of entities that never leave the server, as the strategies name them. */
  readonly protectedFields: readonly string[];
}

/** Where the entities of a strategy are. */
export interface EntityPlace {
  /** Name of the entity in results and parameters. */
  readonly name: string;
  /** Path of their service. */
  readonly path: string | undefined;
}

/**
 * Where the entities of a strategy are: its own options win over those of the service.
 *
 * @returns `undefined` for tokens without an entity
 */
export function entityPlace(
  { configuration }: Pick<EntityHost, 'configuration'>,
  strategy?: AuthenticationStrategy,
): EntityPlace | undefined {
  const own = property(strategy, 'configuration');
  const name = property(own, 'entity') ?? configuration.entity;
  const path = property(own, 'service') ?? configuration.service;
  return typeof name === 'string' ? { name, path: typeof path === 'string' ? path : undefined } : undefined;
}

/** @returns the path at which a strategy has entities of its own; `undefined` where they are those of the authentication service */
export function ownEntities(host: Pick<EntityHost, 'configuration'>, strategy?: AuthenticationStrategy): string | undefined {
  const path = entityPlace(host, strategy)?.path;
  const { service = '' } = host.configuration;
  return path === undefined || stripSlashes(path) === stripSlashes(service) ? undefined : path;
}

/** What a viewer sees of an entity. What strategies keep secret holds also for those that were registered after the application was set up. */
export function shownEntity(host: EntityHost, path: string | undefined, entity: unknown, viewer: Viewer): unknown {
  const rules = path === undefined ? undefined : getRules(host.app.service(path));
  const shown = rules ? rules.redact(entity, viewer) : entity;
  const fields = host.protectedFields;
  return rules && hidesAll(rules, fields) ? shown : rulesOf(fields).redact(shown, viewer);
}

const hiding = new WeakMap<RecordRules, readonly string[]>();

/** Whether rules keep fields from everybody; they only become more, so that it is asked once. */
function hidesAll(rules: RecordRules, fields: readonly string[]): boolean {
  if (hiding.get(rules) === fields) return true;
  if (rules.hasRoleRules || !fields.every((field) => rules.property(partsOf(field), NOBODY)?.readable === false)) return false;
  hiding.set(rules, fields);
  return true;
}

/**
 * What a strategy found, as it goes on: somebody, and nobody who is disabled, whatever the strategy has looked at, and the entity as it may lie in parameters, where the
 * JSON of a log or an error finds it: what others do not see can be read and is left out by whatever goes through properties.
 *
 * @throws NotAuthenticated (401) for an entity that is not there, and for one that is disabled
 */
export function admittedResult(host: EntityHost, strategy: AuthenticationStrategy, result: AuthenticationResult): AuthenticationResult {
  const place = entityPlace(host, strategy);
  const entity = place && result[place.name];
  if (place === undefined || (entity === undefined && !Object.hasOwn(result, place.name))) return result;
  // Of a user who is gone, a strategy that looks by itself may have found nothing.
  if (entity === undefined || entity === null || entity === false) throw new NotAuthenticated('Invalid authentication information');
  if (typeof entity !== 'object') return result;
  refuseDisabled(entity, disabledField(host.configuration));
  const hidden = concealedEntity(host, place.path, entity);
  return hidden === entity ? result : Object.assign({}, result, { [place.name]: hidden });
}

/** An entity as it may lie in parameters. */
export function concealedEntity(host: EntityHost, path: string | undefined, entity: unknown): unknown {
  const stored = withoutDispatch(entity);
  const shown = shownEntity(host, path, stored, NOBODY);
  return shown === stored ? entity : concealed(entity, shown);
}

/** What resolvers make of an entity is for others: code on the server goes on with what is stored. */
function withoutDispatch(entity: unknown): unknown {
  if (!isPlain(entity)) return entity;
  const { dispatch, rules } = originOf(entity) ?? {};
  if (dispatch === undefined) return entity;
  const stored = { ...entity };
  // Of a record that another service has handed on, which keeps them.
  if (rules !== undefined) rememberOrigin(stored, { rules });
  return stored;
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

const known = new WeakMap<readonly string[], RecordRules>();

function rulesOf(fields: readonly string[]): RecordRules {
  const rules = known.get(fields) ?? new PathRules().add({ writeOnly: fields });
  known.set(fields, rules);
  return rules;
}

import { copyParams, paramsFor, type HookContext, type NextFunction, type Params } from '@framework/core';
import type { EntityService } from '../authentication-types.ts';
import { innerParams } from '../inner-params.ts';
import { isDisabled, secretsOf } from './entity-state.ts';
import { mayChange } from './may-change-secrets.ts';
import { isMissing } from './entity-service.ts';
import { isRecord, property } from '../values.ts';

/** What ends the sessions of an entity. */
export interface SecretRules {
  /** Name of the id property. */
  readonly idName: string;
  /** Properties whose change ends sessions: those that strategies protect, such as the password. */
  readonly secrets: readonly string[];
  /** Property that is true for a disabled entity; `null` for none. */
  readonly disabledField: string | null;
  /** Ends all sessions of entities that are disabled, and waits until every process knows it. Unavailable (503) when that can not be written */
  endBeforeEnabling(ids: readonly string[]): Promise<void>;
  /** Ends those sessions of an entity that began with other secrets; what fails is only told later. */
  endOutdated(id: string, entity: unknown): Promise<void>;
  /** Ends them for an entity that has changed: its sessions count no more already, and what fails is only told later. */
  endChanged(id: string): Promise<void>;
}

/**
 * A call on the server may say with this symbol in its parameters that it stores the same secret in another form: by a function that tells whether a value
 * is that form. Other calls that get its parameters store secrets of their own, and a form that lay in them would be printed with them.
 */
export const SAME_SECRET: unique symbol = Symbol('framework.same-secret');

/** @returns whether a value is the other form of a secret that the parameters of a call tell of by {@link SAME_SECRET} */
export function isSameSecret(value: unknown, params: unknown): value is string {
  const isSame = property(params, SAME_SECRET);
  return typeof value === 'string' && typeof isSame === 'function' && Reflect.apply(isSame, undefined, [value]) === true;
}

/** Hooks for the service of the entities. */
export interface SecretHooks {
  /** The last before hook: it sees what the service is about to write. */
  readonly before: (context: HookContext) => Promise<void>;
  readonly around: (context: HookContext, next: NextFunction) => Promise<void>;
}

type Entities = ReadonlyMap<
  string,
  { readonly record: unknown; readonly id: unknown; readonly secrets: string; readonly disabled: boolean }
>;

interface Watched {
  readonly rules: SecretRules;
  readonly before: Entities;
}

/**
 * Watches writes of entities. A session has ended by itself once its user's secrets are others, or the user is disabled or gone
 * (decisions 0026); the hooks tell connections and other processes of it, and see to it that whoever is enabled again finds no
 * session of before. They compare what is stored before and after, so that it does not matter what brought a change about, and
 * read nothing for a `patch` that names none of the properties.
 *
 * @param rules gives the rules at present; `undefined` when sessions are off
 */
export function watchSecrets(rules: () => SecretRules | undefined): SecretHooks {
  const watched = new WeakMap<HookContext, Watched>();
  return {
    before: async (context) => {
      const present = rules();
      if (!present || !isOfInterest(context, present)) return;
      const before = await read(context, present, undefined);
      // While they are disabled nobody uses their sessions: this is the moment at which nothing can come in between.
      const disabled = [...before].filter(([, entity]) => entity.disabled).map(([id]) => id);
      if (disabled.length > 0 && mayEnable(context, present)) await present.endBeforeEnabling(disabled);
      watched.set(context, { rules: present, before });
    },
    around: async (context, next) => {
      try {
        await next();
      } finally {
        const found = watched.get(context);
        if (found && found.before.size > 0) await endChanged(context, found);
      }
      if (!watched.has(context)) await endUnforeseen(context, rules());
    },
  };
}

function isOfInterest({ method, data, params }: HookContext, { secrets, disabledField }: SecretRules): boolean {
  if (holdsSameSecret(data, params)) return false;
  if (method === 'update' || method === 'remove') return true;
  return method === 'patch' && mayChange(data, disabledField === null ? secrets : [...secrets, disabledField]);
}

function holdsSameSecret(data: unknown, params: unknown): boolean {
  if (property(params, SAME_SECRET) === undefined) return false;
  return isRecord(data) ? Object.values(data).some((value) => holdsSameSecret(value, params)) : isSameSecret(data, params);
}

function mayEnable({ method, data }: HookContext, { disabledField }: SecretRules): boolean {
  return method === 'update' || (method === 'patch' && disabledField !== null && mayChange(data, [disabledField]));
}

/** Also when a later hook has failed: nobody knows whether it was written then. */
async function endChanged(context: HookContext, { rules, before }: Watched): Promise<void> {
  // What can not be read now is looked at by the next use of each session.
  const after = await read(context, rules, before).catch(() => before);
  for (const [id, { secrets, disabled }] of before) {
    const now = after.get(id);
    if (now === undefined || now.secrets !== secrets || (now.disabled && !disabled)) await rules.endChanged(id);
  }
}

/** What was written is not what the before hook saw: resolvers behind it may make a secret of any property. */
async function endUnforeseen(context: HookContext, rules: SecretRules | undefined): Promise<void> {
  if (!rules || !isOfInterest(context, rules)) return;
  const { id, result } = context;
  // Where only a count comes back, the next use of each session looks.
  const written = listed(Array.isArray(result) ? result : [], rules);
  const isOne = id !== null && id !== undefined;
  const after = !isOne && written.size === 0 ? written : await read(context, rules, isOne ? undefined : written).catch(() => written);
  for (const [id, { record, disabled }] of after) await (disabled ? rules.endChanged(id) : rules.endOutdated(id, record));
}

/** Reads the entities that a call is about to change, or those that were read before it. */
async function read({ service, id, params }: HookContext, rules: SecretRules, known: Entities | undefined): Promise<Entities> {
  const entities = service as unknown as EntityService;
  const reading = readingParams(entities, params);
  if (id !== null && id !== undefined) return listed([await orMissing(entities.get(id, innerParams(reading, { query: {} })))], rules);
  const { $limit: _limit, $skip: _skip, $sort: _sort, $select: _select, ...query } = params.query ?? {};
  const wanted = known ? { [rules.idName]: { $in: [...known.values()].map((entity) => entity.id) } } : query;
  return listed(await entities.find(innerParams(reading, { query: wanted, paginate: false })), rules);
}

/** What a call asks for of its answer, such as a projection, would leave out what is looked for; what it finds its records by is the same. */
function readingParams(entities: EntityService, params: Params): Params {
  const { adapter, docdb, collation = property(docdb, 'collation') } = params as Readonly<Record<string, unknown>>;
  return copyParams(paramsFor(entities, params), {
    ...(adapter === undefined ? {} : { adapter }),
    ...(collation === undefined ? {} : { collation }),
  });
}

function listed(found: unknown, { idName, secrets, disabledField }: SecretRules): Entities {
  const data = Array.isArray(found) ? found : property(found, 'data');
  const list: unknown[] = Array.isArray(data) ? data : [];
  return new Map(
    list.filter(isRecord).map((record) => {
      const id = record[idName];
      return [String(id), { record, id, secrets: secretsOf(record, secrets), disabled: isDisabled(record, disabledField) }];
    }),
  );
}

async function orMissing(call: Promise<unknown>): Promise<unknown> {
  try {
    return await call;
  } catch (error) {
    // The call itself answers for an id that is not there, not there any more, or not right.
    if (isMissing(error)) return undefined;
    throw error;
  }
}

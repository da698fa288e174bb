import type { HookContext, NextFunction } from '@framework/core';
import type { EntityService } from '../authentication-types.ts';
import { innerParams } from '../inner-params.ts';
import { isDisabled, secretsOf } from './entity-state.ts';

/** What ends the sessions of an entity. */
export interface SecretRules {
  /** Name of the id property. */
  readonly idName: string;
  /** Properties whose change ends sessions: those that strategies protect, such as the password. */
  readonly secrets: readonly string[];
  /** Property that is true for a disabled entity; `null` for none. */
  readonly disabledField: string | null;
  /** Ends all sessions of an entity. */
  endAll(id: string): Promise<void>;
}

/** A call on the server may say with this symbol in its parameters that it stores the same secret in another form. */
export const SAME_SECRET: unique symbol = Symbol('framework.same-secret');

type Entities = ReadonlyMap<string, { readonly id: unknown; readonly secrets: string; readonly disabled: boolean }>;

/**
 * Around hook for the service of the entities: it compares what is stored before and after each write, so that it does not
 * matter what brought the change about. A changed secret, a disabled and a removed entity end all sessions before the call is
 * answered, and also when a later hook fails.
 *
 * @param rules gives the rules at present; `undefined` when sessions are off
 */
export function watchSecrets(rules: () => SecretRules | undefined): (context: HookContext, next: NextFunction) => Promise<void> {
  return async (context, next) => {
    const present = rules();
    if (!present || !isWrite(context) || (context.params as { [SAME_SECRET]?: unknown })[SAME_SECRET] === true) return next();
    const before = await read(context, present, undefined);
    try {
      await next();
    } finally {
      const after = before.size === 0 ? before : await read(context, present, before);
      for (const [id, entity] of before) if (hasEnded(entity, after.get(id))) await present.endAll(id);
    }
  };
}

function isWrite({ method }: HookContext): boolean {
  return method === 'update' || method === 'patch' || method === 'remove';
}

/** A disabled entity ends its sessions with each write: the one that disabled it may have failed to say so. */
function hasEnded(before: { secrets: string }, after: { secrets: string; disabled: boolean } | undefined): boolean {
  return after === undefined || after.secrets !== before.secrets || after.disabled;
}

/** Reads the entities that a call is about to change, or those that were read before it. */
async function read({ service, id, params }: HookContext, rules: SecretRules, known: Entities | undefined): Promise<Entities> {
  const entities = service as unknown as EntityService;
  if (id !== null && id !== undefined) return listed([await orMissing(entities.get(id, innerParams(params, { query: {} })))], rules);
  const { $limit: _limit, $skip: _skip, $sort: _sort, $select: _select, ...query } = params.query ?? {};
  const wanted = known ? { [rules.idName]: { $in: [...known.values()].map((entity) => entity.id) } } : query;
  return listed(await entities.find(innerParams(params, { query: wanted, paginate: false })), rules);
}

function listed(found: unknown, { idName, secrets, disabledField }: SecretRules): Entities {
  const list: unknown[] = Array.isArray(found) ? found : ((found as { readonly data?: unknown[] } | undefined)?.data ?? []);
  return new Map(
    list.filter(isRecord).map((record) => {
      const id = record[idName];
      return [String(id), { id, secrets: secretsOf(record, secrets), disabled: isDisabled(record, disabledField) }];
    }),
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

async function orMissing(call: Promise<unknown>): Promise<unknown> {
  try {
    return await call;
  } catch (error) {
    const { code } = (error ?? {}) as { readonly code?: unknown };
    // The call itself answers for an id that is not there or not right.
    if (code === 404 || code === 400) return undefined;
    throw error;
  }
}

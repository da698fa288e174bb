import type { HookContext, NextFunction } from '@framework/core';
import type { Sessions } from './sessions.ts';

/** Which changes of an entity end its sessions. */
export interface EntityRules {
  /** Name of the id property. */
  readonly idName: () => string;
  /** Properties whose change ends sessions: those that strategies protect, such as the password. */
  readonly secrets: () => readonly string[];
  /** Property that is true for a disabled entity. */
  readonly disabledField: () => string | null;
}

/** A call may say that it stores the same secret in another form. */
const SAME_SECRET: unique symbol = Symbol.for('@framework/authentication-local/hashed') as never;

/**
 * Around hook for the service of the entities: a changed password, a disabled and a removed entity end all of its sessions
 * before the call is answered.
 *
 * @param sessions gives the sessions; `undefined` when they are off
 */
export function endSessionsOfEntity(
  sessions: () => Sessions | undefined,
  rules: EntityRules,
): (context: HookContext, next: NextFunction) => Promise<void> {
  return async (context, next) => {
    const live = sessions();
    const disabled = rules.disabledField();
    const secretChanges = changesSecret(context, rules.secrets());
    const allEnd = context.method === 'remove' || secretChanges || (disabled !== null && setsField(context, disabled));
    // Several at once may give back no ids, for example a count alone.
    const before = live && allEnd && context.id === null ? await idsBefore(context, rules.idName()) : [];
    await next();
    if (!live) return;
    const ended = new Set(before);
    for (const record of recordsOf(context)) {
      if (!allEnd && !(disabled !== null && Boolean(record[disabled]))) continue;
      const id = record[rules.idName()] ?? context.id;
      if (id !== undefined && id !== null) ended.add(String(id));
    }
    for (const id of ended) await live.endAll(id);
  };
}

/** Ids of the records that a call for several is about to change. */
async function idsBefore({ service, params }: HookContext, idName: string): Promise<string[]> {
  const { provider: _provider, ...internal } = params;
  const { $limit: _limit, $skip: _skip, ...query } = params.query ?? {};
  const find = service as { find(params: object): Promise<unknown> };
  const found = await find.find({ ...internal, query: { ...query, $select: [idName] }, paginate: false });
  return Array.isArray(found) ? (found as Record<string, unknown>[]).map((record) => String(record[idName])) : [];
}

/** Whether a change names a property and makes it true. */
function setsField({ method, data }: HookContext, field: string): boolean {
  if (method !== 'update' && method !== 'patch') return false;
  const { $set, ...plain } = (data ?? {}) as Record<string, unknown> & { $set?: Record<string, unknown> };
  return Boolean(plain[field] ?? $set?.[field]);
}

function recordsOf({ result }: HookContext): Record<string, unknown>[] {
  const list: unknown[] = Array.isArray(result) ? result : [result];
  return list.filter((record): record is Record<string, unknown> => typeof record === 'object' && record !== null);
}

function changesSecret({ method, data, params }: HookContext, secrets: readonly string[]): boolean {
  if (method === 'remove' || typeof data !== 'object' || data === null) return false;
  if ((params as Record<symbol, unknown>)[SAME_SECRET] === true) return false;
  const operators = Object.entries(data).filter(([name]) => name.startsWith('$'));
  return [data, ...operators.map(([, operand]) => operand as object)].some((part) => secrets.some((path) => hasPath(part, path)));
}

function hasPath(value: unknown, path: string): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Object.hasOwn(value, path)) return true;
  const [first, ...rest] = path.split('.') as [string, ...string[]];
  return rest.length > 0 && hasPath((value as Record<string, unknown>)[first], rest.join('.'));
}

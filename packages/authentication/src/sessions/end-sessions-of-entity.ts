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
    const secretChanges = changesSecret(context, rules.secrets());
    await next();
    const live = sessions();
    if (!live) return;
    const disabled = rules.disabledField();
    for (const record of recordsOf(context)) {
      if (context.method !== 'remove' && !secretChanges && !(disabled !== null && Boolean(record[disabled]))) continue;
      const id = record[rules.idName()] ?? context.id;
      if (id !== undefined && id !== null) await live.endAll(String(id));
    }
  };
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

import type { HookContext, NextFunction } from '@framework/core';
import { isRecord } from '../values.ts';
import type { Sessions } from './sessions.ts';

/**
 * Around hook of `remove` for the service that stores sessions: one that is removed there has ended, here at once and in other processes
 * as after a logout.
 *
 * @param sessions gives those that are stored there; `undefined` when sessions are off
 * @param idName name of the id property
 */
export function watchRemovals(
  sessions: () => Sessions | undefined,
  idName: string,
): (context: HookContext, next: NextFunction) => Promise<void> {
  return async (context, next) => {
    await next();
    const { id, result } = context;
    const removed: unknown[] = Array.isArray(result) ? result : [result];
    const live = removed.filter(isRecord).filter(({ endedAt = null }) => endedAt === null);
    const ids = typeof id === 'string' ? [id] : live.map((record) => String(record[idName]));
    await Promise.all(ids.map(async (one) => sessions()?.removed(one)));
  };
}

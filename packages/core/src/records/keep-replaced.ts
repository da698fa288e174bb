import type { HookContext } from '../hooks/hook-types.ts';
import { canKeep, withKeptPaths } from './kept-paths.ts';
import type { Problem, RecordRules, WriteOperation } from './record-rules.ts';

/**
 * Sees to it that a call from outside takes nothing away that its caller does not see or set: the service is told what to keep. Where it can not, a patch must
 * not replace what holds such a thing; an update replaces the whole record, whatever is in it.
 *
 * @returns what the caller may not replace, at most 20 problems
 */
export function keepReplaced(context: HookContext, rules: RecordRules): readonly Problem[] {
  const { params, data, method, service } = context;
  if (params.provider === undefined || (method !== 'update' && method !== 'patch')) return [];
  const { kept, problems } = rules.replaced(data, method satisfies WriteOperation, { params });
  if (canKeep(service)) {
    const besides = kept.filter((path) => path !== idNameOf(service));
    if (besides.length > 0) context.params = withKeptPaths(params, service, besides);
    return problems;
  }
  return method === 'update' ? [] : [...problems, ...kept.map(notKept)].slice(0, 20);
}

/** The id outlives every write by itself; another property of such a name does not. */
function idNameOf(service: object): unknown {
  return Reflect.get(service, 'id') ?? 'id';
}

function notKept(path: string): Problem {
  const around = path.slice(0, path.lastIndexOf('.'));
  return { path: around, keyword: 'replaced', message: `${around} can not be replaced: parts of it can not be set`, params: {} };
}

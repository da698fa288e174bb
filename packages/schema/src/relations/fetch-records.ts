import { copyParams, createContext, formOf, paramsFor, type Params, type Query } from '@framework/core';
import { toFrameworkError } from '@framework/errors';
import { fittingIds } from './fitting-ids.ts';
import { idKinds, suitedId, type IdKind } from './id-kinds.ts';
import { ALL_POPULATE_RULES, type PopulateRules } from './populate-rules.ts';
import { keyOf, RecordsByKey } from './record-key.ts';
import { idOf, shapeOf } from './relation.ts';

/** Most ids of one query. */
export const MAX_IDS = 1000;

/** What else is asked of the records. */
export interface Asked {
  readonly $select?: readonly string[];
  readonly $populate?: readonly string[];
}

/** Statuses that say that a caller does not get what there may be. */
const UNSEEN: ReadonlySet<number> = new Set([401, 403, 404, 405, 410]);

/** @returns whether an error only says that the caller does not get the records */
export function isUnseen(error: unknown): boolean {
  return UNSEEN.has(toFrameworkError(error).code);
}

/**
 * Finds records by their ids, by one `find` of their service for each 1,000 ids: its hooks, checks and rules hold for the caller.
 *
 * @param service a registered service
 * @param ids texts, numbers or object ids; what can not be an id of the service is left out
 * @param params of the call that is answered: who calls
 * @param asked further parts of the query. Default: none
 * @param rules rules that hold. Default: all
 * @returns what the caller may see
 * @throws whatever the service throws
 */
export async function fetchRecords(
  service: object,
  ids: readonly unknown[],
  params: Params,
  asked: Asked = {},
  rules: PopulateRules = ALL_POPULATE_RULES,
): Promise<RecordsByKey> {
  const found = new RecordsByKey();
  const idName = idOf(service);
  const { $select: select, ...others } = asked;
  const query = { ...others, ...(select ? { $select: [...new Set([...select, idName])] } : {}) };
  const base = copyParams(paramsFor(service, params), { ...(rules.caller ? {} : { provider: undefined }), paginate: false });
  let waiting = await suitable(service, idName, ids);
  let size = MAX_IDS;
  while (waiting.length > 0) {
    const batch = waiting.slice(0, size);
    const { records, limit } = await findBy(service, copyParams(base, { query: { ...query, [idName]: { $in: batch } } }), rules);
    for (const record of records) found.set(Reflect.get(record, idName), record);
    // A service that keeps its page size whatever it is asked gets as many ids as fit.
    const cut = limit > 0 && limit < batch.length && records.length >= limit;
    if (cut) size = limit;
    waiting = cut ? waiting.filter((id) => found.get(id) === undefined) : waiting.slice(batch.length);
  }
  return found;
}

async function findBy(
  service: object,
  params: Params & { query: Query },
  rules: PopulateRules,
): Promise<{ records: object[]; limit: number }> {
  const context = createContext(service, 'find');
  await (service as { find(...args: unknown[]): Promise<unknown> }).find(params, context);
  // What callers from outside get is what would have been sent to them.
  const external = params.provider !== undefined && context.dispatch !== undefined && rules.dispatch;
  const value = external ? context.dispatch : context.result;
  if (formOf(context, value) === 'stream') {
    const records: object[] = [];
    for await (const record of value as AsyncIterable<unknown>) if (isObject(record)) records.push(record);
    return { records, limit: 0 };
  }
  if (Array.isArray(value)) return { records: value.filter(isObject), limit: 0 };
  const { data, limit } = (value ?? {}) as { readonly data?: unknown; readonly limit?: unknown };
  return { records: Array.isArray(data) ? data.filter(isObject) : [], limit: typeof limit === 'number' ? limit : 0 };
}

/** Each id once, in the form that the service's records describe, as far as they can have it. */
async function suitable(service: object, idName: string, ids: readonly unknown[]): Promise<unknown[]> {
  const shape = shapeOf(service);
  const location = shape?.root.step(idName);
  const kinds = location ? idKinds(location) : NOTHING_SAID;
  const wanted = new Map<string, unknown>();
  for (const id of ids) {
    const suited = suitedId(id, kinds);
    if (suited !== undefined) wanted.set(keyOf(suited) ?? '', suited);
  }
  const suited = [...wanted.values()];
  const fitting: unknown[] = [];
  for (let start = 0; start < suited.length; start += MAX_IDS)
    fitting.push(...(await fittingIds(shape, idName, suited.slice(start, start + MAX_IDS))));
  return fitting;
}

const NOTHING_SAID: ReadonlySet<IdKind> = new Set();

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

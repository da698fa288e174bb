import { copyParams, keepsPaths, type HookContext, type NextFunction } from '@framework/core';
import { BadRequest, isFrameworkError } from '@framework/errors';
import { isPlainObject } from '@framework/query';
import type { KindCondition } from '../validation/patched-kind.ts';

type Query = Readonly<Record<string, unknown>>;

/**
 * Makes a `patch` where the record is of a kind that the data are for: adapters decide it in the step that writes. Of several records the call itself says
 * of which kind they are. Services which keep nothing of a stored record are not known to look at the query.
 *
 * @param isSeen whether the caller sees a property: of what it does not see it is not told
 * @throws BadRequest (400) where the record is of another kind, or the kind of several is not said
 */
export async function patchOfKind(
  context: HookContext,
  conditions: readonly KindCondition[],
  isSeen: (name: string) => boolean,
  next: NextFunction,
): Promise<void> {
  const { id, service, params } = context;
  const refusal = (of: readonly KindCondition[], message: string): BadRequest =>
    refusing(
      of.filter(({ name }) => isSeen(name)),
      message,
    );
  if (id === null) {
    const unsaid = conditions.filter((one) => !says(params.query, one));
    if (unsaid.length > 0) throw refusal(unsaid, 'has to be in the query: the data are not for records of every kind');
  }
  if (id === null || Reflect.get(service, keepsPaths) !== true) return next();
  const own = conditions.map(({ name, values }) => ({ [name]: { $in: values } }));
  context.params = copyParams(params, { query: { ...params.query, $and: [...listOf(params.query?.$and), ...own] } });
  try {
    await next();
  } catch (error) {
    if (isFrameworkError(error) && (error.code === 404 || error.code === 412) && (await isOfAnother(context, own, conditions)))
      throw refusal(
        conditions,
        'is another one in this record: a patch does not change the kind of a record. Replace it as a whole (update)',
      );
    throw error;
  } finally {
    context.params = copyParams(context.params, { query: without(context.params.query, own) });
  }
}

/** Whether the record that was not found is there, with all that hooks ask besides. */
async function isOfAnother(
  { id, service, params }: HookContext,
  own: readonly object[],
  conditions: readonly KindCondition[],
): Promise<boolean> {
  const read: unknown = Reflect.get(service, '_get');
  if (typeof read !== 'function') return false;
  const { $select: _select, ...query } = without(params.query, own);
  const other = { $or: conditions.map(({ name, values }) => ({ [name]: { $nin: values } })) };
  const asked = copyParams(params, { query: { ...query, $and: [...listOf(query.$and), other] } });
  return Promise.resolve(Reflect.apply(read, service, [id, asked])).then(
    () => true,
    () => false,
  );
}

function without(query: Query | undefined, own: readonly object[]): Query {
  const { $and, ...others } = query ?? {};
  const left = listOf($and).filter((one) => !own.includes(one as object));
  return left.length === 0 ? others : { ...others, $and: left };
}

/** Whether all records that a query finds are of kinds that are meant. */
function says(query: unknown, condition: KindCondition): boolean {
  if (!isPlainObject(query)) return false;
  const asked = query[condition.name];
  const values = isPlainObject(asked) ? asked.$in : [asked];
  const isSaid = Array.isArray(values) && values.every((value) => condition.values.includes(value));
  return isSaid || listOf(query.$and).some((one) => says(one, condition));
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function refusing(seen: readonly KindCondition[], message: string): BadRequest {
  const errors = seen.map(({ name }) => ({ path: name, keyword: 'kind', message: `${name} ${message}`, params: {} }));
  return new BadRequest('validation failed', { errors });
}

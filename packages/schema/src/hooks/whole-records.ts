import { copyParams, eachRecordAsync, isAnswered, type HookContext, type NextFunction } from '@framework/core';
import { selectFields } from '@framework/query';
import { isRecord, propertiesOf } from '../resolvers/record-properties.ts';
import { askedOf, askForWhole, withIds } from './asked-for.ts';
import { givesNoRecords } from './written-records.ts';

/** A resolver. One of another copy of this package may not say what it concerns. */
interface Concerned {
  concerns?(paths: readonly string[]): boolean;
}

function concerns(resolvers: readonly Concerned[], paths: readonly string[]): boolean {
  return resolvers.some((resolver) => resolver.concerns?.(paths) ?? true);
}

/** What a record was cut from. */
interface Whole {
  readonly record: object;
  /** Properties that were asked for in part, and are there as a whole. */
  readonly uncut: ReadonlySet<string>;
}

/** What other methods give is no record that a selection is of. */
const METHODS: ReadonlySet<string> = new Set(['find', 'get', 'create', 'update', 'patch', 'remove']);

const wholes = new WeakMap<object, Whole>();

/**
 * Around hook next to the method, around resolvers of the result: what callers from outside ask for does not decide what resolvers know. One hides a
 * property because of another one, which the caller would leave out by `$select`.
 *
 * @param result resolvers of the result, which run inside
 * @param dispatch resolvers that run once hooks have had the result: those see the records that were asked for
 */
export function readWhole(
  result: readonly Concerned[],
  dispatch: readonly Concerned[],
): (context: HookContext, next: NextFunction) => Promise<void> {
  return async (context, next) => {
    const select = context.params.provider === undefined || !METHODS.has(context.method) ? undefined : askedOf(context);
    if (!select || !concerns([...result, ...dispatch], select)) {
      await next();
      return;
    }
    askForWhole(context, select);
    await next();
    context.params = copyParams(context.params, { query: { ...context.params.query, $select: select } });
    if (isAnswered(context) || givesNoRecords(context, context.result)) return;
    const inPart = select.filter((path) => path.includes('.') && concerns(dispatch, [path]));
    const uncut = new Set(inPart.map((path) => path.slice(0, path.indexOf('.'))));
    const kept = withIds(context, [...select, ...uncut]);
    context.result = await eachRecordAsync(context, context.result, async (record) => {
      if (!isRecord(record)) return record;
      const properties = propertiesOf(record);
      const cut = selectFields(properties, kept);
      wholes.set(cut, { record: properties, uncut });
      return cut;
    });
  };
}

/**
 * Makes something of a record with all that was read of it.
 *
 * @param asked what the caller asks for
 * @param make gets the whole record, with what hooks have changed in it
 * @returns what was made, as far as the record was there
 */
export async function byWhole(
  record: unknown,
  asked: readonly string[] | undefined,
  make: (source: unknown) => Promise<unknown>,
): Promise<unknown> {
  const whole = typeof record === 'object' && record !== null ? wholes.get(record) : undefined;
  if (whole === undefined) return make(record);
  const made = await make({ ...whole.record, ...(record as object) });
  if (!isRecord(made)) return made;
  const present = Object.keys(record as object).filter((name) => !whole.uncut.has(name) || asked?.includes(name) === true);
  return selectFields(made, [...(asked ?? []), ...present]);
}

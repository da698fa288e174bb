import type { HookContext } from '../hooks/hook-types.ts';
import { eachRecord } from './each-record.ts';
import { rememberOrigin } from './record-origin.ts';

/** Where resolvers of FeathersJS keep, with a record, what others may see of it. */
const DISPATCH: unique symbol = Symbol.for('@feathersjs/schema/dispatch') as never;

/**
 * Records that resolvers of FeathersJS have made something of for others keep it wherever they are put, as those of this framework's resolvers do: a login puts
 * the user into its answer. It costs nothing where no hook has set `context.dispatch`.
 */
export function rememberDispatched(context: HookContext): void {
  const { result, dispatch } = context;
  // Their hook marks the whole and each record of it.
  if (dispatch === undefined || dispatchOf(result) === undefined) return;
  eachRecord(context, result, { record: remember });
}

function remember(record: unknown): unknown {
  const dispatch = dispatchOf(record);
  if (dispatch !== undefined) rememberOrigin(record, { dispatch });
  return record;
}

function dispatchOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? (value as { readonly [DISPATCH]?: unknown })[DISPATCH] : undefined;
}

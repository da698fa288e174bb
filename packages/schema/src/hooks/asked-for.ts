import { copyParams, type HookContext } from '@framework/core';
import { BadRequest } from '@framework/errors';

/** Most names in one `$select`, as services have it, who do not see this one. */
const MAX_NAMES = 1000;

/** What calls asked for whose records are read whole. */
const askedFor = new WeakMap<HookContext, readonly string[]>();

/** @returns what a call asks for by `$select`, also where it was taken out of the query; `undefined` for everything */
export function askedOf(context: HookContext): readonly string[] | undefined {
  const select: unknown = context.params.query?.$select;
  if (typeof select === 'string') return [select];
  if (!Array.isArray(select)) return askedFor.get(context);
  return select.filter((name) => typeof name === 'string');
}

/**
 * Lets the method give whole records.
 *
 * @throws BadRequest (400) for too many names
 */
export function askForWhole(context: HookContext, select: readonly string[]): void {
  if (select.length > MAX_NAMES)
    throw new BadRequest(`$select has too many names: at most ${String(MAX_NAMES)} are allowed`, { parameter: '$select' });
  const { $select: _select, ...query } = context.params.query ?? {};
  context.params = copyParams(context.params, { query });
  askedFor.set(context, select);
}

/** @returns the names of what stays of a whole record: id and version do in any case */
export function withIds({ service }: HookContext, select: readonly string[]): readonly string[] {
  const { id = 'id', version = id } = service as { readonly id?: string; readonly version?: string };
  return [...select, id, version];
}

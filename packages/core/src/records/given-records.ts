import type { HookContext } from '../hooks/hook-types.ts';
import type { RecordRules } from './record-rules.ts';
import { formOf } from './result-form.ts';

/** The records of the result that each call got of its method, before other hooks had it. */
const given = new WeakMap<HookContext, readonly unknown[]>();

/** @returns notes the records of a result while they still are what the method gave */
export function noteGiven(rules: RecordRules): (context: HookContext) => void {
  return (context) => {
    const records = rules.hasSecrets ? recordsOf(context, context.result) : undefined;
    if (records !== undefined) given.set(context, records);
  };
}

/**
 * Lets the records of a method keep their rules where a hook has put them into something else: an object around one, or a part of one alone, is no
 * record of the service.
 *
 * @param value the result, or what is sent instead
 */
export function rememberGiven(context: HookContext, value: unknown, rules: RecordRules): void {
  const records = given.get(context);
  if (records === undefined) return;
  const present = recordsOf(context, value) ?? [];
  if (present.length === records.length && present.every((record, index) => record === records[index])) return;
  for (const record of records) rules.remember(record);
}

/** @returns a list of its own, since hooks may change that of the result; `undefined` where records are not told from other things */
function recordsOf(context: HookContext, value: unknown): readonly unknown[] | undefined {
  const form = formOf(context, value);
  if (form === 'page') return [...(value as { readonly data: readonly unknown[] }).data];
  if (form !== 'records') return undefined;
  return Array.isArray(value) ? [...(value as unknown[])] : [value];
}

import { isDeepStrictEqual } from 'node:util';
import { checkJson, getRules, NOBODY, type HookContext } from '@framework/core';

/** How far the records of a call have been told, for calls that have written several. */
const told = new WeakMap<object, number>();

/**
 * What an event sends: the record as everybody may see it, which is what the call has for those outside.
 *
 * @param service the registered service
 * @param event its name
 * @param record what the event was emitted with
 * @param context of the call; `undefined` for an event that the service has sent by itself
 * @throws what JSON can not be made of; Error for a record that `context.dispatch` has left out
 * @see security S34
 */
export function payloadText(service: object, event: string, record: unknown, context: HookContext | undefined): string {
  const form = context === undefined ? record : externalForm(service, record, context);
  // What the call has for those outside is for all who hear of its own event; behind the end of another call it is what its caller may see.
  return jsonText(context?.event === event ? form : shown(service, form));
}

/**
 * @returns JSON of a value; `null` for what has none
 * @throws TypeError for a promise in it
 */
export function jsonText(value: unknown): string {
  // Functions and symbols have no JSON, and their declared type does not say so.
  const text = JSON.stringify(value) as string | undefined;
  if (text === undefined) return 'null';
  checkJson(value, text);
  return text;
}

function externalForm(service: object, record: unknown, { result, dispatch }: HookContext): unknown {
  // Where the call has no form for those outside, the record may still hold one of a service that has.
  if (dispatch === undefined) return shown(service, record);
  if (record === result) return dispatch;
  if (!Array.isArray(result)) return isDeepStrictEqual(record, result) ? dispatch : shown(service, record);
  const index = indexOf(result, record);
  // The service has sent it by itself.
  if (index < 0) return shown(service, record);
  return Array.isArray(dispatch) ? oneOf(dispatch, result.length, index, [record, shown(service, record)]) : dispatch;
}

/**
 * What a call of several records has for those outside of one of them. Where it has left records out, that is one that is equal.
 *
 * @throws Error where there is none: the record itself is not for those outside
 */
function oneOf(dispatch: readonly unknown[], results: number, index: number, forms: readonly unknown[]): unknown {
  if (dispatch.length === results) return dispatch[index];
  const found = dispatch.findIndex((each) => forms.some((form) => isDeepStrictEqual(each, form)));
  if (found >= 0) return dispatch[found];
  throw new Error(
    `context.dispatch of the call has ${dispatch.length} records for ${results} in its result, and none for this one: nobody got the event. ` +
      'Give one for each, in their order, or leave records out by the publisher',
  );
}

/**
 * Records are told in their order, so that each is found where the last one was. What comes from another process, with its context, is copies: there
 * the record is one that is equal.
 */
function indexOf(result: readonly unknown[], record: unknown): number {
  const from = told.get(result) ?? 0;
  const index = result.indexOf(record, from);
  const same = index >= 0 ? index : result.indexOf(record);
  const isCopy = (other: unknown): boolean => isDeepStrictEqual(other, record);
  const found = same >= 0 ? same : isCopy(result[from]) ? from : result.findIndex(isCopy);
  if (found >= 0) told.set(result, found + 1);
  return found;
}

/** For values that no call has made ready: what the rules of the service's records leave to callers of whom nothing is known. */
export function shown(service: object, value: unknown): unknown {
  const rules = getRules(service);
  return rules ? rules.redact(value, NOBODY) : value;
}

import { answerWith, isAnswered } from '../hooks/caller-answer.ts';
import { checkSettled } from '../hooks/check-settled.ts';
import type { HookContext, NextFunction } from '../hooks/hook-types.ts';
import { CORE } from '../package-copy.ts';
import { rememberDispatched } from './dispatched-elsewhere.ts';
import { NOBODY } from './nobody.ts';
import type { RecordRules, Viewer } from './record-rules.ts';
import { eachRecord } from './each-record.ts';
import { rememberGiven } from './given-records.ts';
import { rememberRead } from './remember-read.ts';
import { hasOrigins } from './record-origin.ts';
import { formOf } from './result-form.ts';
import { isExternal } from './show-foreign.ts';

/**
 * Around hook through which everything leaves: `dispatch` for every call, and the result itself for calls from outside, hold what the
 * caller may see. Records that a call on the server gets remember their rules.
 *
 * @param rules rules of the service's records
 * @see security S7, S34
 */
export function showRecords(rules: RecordRules): (context: HookContext, next: NextFunction) => Promise<void> {
  // Of another copy it would remember records where this one does not look for them.
  return CORE.mark((context: HookContext, next: NextFunction) =>
    next().then(() => {
      if (!isAnswered(context)) show(context, rules);
    }),
  );
}

function show(context: HookContext, rules: RecordRules): void {
  checkSettled(context);
  rememberDispatched(context);
  const { result, dispatch } = context;
  const external = isExternal(context);
  rememberGiven(context, result, rules);
  if (dispatch !== undefined) rememberGiven(context, dispatch, rules);
  if (!external && rules.hasSecrets) remember(context, rules);
  if (!external && context.event === null && context.method === 'find') {
    // A look at one record costs less than to put it off.
    showWhenRead(context, rules);
    return;
  }
  const viewer: Viewer = external ? { params: context.params } : NOBODY;
  // An event goes to whoever listens, so that it has only what everyone may see; a record of another service may have rules by role where these have none.
  const others = context.event !== null && (rules.hasRoleRules || hasOrigins()) ? NOBODY : viewer;
  const made = dispatch === undefined ? result : dispatch;
  const sent = shown(context, made, rules, others);
  if (external) {
    const own = others === viewer ? sent : shown(context, made, rules, viewer);
    if (others !== viewer) answerWith(context, own);
    context.result = dispatch === undefined ? own : shown(context, result, rules, viewer);
  }
  context.dispatch = sent;
}

/** Of a call on the server that tells no event nothing but its result leaves, unless somebody reads what others would get. */
function showWhenRead(context: HookContext, rules: RecordRules): void {
  const { result, dispatch } = context;
  const set = (value: unknown): void => {
    Object.defineProperty(context, 'dispatch', { value, writable: true, enumerable: true, configurable: true });
  };
  const get = (): unknown => {
    set(shown(context, dispatch === undefined ? result : dispatch, rules, NOBODY));
    return context.dispatch;
  };
  Object.defineProperty(context, 'dispatch', { get, set, enumerable: true, configurable: true });
}

function shown(context: HookContext, value: unknown, rules: RecordRules, viewer: Viewer): unknown {
  return eachRecord(context, value, { record: rules.redactor(viewer), other: (inside) => rules.redactor(viewer, true)(inside) });
}

function remember(context: HookContext, rules: RecordRules): void {
  const { result } = context;
  if (formOf(context, result) === 'stream') {
    // Its records are not there yet.
    rememberRead(result as AsyncIterable<unknown>, rules);
    return;
  }
  eachRecord(context, result, {
    record: (record) => {
      rules.remember(record);
      return record;
    },
    other: (value) => {
      rules.rememberEverywhere(value);
      return value;
    },
  });
}

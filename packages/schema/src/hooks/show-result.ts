import type { HookContext, NextFunction } from '@framework/core';
import { NOBODY } from '../record-shape/nobody.ts';
import type { Viewer } from '../record-shape/record-rules.ts';
import type { RecordShape } from '../record-shape/record-shape.ts';
import { eachRecord } from '../results/each-record.ts';

/**
 * Around hook through which everything leaves: `dispatch` for every call, and the result itself for calls from outside, hold what the
 * caller may see. Records that a call on the server gets remember their shape.
 *
 * @param shape shape of the service's records
 * @see security S7, S34
 */
export function showResult(shape: RecordShape): (context: HookContext, next: NextFunction) => Promise<void> {
  return async (context, next) => {
    await next();
    const { result, dispatch } = context;
    const external = context.params.provider !== undefined;
    if (!external && shape.hasSecrets) remember(context, shape);
    const viewer: Viewer = external ? { params: context.params } : NOBODY;
    // An event goes to whoever listens, so that it has only what everyone may see.
    const others = shape.hasRoleRules && context.event !== null ? NOBODY : viewer;
    const sent = shown(context, dispatch === undefined ? result : dispatch, shape, others);
    if (external) context.result = others === viewer && dispatch === undefined ? sent : shown(context, result, shape, viewer);
    context.dispatch = sent;
  };
}

function shown(context: HookContext, value: unknown, shape: RecordShape, viewer: Viewer): unknown {
  return eachRecord(context, value, { record: shape.redactor(viewer), other: shape.redactor(viewer, true) });
}

function remember(context: HookContext, shape: RecordShape): void {
  const { result } = context;
  // Records of a stream are not there yet.
  if (typeof result === 'object' && result !== null && Symbol.asyncIterator in result) return;
  eachRecord(context, result, {
    record: (record) => {
      shape.remember(record);
      return record;
    },
    other: (value) => {
      shape.rememberEverywhere(value);
      return value;
    },
  });
}

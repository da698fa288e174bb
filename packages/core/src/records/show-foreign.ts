import { CallContext, callContext } from '../hooks/call-context.ts';
import type { HookContext } from '../hooks/hook-types.ts';
import { rememberDispatched } from './dispatched-elsewhere.ts';
import { eachRecord } from './each-record.ts';
import { NOBODY } from './nobody.ts';
import { hasOrigins } from './record-origin.ts';
import type { Viewer } from './record-rules.ts';
import { Redaction } from './redact.ts';

/**
 * Redacts what leaves a service that has no rules of its own: records of other services keep theirs, wherever they were put. It costs a look at each object
 * of the result, and nothing before a record with rules was returned anywhere.
 *
 * @see security S7, S34
 */
export function showForeign(context: HookContext): void {
  rememberDispatched(context);
  if (!hasOrigins()) return;
  const { result, dispatch } = context;
  const external = isExternal(context);
  // An event goes to whoever listens.
  const viewer: Viewer = external && context.event === null ? { params: context.params } : NOBODY;
  const sent = foreignRedacted(context, dispatch === undefined ? result : dispatch, viewer);
  if (sent !== (dispatch === undefined ? result : dispatch)) context.dispatch = sent;
  if (external) context.result = dispatch === undefined ? sent : foreignRedacted(context, result, viewer);
}

/** @returns whether a call came from outside, also where a hook has replaced its parameters; calls that are made by hand may have none */
export function isExternal(context: HookContext): boolean {
  const call = callContext(context);
  if (call !== undefined && CallContext.isFromOutside(call)) return true;
  return (context.params as { readonly provider?: unknown } | undefined)?.provider !== undefined;
}

function foreignRedacted(context: HookContext, value: unknown, viewer: Viewer): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const redaction = new Redaction(viewer);
  return eachRecord(context, value, { record: (record) => redaction.of(record, undefined) });
}

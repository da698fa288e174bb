import { recordChanged, recordNotFound } from '@framework/core/adapter';
import { withId, type CompiledFilter } from '../compile/criteria.ts';
import { versionFilter } from '../compile/version.ts';
import type { AdapterId } from '../docdb-types.ts';
import type { Call } from './call.ts';

/** The one record that a write is for. */
export interface Target {
  /** Its id, the caller's conditions and the precondition: all decided in the command that writes. */
  readonly filter: CompiledFilter;
  /** Options for the driver; a precondition never makes a record. */
  readonly driver: Readonly<Record<string, unknown>>;
}

/**
 * The record that a write is for.
 *
 * @throws PreconditionFailed (412) for a precondition that no record could satisfy
 */
export function targetOf({ filter, options, params, driver }: Call, id: AdapterId): Target {
  const target = withId(filter, id, options);
  const { precondition } = params;
  if (!precondition) return { filter: target, driver };
  const condition = versionFilter(precondition, options);
  return { filter: condition ? { $and: [target, condition] } : target, driver: { ...driver, upsert: false } };
}

/**
 * Tells that no record satisfied a call.
 *
 * @throws PreconditionFailed (412) when the call had a precondition, NotFound (404) otherwise
 */
export function missing({ params }: Call, id: AdapterId): never {
  if (params.precondition) throw recordChanged();
  throw recordNotFound(id);
}

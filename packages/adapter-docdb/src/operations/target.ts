import { recordChanged, recordNotFound } from '@framework/core/adapter';
import type { CommandOperationOptions } from 'mongodb';
import { recordId, withId, type CompiledFilter } from '../compile/criteria.ts';
import { exactly } from '../compile/exactly.ts';
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
 * The filter of a call for one record: its id and the caller's conditions. By the collation of a call a text is the id of several records: where one has just
 * that id, it is meant, and none beside it.
 */
export async function filterOf({ collection, filter, options, driver }: Call, id: AdapterId): Promise<CompiledFilter> {
  const target = withId(filter, id, options);
  const own = recordId(id, options);
  if (driver.collation === undefined || typeof own !== 'string') return target;
  const { upsert: _upsert, hint: _hint, ...asked } = driver;
  const exact = await collection.findOne({ [options.id]: own }, { ...asked, collation: { locale: 'simple' }, projection: { _id: 1 } });
  return exact ? { $and: [target, { [options.id]: exactly(own) }] } : target;
}

/**
 * The record that a write is for.
 *
 * @throws PreconditionFailed (412) for a precondition that no record could satisfy, and Error where the database would not answer
 */
export async function targetOf(call: Call, id: AdapterId): Promise<Target> {
  const { options, params, driver } = call;
  checkAnswered(call);
  const target = await filterOf(call, id);
  const { precondition } = params;
  if (!precondition) return { filter: target, driver };
  const condition = versionFilter(precondition, options);
  return { filter: condition ? { $and: [target, condition] } : target, driver: { ...driver, upsert: false } };
}

/** The driver has no record where there is no answer: callers would be told that there is none, though it is changed. Transactions answer. */
function checkAnswered({ collection, driver }: Call): void {
  const { session, writeConcern = collection.writeConcern }: CommandOperationOptions = driver;
  if (writeConcern?.w !== 0 || session?.inTransaction() === true) return;
  throw new Error(
    'A write to one record needs the answer of the database, and the write concern { w: 0 } asks for none: give its client, its collection or params.docdb another one',
  );
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

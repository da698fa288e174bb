import type { Declarations, ParsedQuery } from '@framework/query';
import type { Collection } from 'mongodb';
import type { CompiledFilter } from '../compile/criteria.ts';
import type { DocDbParams, ResolvedOptions } from '../docdb-types.ts';

/** One call, ready for the database. */
export interface Call {
  readonly collection: Collection;
  readonly options: ResolvedOptions;
  readonly params: DocDbParams;
  readonly query: ParsedQuery;
  /** The caller's conditions. */
  readonly filter: CompiledFilter;
  /** What the schemas of the service declared. */
  readonly declared: Declarations;
  /** Dotted paths of the stored record that outlive an update or patch. */
  readonly kept: readonly string[];
  /** Options for each driver call: `params.docdb`, the collation and the time limit. */
  readonly driver: Readonly<Record<string, unknown>>;
}

/** What goes to the driver with each command of a call. */
export function driverOptions(
  { maxTimeMS }: ResolvedOptions,
  collation: DocDbParams['collation'],
  docdb: DocDbParams['docdb'],
): Call['driver'] {
  return { ...(maxTimeMS > 0 ? { maxTimeMS } : {}), ...(collation === undefined ? {} : { collation }), ...docdb };
}

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

/**
 * What goes to the driver with each command of a call.
 *
 * @throws TypeError for a collation that is none
 */
export function driverOptions(
  { maxTimeMS }: ResolvedOptions,
  collation: DocDbParams['collation'],
  docdb: DocDbParams['docdb'],
): Call['driver'] {
  const driver = { ...(collation === undefined ? {} : { collation }), ...docdb };
  checkCollation(driver);
  return { ...(maxTimeMS > 0 ? { maxTimeMS } : {}), ...driver };
}

/** Calls without types may give a text: the driver leaves that out, and everything is compared as without it. */
function checkCollation({ collation }: { readonly collation?: unknown }): void {
  if (collation === undefined || collation === null) return;
  if (typeof collation === 'object' && 'locale' in collation && typeof collation.locale === 'string') return;
  throw new TypeError("The collation of a call is an object with a locale, for example { locale: 'en', strength: 2 }");
}

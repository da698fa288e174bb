import type { Declarations, ParsedQuery } from '@framework/query';
import type { Collection, Document, MongoClient } from 'mongodb';
import type { CompiledFilter } from '../compile/criteria.ts';
import type { DocDbParams, ResolvedOptions } from '../docdb-types.ts';
import type { Asked } from './continued.ts';
import { checkDriverOptions } from './driver-options.ts';

/** One call, ready for the database. */
export interface Call {
  readonly collection: Collection;
  readonly options: ResolvedOptions;
  readonly params: DocDbParams;
  readonly query: ParsedQuery;
  /** The caller's conditions. */
  readonly filter: CompiledFilter;
  /** What the parameters ask for; the call may ask for less. */
  readonly asked: Asked;
  /** What the schemas of the service declared. */
  readonly declared: Declarations;
  /** Dotted paths of the stored record that outlive an update or patch. */
  readonly kept: readonly string[];
  /** Options for each driver call: `params.docdb`, the collation and the time limit. */
  readonly driver: Readonly<Record<string, unknown>>;
}

/** Gives the stages of the query of a call. */
export type Stages = (call: Call) => Document[];

/** Milliseconds that an answer may take beyond the time that the database has for its command. */
const ON_THE_WAY = 5000;
/** Longest time of a timer. */
export const LONGEST: number = 2 ** 31 - 1;

/**
 * What goes to the driver with each command of a call. A database that took a command and does not answer, in its time and some more, is given up: the driver
 * cuts that connection. A client with a time of its own for that (`socketTimeoutMS`) keeps it.
 *
 * @throws TypeError for a collation that is none, and for a misspelt name in `params.docdb`
 */
export function driverOptions(
  options: Pick<ResolvedOptions, 'maxTimeMS'>,
  { collation, docdb }: Pick<DocDbParams, 'collation' | 'docdb'>,
  collection: OfClient,
): Call['driver'] {
  checkDriverOptions(docdb);
  const driver = { ...(collation === undefined ? {} : { collation }), maxTimeMS: options.maxTimeMS, ...docdb };
  checkCollation(driver);
  const { maxTimeMS, ...rest } = driver;
  if (!(maxTimeMS > 0)) return rest;
  const ofClient = clientOf(collection)?.options?.socketTimeoutMS ?? 0;
  return { ...(ofClient > 0 ? {} : { socketTimeoutMS: Math.min(maxTimeMS + ON_THE_WAY, LONGEST) }), maxTimeMS, ...rest };
}

/** @returns of what goes to the driver with the commands of a call the time that it has, for a command that takes nothing else of it */
export function limitsOf({ maxTimeMS, socketTimeoutMS }: Call['driver']): object {
  return { ...(maxTimeMS === undefined ? {} : { maxTimeMS }), ...(socketTimeoutMS === undefined ? {} : { socketTimeoutMS }) };
}

/** Milliseconds that the database has for a command where nobody says how many. */
export const COMMAND_TIME = 30_000;

/** What goes to the driver with commands that belong to no call, as those of stores and logs: a database that does not answer them is given up alike. */
export function ownOptions(collection: OfClient): Call['driver'] {
  return driverOptions({ maxTimeMS: COMMAND_TIME }, {}, collection);
}

interface OfClient {
  readonly db?: { readonly client?: Pick<MongoClient, 'options'> };
}

/** What stands for a collection may have no client. */
export function clientOf(collection: OfClient): Partial<Pick<MongoClient, 'options'>> | undefined {
  return collection.db?.client;
}

/** Calls without types may give a text: the driver leaves that out, and everything is compared as without it. */
function checkCollation({ collation }: { readonly collation?: unknown }): void {
  if (collation === undefined || collation === null) return;
  if (typeof collation === 'object' && 'locale' in collation && typeof collation.locale === 'string') return;
  throw new TypeError("The collation of a call is an object with a locale, for example { locale: 'en', strength: 2 }");
}

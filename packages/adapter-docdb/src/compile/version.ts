import { randomBytes } from 'node:crypto';
import { knownPrecondition, recordChanged, type Precondition } from '@framework/core';
import type { Document } from 'mongodb';
import type { ResolvedOptions } from '../docdb-types.ts';
import { exactly } from './exactly.ts';

/** The version that a write gives a record: random, so that no two states of a record ever share one. */
export function newVersion({ version }: ResolvedOptions): Document {
  return version === undefined ? {} : { [version]: randomBytes(12).toString('base64url') };
}

/**
 * The filter of a precondition, to be part of the command that writes.
 *
 * @returns `undefined` when any version will do
 * @throws PreconditionFailed (412) when no record could satisfy it
 * @throws Error when the service keeps no versions, TypeError for a precondition that is none
 */
export function versionFilter(precondition: Precondition | undefined, { version }: ResolvedOptions): Document | undefined {
  if (!precondition) return undefined;
  if (version === undefined) throw new Error("params.precondition needs the service's 'version' option");
  const { versions = '*', notVersions = [] } = knownPrecondition(precondition);
  // A write to an existing record can not have the condition that there is none.
  if (notVersions === '*') throw recordChanged();
  const conditions: Document[] = [];
  if (versions !== '*') conditions.push({ [version]: { $in: versions.map(stored) } });
  if (notVersions.length > 0) conditions.push({ [version]: { $nin: notVersions.map(stored) } });
  return conditions.length > 0 ? { $and: conditions } : undefined;
}

/** A version is another one whatever a collation says of it. Records from before the option was set have none, which `null` finds. */
function stored(version: unknown): unknown {
  if (version === '') return null;
  return typeof version === 'string' ? exactly(version) : version;
}

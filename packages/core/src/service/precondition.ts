import { PreconditionFailed } from '@framework/errors';

/**
 * A condition on the present version of the record that an `update`, `patch` or `remove` is for. Transports make it from the
 * headers of a request; calls on the server may pass it too. The service decides it together with its write.
 */
export interface Precondition {
  /** Versions of which the record must have one; `*` for any record that exists. An empty text stands for no version. */
  readonly versions?: '*' | readonly string[];
  /** Versions of which the record must have none; `*` for no record at all. */
  readonly notVersions?: '*' | readonly string[];
}

/** A service that keeps a version of each record, and honours `params.precondition`. */
export interface VersionedService {
  /** Name of the property whose value changes with every write of the record. */
  readonly version: string;
}

/**
 * The version of a record.
 *
 * @param record any value
 * @param name name of the property with the version
 * @returns the version as text, a date as JSON has it, with its milliseconds; an empty text when the record has none
 */
export function versionOf(record: unknown, name: string): string {
  if (typeof record !== 'object' || record === null) return '';
  const version = (record as Record<string, unknown>)[name];
  if (version instanceof Date) return version.toJSON() ?? '';
  return version === undefined || version === null ? '' : String(version);
}

/**
 * A precondition as adapters read it. Callers without types may give anything: under another name it would let every write through, and a text has all its
 * parts in it as a list has versions.
 *
 * @throws TypeError that says what it takes
 */
export function knownPrecondition(precondition: Precondition): Precondition {
  for (const [name, value] of Object.entries(precondition) as [string, unknown][]) {
    if (!NAMES.has(name) || !(value === undefined || value === '*' || Array.isArray(value)))
      throw new TypeError(
        "params.precondition takes 'versions' and 'notVersions', each a list of versions or '*': { versions: [record.version] }",
      );
  }
  return precondition;
}

const NAMES: ReadonlySet<string> = new Set<keyof Precondition>(['versions', 'notVersions']);

/**
 * Checks a record that is about to be written, for services that read and write without a gap between.
 *
 * @param precondition `params.precondition`; nothing is checked without one
 * @param record the record as it is now; `undefined` when there is none
 * @param name name of the property with the version; `undefined` for a service that keeps none
 * @throws PreconditionFailed (412); TypeError for a precondition that is none, and Error for one where there are no versions
 */
export function checkPrecondition(precondition: Precondition | undefined, record: unknown, name: string | undefined): void {
  if (!precondition) return;
  if (name === undefined) throw new Error("params.precondition needs the service's 'version' option");
  const { versions, notVersions } = knownPrecondition(precondition);
  const exists = record !== undefined && record !== null;
  const version = versionOf(record, name);
  if (versions !== undefined && !(exists && (versions === '*' || versions.includes(version)))) throw recordChanged();
  if (notVersions !== undefined && exists && (notVersions === '*' || notVersions.includes(version))) throw recordChanged();
}

/** @returns the error for a record that is not as the caller expects it (412) */
export function recordChanged(): PreconditionFailed {
  return new PreconditionFailed('The record has changed since it was read, or does not exist. Read it again and repeat the change');
}

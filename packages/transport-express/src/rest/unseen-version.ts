import { getRules, type HookContext, type VersionedService } from '@framework/core';
import { isFrameworkError, PreconditionFailed } from '@framework/errors';

/** Services whose developers were told. */
const told = new WeakSet<object>();

/**
 * The error of a write with an `If-Match` that no record can satisfy: its tag came from an answer without the version, which the caller does not see. To say that
 * the record has changed would send the caller round and round.
 *
 * @param error of a service call
 * @param context of that call
 * @returns the error for the caller, which is the given one in all other cases
 */
export function withUnseenVersion(error: unknown, context: HookContext): unknown {
  const { path, params, service } = context;
  const { versions } = params.precondition ?? {};
  if (!isFrameworkError(error) || error.code !== 412 || !isWithoutVersion(versions)) return error;
  const { version } = service as Partial<VersionedService>;
  if (version === undefined || getRules(service)?.property([version], { params })?.readable !== false) return error;
  if (!told.has(service)) {
    told.add(service);
    process.emitWarning(
      `A write to '${path}' came with an ETag and is 412, as each one is: its caller does not see '${version}', so that the tag has no version in it. Show '${version}' to whoever may write`,
      { code: 'VERSION_UNSEEN' },
    );
  }
  return new PreconditionFailed(
    'You do not see the versions of these records: their ETag tells whether one has changed, and is none for If-Match',
  );
}

function isWithoutVersion(versions: unknown): boolean {
  return Array.isArray(versions) && versions.length > 0 && versions.every((version) => version === '');
}

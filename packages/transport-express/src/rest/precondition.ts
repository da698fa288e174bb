import type { NormalizedServiceOptions, Precondition } from '@framework/core';
import { FrameworkError, PreconditionFailed } from '@framework/errors';
import type { Request } from '../middleware-types.ts';
import { parseTagCondition, versionInTag, type EntityTag } from '../answer/entity-tag.ts';

const SEVERAL = 'Several records have no ETag together: change them one by one, each with its own as If-Match';

/** Whoever sends a condition relies on it: that a write went past it, nobody would notice. */
const UNDECIDED =
  'The records of this service have no versions that conditions could be compared with, and nothing was changed: leave If-Match and If-None-Match out';

const NEW =
  'A new record has no ETag that a condition could be compared with, and nothing was created: leave If-Match and If-None-Match out';

const CONDITIONS = ['if-match', 'if-none-match'] as const;

const WRITES: ReadonlySet<string> = new Set(['update', 'patch', 'remove']);

/**
 * The condition that a request sets on the record that it writes. The service decides it, together with its write.
 *
 * @param method the service method
 * @param hasId whether the request is for one record
 * @returns `undefined` for reads, and for a write without a condition
 * @throws BadRequest (400) for a header that can not be read, PreconditionFailed (412) for one that no record can satisfy, for one of a service that
 *   decides none, and for one of a `create`, FrameworkError (428) when the service requires a condition and there is none
 * @see RFC 9110, 13.1
 */
export function preconditionOf(
  req: Request,
  method: string,
  hasId: boolean,
  { conditional }: NormalizedServiceOptions,
): Precondition | undefined {
  const isNew = method === 'create';
  if (!isNew && !WRITES.has(method)) return undefined;
  if (isNew || !conditional) {
    if (CONDITIONS.some((name) => req.headers[name] !== undefined)) throw new PreconditionFailed(isNew ? NEW : UNDECIDED);
    return undefined;
  }
  const match = parseTagCondition('If-Match', req.headers['if-match']);
  const noneMatch = parseTagCondition('If-None-Match', req.headers['if-none-match']);
  if (match === undefined && noneMatch === undefined) {
    if (conditional !== 'required') return undefined;
    throw new FrameworkError(
      hasId ? 'This change needs a condition: send the ETag of the record as If-Match' : SEVERAL,
      'PreconditionRequired',
      428,
      'precondition-required',
    );
  }
  if (!hasId) throw new PreconditionFailed(SEVERAL);
  return {
    ...(match === undefined ? {} : { versions: match === '*' ? match : versions(match.filter(({ weak }) => !weak)) }),
    ...(noneMatch === undefined ? {} : { notVersions: noneMatch === '*' ? noneMatch : versions(noneMatch) }),
  };
}

function versions(tags: readonly EntityTag[]): string[] {
  return tags.map(({ tag }) => versionInTag(tag)).filter((version) => version !== undefined);
}

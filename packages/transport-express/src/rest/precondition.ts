import type { NormalizedServiceOptions, Precondition } from '@framework/core';
import { FrameworkError, PreconditionFailed } from '@framework/errors';
import type { Request } from '../middleware-types.ts';
import { parseTagCondition, versionInTag, type EntityTag } from '../answer/entity-tag.ts';

const SEVERAL = 'Several records have no ETag together: change them one by one, each with its own as If-Match';

const WRITES: ReadonlySet<string> = new Set(['update', 'patch', 'remove']);

/**
 * The condition that a request sets on the record that it writes. The service decides it, together with its write.
 *
 * @param method the service method
 * @param hasId whether the request is for one record
 * @returns `undefined` for reads, and where conditions are off
 * @throws BadRequest (400) for a header that can not be read, PreconditionFailed (412) for one that no record can satisfy,
 *   FrameworkError (428) when the service requires a condition and there is none
 * @see RFC 9110, 13.1
 */
export function preconditionOf(
  req: Request,
  method: string,
  hasId: boolean,
  { conditional }: NormalizedServiceOptions,
): Precondition | undefined {
  if (!conditional || !WRITES.has(method)) return undefined;
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

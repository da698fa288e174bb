import { BadRequest, isError, PayloadTooLarge, type FrameworkError } from '@framework/errors';

/** Codes of multer for something that is too large; all its others are about what was sent. */
const TOO_LARGE: ReadonlySet<unknown> = new Set(['LIMIT_FILE_SIZE', 'LIMIT_FIELD_VALUE', 'LIMIT_FIELD_KEY']);

/** Parsers of multipart bodies throw plain errors for malformed ones. */
const MALFORMED = /^(?:Unexpected end of (?:form|file)|Malformed part header|Multipart: Boundary not found|Request aborted|Request closed)/;

/**
 * Gives the errors of upload middleware (multer, and busboy below it) their status: they are faults of the client.
 *
 * @param thrown what a middleware passed on
 * @param contentType type of the request's body
 * @returns PayloadTooLarge (413) or BadRequest (400); `undefined` for anything else
 * @see security S39, S43
 */
export function multipartError(thrown: unknown, contentType: string | undefined): FrameworkError | undefined {
  if (!isError(thrown) || contentType?.startsWith('multipart/') !== true) return undefined;
  if (thrown.name === 'MulterError') {
    const code: unknown = Reflect.get(thrown, 'code');
    return TOO_LARGE.has(code) ? new PayloadTooLarge(thrown.message) : new BadRequest(thrown.message);
  }
  return MALFORMED.test(thrown.message) ? new BadRequest(`The multipart body is malformed: ${thrown.message}`) : undefined;
}

import { isError } from './brand.ts';
import { findErrorClass } from './errors.ts';
import { fixedText, UNEXPECTED } from './fixed-text.ts';
import { FrameworkError, isFrameworkError } from './framework-error.ts';
import { BadRequest, GeneralError, NotFound } from './http-errors.ts';

/**
 * Decides what a caller is told of a thrown value, by where it comes from. Every transport asks this function and no other.
 *
 * | thrown | what the caller gets |
 * |---|---|
 * | an error of this family | the error itself |
 * | an error of FeathersJS (`type: 'FeathersError'`), as its plug-ins throw | the class of its name; status, text, `data`, `errors` |
 * | a client error of http-errors (`expose: true`, status 400 to 499), as body parsers throw | its status and text, and nothing else |
 * | a path with malformed percent-encoding, by Express's router | 400 with a fixed text |
 * | a file that is not there, by `res.sendFile` and `serveStatic` | 404 with a fixed text |
 * | anything else, whatever properties it has | 500 with a fixed text |
 *
 * An SDK that this server calls also puts a `status` on its errors. Those are about the server's own request: passed on, a 401 would log
 * the client out, and the text may hold a part of the server's key.
 *
 * @param thrown whatever was thrown or rejected with, also `undefined`, a string or a frozen object
 * @returns the error to answer with; what was thrown is its `cause`, for the log, and is never sent
 * @see interface 7, security S39, S40, S47
 */
export function toFrameworkError(thrown: unknown): FrameworkError {
  try {
    if (isFrameworkError(thrown)) return thrown;
    return withCause(isError(thrown) ? (told(thrown) ?? unexpected()) : unexpected(), thrown);
  } catch {
    // A getter or a proxy threw while it was read.
    return withCause(unexpected(), thrown);
  }
}

/** What other families put on their errors; each property may be anything. */
interface ErrorShape extends Omit<Error, 'cause'> {
  readonly code?: unknown;
  readonly className?: unknown;
  readonly type?: unknown;
  readonly data?: unknown;
  readonly errors?: unknown;
  readonly status?: unknown;
  readonly statusCode?: unknown;
  readonly expose?: unknown;
}

function told(error: ErrorShape): FrameworkError | undefined {
  return ofFeathers(error) ?? exposed(error) ?? malformedPath(error) ?? missingFile(error);
}

function ofFeathers({ type, name, message, code, className, data, errors }: ErrorShape): FrameworkError | undefined {
  if (type !== 'FeathersError' || typeof className !== 'string' || !isStatus(code, 400, 599)) return undefined;
  const Named = findErrorClass(name);
  const error = Named ? new Named(message) : new FrameworkError(message, name, code, className);
  if (data !== undefined) error.data = data;
  if (errors !== undefined) error.errors = errors;
  return error;
}

function exposed({ expose, status, statusCode, message }: ErrorShape): FrameworkError | undefined {
  const code = status ?? statusCode;
  if (expose !== true || !isStatus(code, 400, 499)) return undefined;
  const Class = findErrorClass(code);
  if (Class) return new Class(message);
  const [name, className] = OTHER_CLIENT_ERRORS.get(code) ?? ['ClientError', 'client-error'];
  return new FrameworkError(message, name, code, className);
}

/** Client errors that the catalogue has no class for, by RFC 9110 and those that extend it. */
const OTHER_CLIENT_ERRORS: ReadonlyMap<number, readonly [name: string, className: string]> = new Map([
  [407, ['ProxyAuthenticationRequired', 'proxy-authentication-required']],
  [414, ['UriTooLong', 'uri-too-long']],
  [416, ['RangeNotSatisfiable', 'range-not-satisfiable']],
  [417, ['ExpectationFailed', 'expectation-failed']],
  [418, ['ImATeapot', 'im-a-teapot']],
  [421, ['MisdirectedRequest', 'misdirected-request']],
  [423, ['Locked', 'locked']],
  [424, ['FailedDependency', 'failed-dependency']],
  [425, ['TooEarly', 'too-early']],
  [426, ['UpgradeRequired', 'upgrade-required']],
  [428, ['PreconditionRequired', 'precondition-required']],
  [431, ['RequestHeaderFieldsTooLarge', 'request-header-fields-too-large']],
  [451, ['UnavailableForLegalReasons', 'unavailable-for-legal-reasons']],
]);

/** The router of Express gives the error of `decodeURIComponent` a status and no `expose`. */
function malformedPath({ name, status }: ErrorShape): FrameworkError | undefined {
  return name === 'URIError' && status === 400 ? new BadRequest('The path has malformed percent-encoding') : undefined;
}

/** The text of these has the path on the server, and so `send` marks them with `expose: false`. */
function missingFile({ expose, status, code }: ErrorShape): FrameworkError | undefined {
  const missing = expose === false && status === 404 && typeof code === 'string' && MISSING.has(code);
  return missing ? new NotFound(fixedText(404, 'not-found')) : undefined;
}

const MISSING: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG']);

function isStatus(code: unknown, least: number, most: number): code is number {
  return typeof code === 'number' && Number.isInteger(code) && code >= least && code <= most;
}

function unexpected(): FrameworkError {
  return new GeneralError(UNEXPECTED);
}

function withCause(error: FrameworkError, cause: unknown): FrameworkError {
  Object.defineProperty(error, 'cause', { value: cause, writable: true, configurable: true });
  return error;
}

import type { ResponseFacts } from './response-facts.ts';

/**
 * Why a call failed.
 *
 * | kind | what happened | code |
 * |---|---|---|
 * | `answer` | the server answered with an error | that of the error |
 * | `network` | no connection, or it was cut | 503 |
 * | `timeout` | nothing came in time | 408 |
 * | `redirect` | the server sent the call elsewhere, and calls follow nobody | 502 |
 * | `not-json` | an answer that is no JSON, or says that it is none: a page, for example | the status if it is an error, else 502 |
 * | `too-large` | an answer of more bytes than `maxResponse` | 502 |
 * | `unexpected` | JSON of another form than the call gives | 502 |
 * | `url-too-long` | an address of more letters than `maxUrl`: nothing was sent | 414 |
 * | `logged-out` | there is no login to go on with: nothing was sent, or a logout, or the login of somebody else, came while it was on its way | 401 |
 */
export type FailureKind =
  'answer' | 'network' | 'timeout' | 'redirect' | 'not-json' | 'too-large' | 'unexpected' | 'url-too-long' | 'logged-out';

/** What is known of a failure. */
export interface FailureFacts {
  /** HTTP status, or the code that stands for one. */
  readonly code?: number | undefined;
  /** Name of the error, as the server calls it. */
  readonly name?: string | undefined;
  readonly className?: string | undefined;
  readonly data?: unknown;
  readonly errors?: unknown;
  readonly response?: ResponseFacts | undefined;
  /** What the server sent. */
  readonly received?: string | undefined;
  readonly cause?: unknown;
}

/**
 * What calls fail with: an error of the server, with its `name`, `code`, `className`, `data` and `errors`, or a call without a proper answer.
 *
 * It is no `FrameworkError` of `@framework/errors`: a server that calls another one does not pass its refusals on to its own callers.
 */
export class FrameworkClientError extends Error {
  /** What happened. */
  declare readonly kind: FailureKind;
  /** HTTP status, or the code that stands for one. */
  declare readonly code: number;
  /** Name in kebab-case, for example `not-found`. */
  declare readonly className: string;
  /** Facts that the server tells. */
  declare readonly data: unknown;
  /** Single problems that the server tells, for example one for each field. */
  declare readonly errors: unknown;
  /** Status, headers and correlation id of the answer; `undefined` without one, and over sockets. */
  declare readonly response: ResponseFacts | undefined;
  /** The beginning of what the server sent in place of an answer, at most 1,000 letters. */
  declare readonly received: string | undefined;

  constructor(
    kind: FailureKind,
    message: string,
    { name = 'FrameworkClientError', code = 502, className = kind, data, errors, response, received, cause }: FailureFacts = {},
  ) {
    super(message, { cause });
    Object.assign(this, { kind, name, code, className, data, errors });
    // What is written as JSON has the text, and no headers.
    Object.defineProperties(this, {
      message: { enumerable: true },
      response: { value: response },
      received: { value: received?.slice(0, 1000) },
    });
  }
}

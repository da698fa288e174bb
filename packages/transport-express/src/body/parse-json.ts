/** What a body holds, or why it can not be read. */
export interface ParsedBody {
  readonly value: unknown;
  readonly error?: Error;
}

/**
 * Parses the text of a body, and makes of one that is malformed the same error as Express's parser.
 *
 * @param body the text
 * @param strict whether only objects and arrays are taken
 */
export function parseJson(body: string, strict: boolean): ParsedBody {
  const text = body.startsWith(BYTE_ORDER_MARK) ? body.slice(1) : body;
  if (text === '') return { value: {} };
  try {
    const value: unknown = JSON.parse(text);
    if (!strict || (typeof value === 'object' && value !== null)) return { value };
  } catch (error) {
    // What begins like an object or an array has its own fault; for all else the beginning is the fault.
    if (!strict || OBJECT_OR_ARRAY.test(text)) return { value: undefined, error: malformed(error, text) };
  }
  return { value: undefined, error: malformed(faultAtStart(text), text) };
}

const BYTE_ORDER_MARK = '\ufeff';

const OBJECT_OR_ARRAY = /^[\t\n\r ]*[[{]/;

/** The error that JSON makes of the first character, had it no meaning in JSON. */
function faultAtStart(text: string): unknown {
  const start = text.search(/[^\t\n\r ]/);
  const unknown = start < 0 ? '' : text.slice(0, start) + '#'.repeat(text.length - start);
  try {
    return JSON.parse(unknown);
  } catch (error) {
    const { message } = error as SyntaxError;
    return new SyntaxError(message.replace(/#+/g, (run) => text.slice(start, start + run.length)));
  }
}

function malformed(error: unknown, body: string): Error {
  const found = error instanceof Error ? error : new SyntaxError('The body is not JSON');
  return asClientError(found, { body, type: 'entity.parse.failed' });
}

/**
 * The error of a body whose client has gone.
 *
 * @param length bytes that were announced
 * @param received bytes that came
 */
export function abortedBody(length: number, received: number): Error {
  const error = new Error('request aborted');
  error.name = 'BadRequestError';
  return asClientError(error, { code: 'ECONNABORTED', expected: length, length, received, type: 'request.aborted' });
}

/** The error of a body whose connection has failed. */
export function brokenBody(error: Error): Error {
  return asClientError(error, {});
}

/** Errors of HTTP libraries say by these properties that they are faults of the client, whose text may be sent. */
export function asClientError(error: Error, facts: Readonly<Record<string, unknown>>): Error {
  return Object.assign(error, { expose: true, statusCode: 400, status: 400 }, facts);
}

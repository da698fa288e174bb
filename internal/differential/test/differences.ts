import type { DifferentialRequest } from './requests.ts';

/** What a server answered. */
export interface Seen {
  readonly status: number;
  readonly type: string;
  readonly location: string;
  readonly etag: string;
  readonly body: unknown;
}

/** A difference that is meant. */
export interface KnownDifference {
  /** Why it is so. */
  readonly reason: string;
  readonly applies: (request: DifferentialRequest, theirs: Seen, ours: Seen) => boolean;
}

const accepts = (request: DifferentialRequest, part: string): boolean => request.headers.accept?.includes(part) === true;

/** The one difference that comes beside others. */
export const NO_TAG: KnownDifference = {
  reason: 'answers to writes, errors and answers without a body have no ETag: nobody can ask for them again',
  applies: ({ method }, theirs, ours) => {
    const repeatable = (method === 'GET' || method === 'HEAD') && ours.status === 200;
    return !repeatable && theirs.etag !== '' && ours.etag === '';
  },
};

/** All other differences that are meant, with their reasons. */
export const KNOWN_DIFFERENCES: readonly KnownDifference[] = [
  {
    reason: 'OPTIONS is answered with 204 and Allow instead of 405',
    applies: ({ method }, theirs, ours) => method === 'OPTIONS' && theirs.status === 405 && ours.status === 204,
  },
  {
    reason: 'paths with loose slashes are sent to the one spelling of the service, which middleware at that path stands in front of',
    applies: ({ path }, _theirs, ours) => /^\/\/|\/\/(?:\?|$)/.test(path) && ours.status === 308,
  },
  { reason: 'ids in paths are decoded', applies: ({ path }) => path.startsWith('/items/a%20b') },
  {
    reason: 'POST with an id is 405 instead of a create that ignores it',
    applies: ({ method, path }, theirs, ours) =>
      method === 'POST' && ours.status === 405 && (theirs.status === 201 || path === '/read-only/1'),
  },
  {
    reason: 'X-Service-Method counts in POST requests only',
    applies: ({ method, headers }, theirs, ours) =>
      method === 'GET' && 'x-service-method' in headers && theirs.status === 405 && ours.status === 200,
  },
  {
    reason: 'malformed JSON is 400 instead of 500',
    applies: ({ body }, theirs, ours) => body === '{"a":' && theirs.status === 500 && ours.status === 400,
  },
  { reason: 'a body that no parser read is 415 instead of being ignored', applies: (_request, _theirs, ours) => ours.status === 415 },
  {
    reason: 'an Accept without JSON is 406 before the call instead of 500 after it',
    applies: (request, theirs, ours) => accepts(request, 'image/png') && ours.status === 406 && theirs.status >= 404,
  },
  {
    reason: 'a representation of JSON only: text/html alone is 406',
    applies: (request, _theirs, ours) => request.headers.accept === 'text/html' && ours.status === 406,
  },
  {
    reason: 'errors have the form that Accept wants most, instead of JSON wherever it is named',
    applies: (request, theirs, ours) =>
      theirs.status === ours.status &&
      ours.status >= 400 &&
      accepts(request, 'text/html,application/json;q=') &&
      ours.type.includes('html'),
  },
  {
    reason: 'errors are HTML unless JSON is asked for (interface 7)',
    applies: (request, theirs, ours) =>
      theirs.status === ours.status && ours.status >= 400 && !accepts(request, 'json') && ours.type.includes('html'),
  },
  {
    reason: 'created records have a Location',
    applies: (_request, theirs, ours) => ours.status === 201 && theirs.location === '' && ours.location !== '',
  },
  {
    reason: 'an undefined result is 204 instead of falling through to 404',
    applies: (_request, theirs, ours) => theirs.status === 404 && ours.status === 204,
  },
];

import { parseQueryString } from './query-parser.ts';

const REFUSALS = new WeakMap<object, Error>();

/**
 * Parses a query string for Express 4, which does so for every request. A query that is refused must not fail those who never read it,
 * for example static files: it is an object that throws at the first look.
 *
 * @param text the query string without `?`
 */
export function parseOrRefuseLater(text: string | null | undefined): object {
  try {
    return parseQueryString(text);
  } catch (error) {
    if (error instanceof Error) return refusal(error);
    throw error;
  }
}

/**
 * A query that is about to be read.
 *
 * @param query `req.query`
 * @returns the same
 * @throws BadRequest (400) when it was refused
 */
export function readableQuery<Q extends object>(query: Q): Q {
  const error = REFUSALS.get(query);
  if (error) throw error;
  return query;
}

function refusal(error: Error): object {
  const refuse = (): never => {
    throw error;
  };
  const query = new Proxy(
    {},
    {
      get: refuse,
      set: refuse,
      has: refuse,
      ownKeys: refuse,
      getOwnPropertyDescriptor: refuse,
      defineProperty: refuse,
      deleteProperty: refuse,
    },
  );
  REFUSALS.set(query, error);
  return query;
}

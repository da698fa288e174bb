import { checkOptionNames, checkOptionValues, type OptionKind } from '@framework/core';
import { NotFound } from '@framework/errors';
import type { RequestHandler } from 'express';
import { nothingStandsBehind } from '../application/registration-order.ts';

/** Options of {@link notFound}. */
export interface NotFoundOptions {
  /** Whether the message names the URL. Default: `false`. */
  verbose?: boolean;
}

const KINDS: Readonly<Record<keyof NotFoundOptions, OptionKind>> = { verbose: 'flag' };
const NAMES: ReadonlySet<string> = new Set(Object.keys(KINDS));

/**
 * Middleware that answers everything that nothing before it answered. Register it last, before the error handler: in front of `rest()` it is warned of (`NOT_FOUND_BEFORE_REST`).
 *
 * @throws TypeError for options that there are not or that are of another kind, also when it is registered without being called; NotFound (404) to the error handler
 * @see interface 4.4, 7
 */
export function notFound(options: NotFoundOptions = {}): RequestHandler {
  checkOptionNames('notFound()', options, NAMES);
  checkOptionValues('notFound()', options, KINDS);
  const { verbose = false } = options;
  const pageNotFound = (url: string): NotFound => new NotFound(verbose ? `Page not found: ${url}` : 'Page not found', { url });
  const answer: RequestHandler = ({ url }, _res, next) => {
    const error = pageNotFound(url);
    const [path = ''] = url.split('?', 1);
    if (path !== url) LOGGED.set(error, pageNotFound(path));
    next(error);
  };
  return nothingStandsBehind(answer);
}

/** A query may hold a token, or the code of a login, and is for who has sent it alone. */
const LOGGED = new WeakMap<object, NotFound>();

/**
 * What logs are told of an error: of one of {@link notFound} the path alone, without the query of its URL.
 *
 * @see interface 5.2, security S33
 */
export function loggedForm(error: unknown): unknown {
  return typeof error === 'object' && error !== null ? (LOGGED.get(error) ?? error) : error;
}

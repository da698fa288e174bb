import compression from 'compression';
import cors from 'cors';
import { json, raw, serveStatic, text, urlencoded } from './built-in.ts';
import { authenticate, parseAuthentication } from './middleware/authentication.ts';
import { errorHandler } from './middleware/error-handler.ts';
import { notFound } from './middleware/not-found.ts';
import { rest } from './rest/rest.ts';

const MAKERS: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  ...Object.entries({ compression, cors, errorHandler, json, notFound, raw, serveStatic, text, urlencoded }).map(
    ([name, maker]) => [maker, `app.use(${name}())`] as const,
  ),
  [authenticate, "app.use(authenticate('jwt'))"],
  [parseAuthentication, "app.use(parseAuthentication({ service: 'authentication' }))"],
  [rest, 'app.configure(rest())'],
]);

/**
 * Refuses what makes middleware where middleware is wanted: requests would wait for an answer for ever, or go on without what it does.
 *
 * @param args the arguments of `app.use`, or what is given to `app.configure`
 * @throws TypeError
 */
export function refuseUncalled(args: readonly unknown[]): void {
  for (const value of args.flat()) {
    const wanted = MAKERS.get(value);
    if (wanted !== undefined) throw new TypeError(`This makes middleware and is none itself. Call it: ${wanted}`);
  }
}

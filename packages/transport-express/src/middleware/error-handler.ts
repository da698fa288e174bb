import { resolve } from 'node:path';
import { types } from 'node:util';
import { checkOptionNames, isThenable, shownError } from '@framework/core';
import { FrameworkError, GeneralError, toFrameworkError } from '@framework/errors';
import type { ErrorRequestHandler } from 'express';
import { makeAnswer, NOTHING } from '../answer/answer.ts';
import { answerOfError, errorHeaders, errorStatus, type Failure } from '../answer/answer-of-error.ts';
import { errorForm } from '../answer/error-form.ts';
import { headersOfError } from '../answer/headers-of-error.ts';
import { show } from '../answer/show.ts';
import { write } from '../answer/write.ts';
import { ownLayer } from '../dispatch/unseen.ts';
import type { NextFunction, Request, Response } from '../middleware-types.ts';
import { errorLog, type ErrorLogger } from './error-log.ts';
import { requestId } from '../request-id.ts';
import { thrownText } from '../thrown-text.ts';
import { multipartError } from './multipart-error.ts';
import { giveToStandIn, isStandIn, requestOf } from './stand-in.ts';

export type { ErrorLogger } from './error-log.ts';

/** Sends an error in its own way. */
export type ErrorResponder = (error: FrameworkError, req: Request, res: Response, next: NextFunction) => unknown;

/** Options of {@link errorHandler}. */
export interface ErrorHandlerOptions {
  /**
   * How errors are sent as HTML: a function for all, an object from status (or `default`) to a file path or function, or
   * `false` for JSON only. Default: a built-in page. A function that fails, and a file that can not be read, is logged, and the built-in
   * answer sent instead.
   */
  html?: ErrorResponder | Readonly<Record<string | number, string | ErrorResponder>> | false;
  /** How errors are sent as JSON: a function for all, or an object from status (or `default`) to a function. */
  json?: ErrorResponder | Readonly<Record<string | number, ErrorResponder>>;
  /** Told of errors of 500 and above, of those below that hold one, and of all errors outside services; `false` for none. Default: `console.error`, without those last. */
  logger?: ErrorLogger | false | null;
  /** Whether the text of unexpected errors is sent. For development only. Default: `false`. */
  expose?: boolean;
  /** Folder that relative file paths of `html` start from. Default: the working directory. */
  public?: string;
}

const OPTIONS: ReadonlySet<string> = new Set(['html', 'json', 'logger', 'expose', 'public'] satisfies (keyof ErrorHandlerOptions)[]);

/**
 * The error handler: sends every error as JSON or HTML with its status. Register it after everything else.
 *
 * @throws TypeError for an option that there is not, or that is of another kind
 * @see interface 4.4, 7, decisions: error handler
 */
export function errorHandler(options: ErrorHandlerOptions = {}): ErrorRequestHandler {
  checkOptionNames('errorHandler()', options, OPTIONS);
  checkOptions(options);
  const log = errorLog(options.logger);
  // Express knows error handlers by their four parameters.
  const handler = (given: unknown, asked: Request, res: Response, next: NextFunction): void => {
    const req = requestOf(asked);
    const thrown = multipartError(given, req.headers['content-type']) ?? given;
    const failure = failureOf(thrown, req, options);
    const { error, id } = failure;
    const route = routeOf(req);
    if (!isHangUp(thrown, req, res)) log({ thrown, error, id, route, ofService: res.hook !== undefined });
    if (res.writableEnded) return;
    if (res.headersSent) {
      // Express would do so too, and print the error past the logger. What was written in this turn goes out before.
      // What stands for a request has no socket, and an error out here would end the process.
      setImmediate(() => (req.socket as Request['socket'] | undefined)?.destroy());
      return;
    }
    const responder = responderFor(options, failure);
    if (isStandIn(res)) {
      answerStandIn(failure, res, responder && (() => responder(error, req, res, next)));
      return;
    }
    const ways = [builtInWay(failure, req, res), bareWay(res)];
    if (responder !== undefined) ways.unshift(ownWay(failure, res, () => responder(error, req, res, next)));
    answerInTurn(ways, res, (reason) => {
      log({ thrown: reason, error: new GeneralError('An error could not be answered'), id, route, ofService: false });
    });
  };
  // What a responder does with the response is not known.
  return options.html || options.json ? handler : ownLayer(handler);
}

/**
 * @returns whether middleware or a service failed because its client has gone: while it wrote into the response, which what fails otherwise has ended itself, or
 *   while it read the request
 */
function isHangUp(thrown: unknown, req: Request, res: Response): boolean {
  if (!types.isNativeError(thrown) || !('code' in thrown)) return false;
  if (thrown.code === 'ERR_STREAM_PREMATURE_CLOSE') return res.destroyed && !res.errored;
  return thrown.code === 'ECONNRESET' && thrown === req.errored;
}

/** @returns where a request came to, for the log; what it asked for is not in it, since addresses may hold tokens */
function routeOf({ method, baseUrl, route }: Request): string | undefined {
  const path: unknown = (route as { readonly path?: unknown } | undefined)?.path;
  return typeof path === 'string' ? `${method} ${baseUrl}${path}` : undefined;
}

/** Callers without types may give anything, and would hear of it with the first error. */
function checkOptions({ html, json, logger, expose, public: folder }: { readonly [name in keyof ErrorHandlerOptions]: unknown }): void {
  const refuse = (name: string, expected: string): never => {
    throw new TypeError(`The option '${name}' of errorHandler() is ${expected}`);
  };
  if (html !== undefined && html !== false && !isChoice(html, (page) => typeof page === 'string' || typeof page === 'function'))
    refuse(
      'html',
      "a function, false, or an object from status to file or function, such as { 404: 'not-found.html', default: 'error.html' }",
    );
  if (json !== undefined && !isChoice(json, (responder) => typeof responder === 'function'))
    refuse('json', 'a function, or an object from status to function, such as { default: (error, req, res) => res.json(error) }');
  for (const [name, choice] of Object.entries({ html, json })) {
    const key = unknownStatus(choice);
    if (key !== undefined) refuse(name, `by status, 400 to 599, and 'default' for the others: '${key}' is none, and would never be asked`);
  }
  if (logger !== undefined && logger !== null && logger !== false && !isLogger(logger))
    refuse('logger', 'a function, an object with a method error, or false');
  if (expose !== undefined && typeof expose !== 'boolean') refuse('expose', 'true or false');
  if (folder !== undefined && typeof folder !== 'string') refuse('public', 'the path of a folder');
}

function isChoice(choice: unknown, fits: (entry: unknown) => boolean): boolean {
  if (typeof choice === 'function') return true;
  return typeof choice === 'object' && choice !== null && Object.values(choice).every((entry) => entry === undefined || fits(entry));
}

/** @returns a name under which no error is looked for */
function unknownStatus(choice: unknown): string | undefined {
  if (typeof choice !== 'object' || choice === null) return undefined;
  return Object.keys(choice).find((key) => key !== 'default' && !/^[45]\d\d$/.test(key));
}

function isLogger(logger: unknown): boolean {
  return (
    typeof logger === 'function' || (typeof logger === 'object' && logger !== null && typeof Reflect.get(logger, 'error') === 'function')
  );
}

function failureOf(thrown: unknown, req: Request, options: ErrorHandlerOptions): Failure {
  const { headers } = req;
  const viewer = { params: { ...req.framework, headers } };
  const error = withStatus(toFrameworkError(shownError(options.expose === true ? exposed(thrown) : toFrameworkError(thrown), viewer)));
  const id = error.code >= 500 ? requestId(req) : undefined;
  const form = errorForm(headers, options.html !== false);
  return { error, headers: headersOfError(thrown, error), id, form, authorized: headers.authorization !== undefined };
}

/** An error with a code that is no status of an error is a fault of the server, like others of which nothing is known. */
function withStatus(error: FrameworkError): FrameworkError {
  if (errorStatus(error) === error.code) return error;
  const text = `The code of an error is a whole number from 400 to 599, and not ${String(error.code)}`;
  return toFrameworkError(new Error(text, { cause: error }));
}

function exposed(thrown: unknown): FrameworkError {
  const error = toFrameworkError(thrown);
  if (error === thrown || error.code < 500) return error;
  return new FrameworkError(
    thrownText(thrown),
    error.name,
    error.code,
    error.className,
    typeof error.data === 'object' ? error.data : undefined,
  );
}

const OF_CONTENT = ['Content-Type', 'Content-Length', 'Content-Encoding', 'Content-Language', 'Content-Location', 'Content-Range'];
const OF_REPRESENTATION = [...OF_CONTENT, 'ETag', 'Last-Modified', 'Location'];

/** Takes back what described the answer that could not be given. */
function forgetContent(res: Response): void {
  if (res.getHeaderNames().length === 0) return;
  for (const name of OF_REPRESENTATION) res.removeHeader(name);
}

/** @returns `undefined` where the built-in answer is sent */
function responderFor(options: ErrorHandlerOptions, { form, error }: Failure): ErrorResponder | undefined {
  if (form !== 'html') return chosen(options.json, error.code);
  const page = chosen(options.html === false ? undefined : options.html, error.code);
  return typeof page === 'string' ? fileResponder(resolve(options.public ?? '.', page)) : page;
}

function chosen<T>(
  choice: ErrorResponder | Readonly<Record<string | number, T>> | undefined,
  code: number,
): T | ErrorResponder | undefined {
  return typeof choice === 'function' ? choice : (choice?.[code] ?? choice?.default);
}

/**
 * A page is sent whole and with the error's status, whatever part or condition the request has named. Its path is the application's, which no request has
 * chosen: a folder on the way may begin with a dot.
 */
const WHOLE = { acceptRanges: false, cacheControl: false, dotfiles: 'allow', etag: false, lastModified: false } as const;

function fileResponder(file: string): ErrorResponder {
  return (_error, _req, res) =>
    new Promise<void>((done, fail) => {
      res.type('html').sendFile(file, WHOLE, (reason: unknown) => {
        // A client that has gone is no fault of the file.
        if (reason && !res.destroyed && !res.writableEnded) fail(new Error(`The error page ${file} can not be sent`, { cause: reason }));
        else done();
      });
    });
}

/** A way to answer. It fails by throwing, by a promise that is rejected, or by a call of `failed`. */
type Way = (failed: (reason: unknown) => void) => unknown;

function ownWay(failure: Failure, res: Response, respond: () => unknown): Way {
  return () => {
    forgetContent(res);
    show(makeAnswer(errorStatus(failure.error), errorHeaders(failure), NOTHING), res);
    return respond();
  };
}

function builtInWay(failure: Failure, req: Request, res: Response): Way {
  return (failed) => {
    forgetContent(res);
    write(answerOfError(failure), req, res, failed);
  };
}

/** For the case that whatever the application has put before the response fails too. */
function bareWay(res: Response): Way {
  return () => {
    forgetContent(res);
    res.statusCode = 500;
    res.end();
  };
}

function answerStandIn(failure: Failure, res: Response, respond: (() => unknown) | undefined): void {
  if (respond) {
    giveToStandIn(makeAnswer(errorStatus(failure.error), errorHeaders(failure), NOTHING), res);
    respond();
  } else if (!giveToStandIn(answerOfError(failure), res)) giveToStandIn(answerOfError({ ...failure, form: 'json' }), res);
}

/** Takes the first way that does not fail. When one fails that has begun to answer, or none is left, the connection is closed. */
function answerInTurn([way, ...others]: readonly Way[], res: Response, report: (reason: unknown) => void): void {
  if (way === undefined) return;
  const failed = (reason: unknown): void => {
    report(reason);
    if (res.writableEnded) return;
    if (res.headersSent || others.length === 0) res.destroy();
    else answerInTurn(others, res, report);
  };
  try {
    const pending = way(failed);
    if (isThenable(pending)) pending.then(undefined, failed);
  } catch (reason) {
    failed(reason);
  }
}

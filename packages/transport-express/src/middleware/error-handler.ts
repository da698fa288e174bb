import { resolve } from 'node:path';
import { FrameworkError, toFrameworkError, type FrameworkErrorJSON } from '@framework/errors';
import type { ErrorRequestHandler } from 'express';
import type { NextFunction, Request, Response } from '../middleware-types.ts';
import { requestId } from '../request-id.ts';
import { varyByClient } from '../rest/vary.ts';
import { errorPage } from './error-page.ts';
import { multipartError } from './multipart-error.ts';

/** Sends an error in its own way. */
export type ErrorResponder = (error: FrameworkError, req: Request, res: Response, next: NextFunction) => unknown;

/** Told of errors. */
export type ErrorLogger =
  ((error: unknown) => unknown) | { readonly error: (error: unknown) => unknown; readonly info?: (error: unknown) => unknown };

/** Options of {@link errorHandler}. */
export interface ErrorHandlerOptions {
  /**
   * How errors are sent as HTML: a function for all, an object from status (or `default`) to a file path or function, or
   * `false` for JSON only. Default: a built-in page.
   */
  html?: ErrorResponder | Readonly<Record<string | number, string | ErrorResponder>> | false;
  /** How errors are sent as JSON: a function for all, or an object from status (or `default`) to a function. */
  json?: ErrorResponder | Readonly<Record<string | number, ErrorResponder>>;
  /** Told of errors of 500 and above and of all errors outside services; `false` for none. Default: `console.error` for 500 and above. */
  logger?: ErrorLogger | false | null;
  /** Whether the text of unexpected errors is sent. For development only. Default: `false`. */
  expose?: boolean;
  /** Folder that relative file paths of `html` start from. Default: the working directory. */
  public?: string;
}

/**
 * The error handler: sends every error as JSON or HTML with its status. Register it after everything else.
 *
 * @see interface 4.4, 7, decisions: error handler
 */
export function errorHandler(options: ErrorHandlerOptions = {}): ErrorRequestHandler {
  const log = loggerOf(options.logger);
  // Express knows error handlers by their four parameters.
  return (given: unknown, req: Request, res: Response, next: NextFunction): void => {
    const thrown = multipartError(given, req.headers['content-type']) ?? given;
    const error = options.expose === true ? exposed(thrown) : toFrameworkError(thrown);
    const correlationId = error.code >= 500 ? requestId(req) : undefined;
    log(thrown, error, res, correlationId);
    if (res.headersSent) {
      next(thrown);
      return;
    }
    setHeaders(req, res, error, correlationId);
    respond(options, error, correlationId, req, res, next);
  };
}

function exposed(thrown: unknown): FrameworkError {
  const error = toFrameworkError(thrown);
  if (error === thrown || error.code < 500) return error;
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  return new FrameworkError(text, error.name, error.code, error.className, error.data as object | undefined);
}

function setHeaders(req: Request, res: Response, error: FrameworkError, correlationId: string | undefined): void {
  res.statusCode = isErrorStatus(error.code) ? error.code : 500;
  res.removeHeader('ETag');
  res.removeHeader('Content-Length');
  res.setHeader('X-Content-Type-Options', 'nosniff');
  res.setHeader('Cache-Control', 'no-store');
  varyByClient(res);
  if (correlationId !== undefined) res.setHeader('X-Correlation-Id', correlationId);
  if (error.code === 401 && !res.hasHeader('WWW-Authenticate')) {
    const invalid = req.headers.authorization === undefined ? '' : ', error="invalid_token"';
    res.setHeader('WWW-Authenticate', `Bearer realm="api"${invalid}`);
  }
  if (error.code === 403 && !res.hasHeader('WWW-Authenticate') && req.headers.authorization !== undefined) {
    res.setHeader('WWW-Authenticate', 'Bearer realm="api", error="insufficient_scope"');
  }
  const { retryAfter } = (error.data ?? {}) as { retryAfter?: unknown };
  if (error.code === 429 && typeof retryAfter === 'number') res.setHeader('Retry-After', Math.max(1, Math.ceil(retryAfter)));
}

function isErrorStatus(code: number): boolean {
  return Number.isInteger(code) && code >= 400 && code <= 599;
}

function respond(
  options: ErrorHandlerOptions,
  error: FrameworkError,
  correlationId: string | undefined,
  req: Request,
  res: Response,
  next: NextFunction,
): void {
  if (options.html === false || wantsJson(req)) {
    const custom = pick(options.json, error.code);
    if (typeof custom === 'function') custom(error, req, res, next);
    else sendJson(error, correlationId, req, res);
    return;
  }
  const page = pick(options.html, error.code);
  if (typeof page === 'function') page(error, req, res, next);
  else if (typeof page === 'string') res.type('html').sendFile(resolve(options.public ?? '.', page));
  else send(res, 'text/html; charset=utf-8', errorPage(error, correlationId), req);
}

function pick<T>(
  choice: ErrorResponder | Readonly<Record<string | number, T>> | false | undefined,
  code: number,
): T | ErrorResponder | undefined {
  if (typeof choice === 'function') return choice;
  return choice ? (choice[code] ?? choice.default) : undefined;
}

/** JSON when Accept asks for it, or when the request itself came as JSON (interface 7, decisions). */
function wantsJson(req: Request): boolean {
  const { accept, 'content-type': type } = req.headers;
  return accept?.includes('json') === true || type?.includes('json') === true;
}

function sendJson(error: FrameworkError, correlationId: string | undefined, req: Request, res: Response): void {
  const body = bodyOf(error, correlationId);
  if (req.headers.accept?.includes('application/problem+json') === true) {
    const { name, message, code, ...rest } = body;
    const problem = { type: 'about:blank', title: name, status: code, detail: message, ...rest };
    send(res, 'application/problem+json; charset=utf-8', stringify(problem), req);
  } else send(res, 'application/json; charset=utf-8', stringify(body), req);
}

function bodyOf(error: FrameworkError, correlationId: string | undefined): FrameworkErrorJSON {
  const body = error.toJSON();
  if (correlationId === undefined) return body;
  const { errors, ...rest } = body;
  const data = { ...(typeof body.data === 'object' ? body.data : {}), correlationId };
  return { ...rest, data, ...(errors === undefined ? {} : { errors }) };
}

/** Data of an error may hold anything; what can not be written as JSON is left out. */
function stringify(body: object): string {
  try {
    return JSON.stringify(body);
  } catch {
    return JSON.stringify({ ...body, data: undefined, errors: undefined });
  }
}

function send(res: Response, type: string, text: string, req: Request): void {
  res.setHeader('Content-Type', type);
  res.setHeader('Content-Length', Buffer.byteLength(text));
  res.end(req.method === 'HEAD' ? undefined : text);
}

type Log = (thrown: unknown, error: FrameworkError, res: Response, correlationId: string | undefined) => void;

function loggerOf(logger: ErrorLogger | false | null | undefined): Log {
  if (logger === false || logger === null) return () => undefined;
  const custom = logger !== undefined;
  const target = logger ?? {
    error: (error: unknown): void => {
      console.error(error);
    },
  };
  return (thrown, error, res, correlationId) => {
    const original = error.cause ?? thrown;
    if (error.code >= 500 && typeof original === 'object' && original !== null && Object.isExtensible(original)) {
      Object.defineProperty(original, 'correlationId', { value: correlationId, enumerable: true, configurable: true });
    }
    // What a service answers below 500 is its normal work and is not logged.
    if (error.code < 500 && (res.hook !== undefined || !custom)) return;
    if (typeof target === 'function') target(original);
    else if (error.code >= 500) target.error(original);
    else target.info?.(original);
  };
}

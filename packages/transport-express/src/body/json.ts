import type { IncomingMessage } from 'node:http';
import { checkSpelling } from '@framework/core';
import originalExpress, { type RequestHandler } from 'express';
import { ownLayer } from '../dispatch/unseen.ts';
import type { Request, Response } from '../middleware-types.ts';
import { abortedBody, brokenBody, parseJson } from './parse-json.ts';
import { refusalOfBytes, verifyUtf8 } from './utf8-body.ts';

type JsonParser = ReturnType<typeof originalExpress.json>;

/** Options of Express's own parser. */
export type JsonOptions = NonNullable<Parameters<typeof originalExpress.json>[0]>;

/** Versions of Express may have more: what is near to none of these is theirs. */
const NAMES: ReadonlySet<string> = new Set<keyof JsonOptions>(['inflate', 'limit', 'reviver', 'strict', 'type', 'verify']);

/** Largest body, in bytes, when `limit` does not say otherwise (interface 4.3). */
export const JSON_LIMIT = 102_400;

const LIMIT = /^(\d+) *(|b|kb|mb|gb)$/i;
const UNITS: Readonly<Record<string, number>> = { kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3 };

/**
 * Parses JSON bodies: Express's parser, with the same options and errors, except that bytes that are no UTF-8 are refused. Bodies as most clients send them (`application/json` in
 * UTF-8, with a length, not compressed) are read without its detours; everything else is left to it.
 *
 * @param options those of `express.json`
 * @throws TypeError for a misspelt option; BadRequest (400), PayloadTooLarge (413), UnsupportedMediaType (415) to the error handler, as Express's parser makes them
 * @see interface 4.3, security S39
 */
export function json(options?: JsonOptions): JsonParser {
  checkSpelling('json()', options ?? {}, NAMES);
  const express = originalExpress.json({ ...options, verify: verifyUtf8(options) });
  const handler = fastJson(express, options ?? {});
  // Its types know of no `req.body`.
  return handler ? (handler as unknown as JsonParser) : express;
}

/** @returns `undefined` for options that only Express's parser knows */
function fastJson(express: RequestHandler, options: JsonOptions): RequestHandler | undefined {
  const limit = limitOf(options);
  if (limit === undefined) return undefined;
  const { strict = true } = options;
  const emptyBody = bodyOfNone(express);
  const marks = emptyBody() !== undefined;
  return ownLayer((req, res, next) => {
    const length = req.headers['content-length'];
    if (length === undefined && req.headers['transfer-encoding'] === undefined) {
      if (req.body === undefined) req.body = emptyBody();
      next();
      return;
    }
    if (!isOrdinary(req, Number(length), limit)) {
      express(req, res, next);
      return;
    }
    // So do the parsers of Express 4, which ask for it.
    if (marks) Reflect.set(req, '_body', true);
    // A promise keeps the asynchronous context of the layers before.
    void read(req, Number(length)).then(({ bytes, failure }) => {
      const refusal = failure ?? refusalOfBytes(bytes);
      const { value, error } = refusal ? { value: undefined, error: refusal } : parseJson(bytes.toString(), strict);
      req.body = error ? emptyBody() : value;
      next(error);
    });
  });
}

/** @returns bytes; `undefined` for options that only Express's parser knows */
function limitOf(options: JsonOptions): number | undefined {
  for (const name of Object.keys(options)) if (name !== 'limit' && name !== 'strict') return undefined;
  const { limit = JSON_LIMIT } = options;
  const [, amount, unit] = LIMIT.exec(String(limit)) ?? [];
  return amount === undefined ? undefined : Number(amount) * (UNITS[String(unit).toLowerCase()] ?? 1);
}

/** What Express's parser makes of requests that have no body, which differs between its versions. */
function bodyOfNone(express: RequestHandler): () => unknown {
  const probe = { headers: {} } as unknown as Request;
  express(probe, {} as unknown as Response, () => undefined);
  return probe.body === undefined ? () => undefined : () => ({});
}

function isOrdinary(req: Request, length: number, limit: number): boolean {
  const { 'content-type': type = '', 'content-encoding': encoding, 'transfer-encoding': transfer } = req.headers;
  if (encoding !== undefined || transfer !== undefined || !UTF8_JSON.test(type)) return false;
  // Someone else may have read it, or a part of it, or may be about to.
  const untouched = req.readableFlowing === null && !req.readableEnded && req.readableEncoding === null && !req.destroyed;
  return length > 0 && length <= limit && untouched && req.body === undefined && !Reflect.has(req, '_body');
}

const UTF8_JSON = /^application\/json *(?:; *charset=utf-8)?$/i;

interface ReadBody {
  readonly bytes: Buffer;
  /** Why not all of it came. */
  readonly failure?: Error;
}

function read(req: IncomingMessage, length: number): Promise<ReadBody> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let received = 0;
    const onData = (chunk: Buffer): void => {
      chunks.push(chunk);
      received += chunk.length;
    };
    const settle = (failure?: Error): void => {
      // Node 22 may keep the list of listeners in old memory, and with it all that they hold.
      req.off('data', onData).off('end', onEnd).off('aborted', onAborted).off('error', onError);
      resolve({ bytes: chunks.length === 1 ? (chunks[0] ?? EMPTY) : Buffer.concat(chunks), ...(failure ? { failure } : {}) });
    };
    const onEnd = (): void => {
      settle();
    };
    const onAborted = (): void => {
      settle(abortedBody(length, received));
    };
    const onError = (error: Error): void => {
      settle(brokenBody(error));
    };
    req.on('data', onData).on('end', onEnd).on('aborted', onAborted).on('error', onError);
  });
}

const EMPTY = Buffer.alloc(0);

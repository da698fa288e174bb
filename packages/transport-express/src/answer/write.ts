import { validateHeaderName, validateHeaderValue } from 'node:http';
import { isRecordSource, isThenable } from '@framework/core';
import type { NextFunction, Request, Response } from '../middleware-types.ts';
import { passError } from '../pass-error.ts';
import type { Answer, Content } from './answer.ts';
import { defaultTag } from './default-tag.ts';
import { isBodiless, negotiate } from './negotiate.ts';
import { show } from './show.ts';
import { isFormatReplaced, isFormattedByOthers, isWatched } from './watched.ts';
import { stopRecords, writeRecords } from './write-records.ts';

/**
 * Sends an answer. It goes through `res.json`, `res.send` and `res.format` where the application has replaced one of them, header by
 * header where somebody watches, and in one go where nobody does. What the client gets is the same.
 *
 * @param answer the answer; one that comes after another has begun is dropped
 * @param next gets what fails later: a stream, when the connection is closed, or a replaced function that is asynchronous
 * @throws TypeError for a value that JSON can not hold, before anything is sent
 */
export function write(answer: Answer, req: Request, res: Response, next: NextFunction): void {
  if (res.headersSent || res.writableEnded) {
    drop(answer, next);
    return;
  }
  if (isFormattedByOthers(res) && giveToOthers(answer, res, next)) return;
  const settings = settingsOf(req);
  const formed = negotiate(answer, { accept: req.headers.accept, settings });
  const { content } = formed;
  if (content.kind === 'records') {
    writeRecords({ answer, content, settings }, req, res, next);
    return;
  }
  const text = content.kind === 'text' ? content : undefined;
  if (isConditional(req) || isWatched(req, res)) {
    show(answer, res);
    writeInSteps(text, settings, req, res);
  } else writeInOneGo(formed, text, settings, req, res);
}

/** Nobody will read its records. */
function drop({ content }: Answer, next: NextFunction): void {
  if (content.kind === 'value' && isRecordSource(content.value)) stopRecords(content.value).catch(passError(next));
}

/** Settings of the application that a request is for. */
export function settingsOf(req: Request): Settings {
  // Express's types leave settings open. Express 4 reads the query before it prepares a request, and may fail there.
  return ((req.app as Request['app'] | undefined)?.settings as Settings | undefined) ?? {};
}

type Settings = Readonly<Record<string, unknown>>;
type Text = Extract<Content, { kind: 'text' }>;

/** @returns `false` for what those functions know nothing of: streams, and answers without a body */
function giveToOthers(answer: Answer, res: Response, next: NextFunction): boolean {
  const { status, content } = answer;
  if (content.kind === 'nothing' || content.kind === 'records' || isBodiless(status)) return false;
  if (content.kind === 'value' && isRecordSource(content.value)) return false;
  show(answer, res);
  if (content.type !== undefined && !res.hasHeader('Content-Type')) res.setHeader('Content-Type', content.type);
  const sent: unknown = sendByOthers(content, res);
  // What replaces them may be asynchronous.
  if (isThenable(sent)) sent.then(undefined, passError(next));
  return true;
}

function sendByOthers(content: Exclude<Content, { kind: 'nothing' | 'records' }>, res: Response): unknown {
  if (content.kind === 'text') return res.send(content.text);
  const send = (): unknown => res.json(content.value);
  if (!isFormatReplaced(res)) return send();
  if (content.type === undefined) return res.format({ 'application/json': send });
  // The form of an error is chosen: Express, which chooses too, would refuse it with a page of its own to whoever takes none of these.
  const type = res.getHeader('Content-Type');
  const sendError = (): unknown => {
    if (type !== undefined) res.setHeader('Content-Type', type);
    return send();
  };
  return res.format({ 'application/json': sendError, default: sendError });
}

function writeInOneGo({ status, headers }: Answer, text: Text | undefined, settings: Settings, req: Request, res: Response): void {
  const list: (string | readonly string[])[] = [];
  let tagged = false;
  let typed = false;
  for (const { name, value } of headers) {
    const key = name.toLowerCase();
    // Nothing has no type.
    if (key === 'content-type' && text === undefined) continue;
    list.push(name, value);
    tagged ||= key === 'etag';
    typed ||= key === 'content-type';
  }
  if (text !== undefined) {
    const tag = tagged || !mayBeTagged(req, status) ? undefined : defaultTag(text.text, settings['etag fn']);
    if (tag !== undefined) list.push('ETag', tag);
    if (!typed) list.push('Content-Type', text.type);
    list.push('Content-Length', String(Buffer.byteLength(text.text)));
  } else if (hasLength(status)) list.push('Content-Length', '0');
  writeHead(status, list, res);
  res.end(req.method === 'HEAD' ? undefined : text?.text);
}

/** Where Node refuses a header it has noted the rest of the head already, and the answer of the error would go out with that. */
function writeHead(status: number, list: readonly (string | readonly string[])[], res: Response): void {
  const { statusMessage } = res;
  // What has no body would be noted too, and nothing takes it back.
  if (isBodiless(status)) for (let at = 0; at < list.length; at += 2) validateHeaders(String(list[at]), list[at + 1] ?? '');
  try {
    // Node's types know pairs only.
    res.writeHead(status, list as string[]);
  } catch (error) {
    res.statusMessage = statusMessage;
    throw error;
  }
}

function validateHeaders(name: string, value: string | readonly string[]): void {
  validateHeaderName(name);
  for (const each of [value].flat()) validateHeaderValue(name, each);
}

function writeInSteps(text: Text | undefined, settings: Settings, req: Request, res: Response): void {
  if (text === undefined) {
    endWithoutBody(res);
    return;
  }
  if (mayBeTagged(req, res.statusCode) && !res.hasHeader('ETag')) {
    const tag = defaultTag(text.text, settings['etag fn']);
    if (tag !== undefined) res.setHeader('ETag', tag);
  }
  // What is unchanged is decided by Express, which looks at the headers as they are now.
  if (mayBeTagged(req, res.statusCode) && isConditional(req) && req.fresh) {
    res.statusCode = 304;
    endWithoutBody(res);
    return;
  }
  if (!res.hasHeader('Content-Type')) res.setHeader('Content-Type', text.type);
  if (!res.hasHeader('Transfer-Encoding')) res.setHeader('Content-Length', Buffer.byteLength(text.text));
  res.end(req.method === 'HEAD' ? undefined : text.text);
}

function endWithoutBody(res: Response): void {
  for (const name of ['Content-Type', 'Content-Length', 'Transfer-Encoding']) res.removeHeader(name);
  if (hasLength(res.statusCode)) res.setHeader('Content-Length', 0);
  res.end();
}

/** Whether the length of a body is told, also of an empty one: clients would else wait for the end of it (RFC 9110, 8.6). */
function hasLength(status: number): boolean {
  return status !== 204 && status !== 304;
}

/** A tag is for what can be asked for again; answers to writes are not. */
function mayBeTagged({ method }: Request, status: number): boolean {
  return (method === 'GET' || method === 'HEAD') && status >= 200 && status < 300;
}

/** Whether the client asks for an answer only if it has changed. */
function isConditional({ method, headers }: Request): boolean {
  if (headers['if-none-match'] === undefined && headers['if-modified-since'] === undefined) return false;
  return method === 'GET' || method === 'HEAD';
}

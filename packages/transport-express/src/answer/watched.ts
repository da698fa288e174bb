import { channel } from 'node:diagnostics_channel';
import { EventEmitter } from 'node:events';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import originalExpress from 'express';
import { isExpressOwn } from '../dispatch/known-functions.ts';
import { isOwnLayer, isUnseen } from '../dispatch/unseen.ts';
import type { Response } from '../middleware-types.ts';

/** Where Node tells tools of each request and response. */
const [STARTED, CREATED, FINISHED] = [
  channel('http.server.request.start'),
  channel('http.server.response.created'),
  channel('http.server.response.finish'),
];

/** What a response does when nobody has replaced it. */
const { setHeader, getHeader, getHeaders, end, write, writeHead } = membersOf(http.ServerResponse.prototype);
const { on, once, addListener, emit } = membersOf(EventEmitter.prototype);
/** The same of Express. */
const { json, send, format } = membersOf(originalExpress.response);

/**
 * Somebody has replaced them before this package was loaded: `end` is inherited, and Node's own `writeHead` stores the head, which a
 * wrapper leaves to it.
 */
const REPLACED_BEFORE = Object.hasOwn(http.ServerResponse.prototype, 'end') || !String(writeHead).includes('_storeHeader');

/**
 * Whether somebody may look at a response beside the client: a layer or a tool that has hold of it, a listener, a replaced function.
 * Node keeps headers that are written in one go from `res.getHeader`, so only an answer that nobody watches is sent in that way.
 */
export function isWatched(req: IncomingMessage, res: Response): boolean {
  return (
    REPLACED_BEFORE ||
    !isUnseen(res) ||
    res.getHeaderNames().length > 0 ||
    STARTED.hasSubscribers ||
    CREATED.hasSubscribers ||
    FINISHED.hasSubscribers ||
    hasReplacedFunctions(res) ||
    hasListeners(res) ||
    isServerWatched(req)
  );
}

/** Whether JSON, texts or the choice of a form go through functions that the application has replaced, and so has to see what is sent. */
export function isFormattedByOthers(res: Response): boolean {
  if (res.json === json && res.send === send && res.format === format) return false;
  // Express 4 may fail before it has given a response its functions.
  return typeof res.json === 'function';
}

/** Whether the application chooses among forms itself, and not by the function of its copy of Express. */
export function isFormatReplaced(res: Response): boolean {
  const present: unknown = Reflect.get(res, 'format');
  return present !== format && !(typeof present === 'function' && isExpressOwn(present));
}

function hasReplacedFunctions(res: ServerResponse): boolean {
  return (
    res.writeHead !== writeHead ||
    res.end !== end ||
    res.write !== write ||
    res.setHeader !== setHeader ||
    res.getHeader !== getHeader ||
    res.getHeaders !== getHeaders ||
    res.emit !== emit ||
    res.on !== on ||
    res.once !== once ||
    res.addListener !== addListener
  );
}

/** Node itself listens once to the end of each response; this package may listen for a client that hangs up. */
function hasListeners(res: ServerResponse): boolean {
  if (res.listenerCount('finish') > 1 || res.listenerCount('prefinish') > 0 || res.listenerCount('error') > 0) return true;
  return res.listenerCount('close') > 0 && !res.listeners('close').every(isOwnLayer);
}

/** Tools that trace replace what tells a server's listeners of requests. */
function isServerWatched({ socket }: IncomingMessage): boolean {
  const { server } = socket as { server?: http.Server };
  return server === undefined || server.emit !== emit || server.listenerCount('request') !== 1;
}

/** Members to compare with, not to call. */
function membersOf<T extends object>(owner: T): Readonly<Record<keyof T, unknown>> {
  return owner;
}

import { createHash, createHmac, randomUUID } from 'node:crypto';
import {
  checkOptionNames,
  copyParams,
  describeService,
  describing,
  isRecordSource,
  isThenable,
  LOGIN_SERVICE,
  reachedMethod,
  whenEnded,
  type HookContext,
  type HookDescription,
  type Http,
  type NextFunction,
} from '@framework/core';
import { BadRequest, Conflict, Unprocessable } from '@framework/errors';
import { aroundAlone } from '../around-alone.ts';
import type { AuthenticationHost } from '../authentication-port.ts';
import { httpChanges } from './http-changes.ts';
import type { IdempotencyStore, KeptCall } from './idempotency-store.ts';
import { MemoryIdempotencyStore } from './memory-idempotency-store.ts';
import { outcomeOfAnswer, outcomeOfError, replay } from './outcome.ts';
import { KEY_HEADER, REQUEST_PATH } from './request-path.ts';
import { TakenKeys } from './taken-keys.ts';

/** Options of {@link idempotent}. */
export interface IdempotentOptions {
  /** How long answers are kept, in seconds. Default: 86,400, which is a day. */
  readonly keep?: number;
  /** Where. Default: a `MemoryIdempotencyStore` of this process. */
  readonly store?: IdempotencyStore;
  /** Who makes a call, as a text that no other caller has: the keys of one mean nothing for another. It is not waited for. Default: the subject of the login, or `params.user` by its id, else `anyone`. */
  readonly caller?: (context: HookContext) => string;
}

const OPTIONS: ReadonlySet<string> = new Set(['keep', 'store', 'caller'] satisfies (keyof IdempotentOptions)[]);
/** Milliseconds in which a call that is being made tells what came of it, or else nobody may know: its process may have ended. */
const LONGEST_CALL = 300_000;
const READS: ReadonlySet<string> = new Set(['find', 'get']);
/** What documents say of the methods that have the hook. */
const DESCRIPTION: HookDescription = {
  headers: {
    'Idempotency-Key':
      'Names the write: one that comes again with its key is not made again, and gets the same answer. 16 to 255 letters, digits and signs, for example a UUID.',
  },
  answerHeaders: { 'Idempotency-Replayed': '`true`: the answer was given before to the same key.' },
  errors: [409, 422, 503],
};
/** Marks a call whose key is taken, for calls that are made with its `params`. */
const TAKEN: unique symbol = Symbol('framework.idempotency-key');
/** Stands in front of fingerprints. Another one where calls are compared in another way, or what is kept of answers has another form. */
const FORM = '1.';
/** That it was another call would have the caller make the write again, which may have been made. */
const OF_ANOTHER_VERSION =
  'The first call with this Idempotency-Key was noted by another version of the server, which compares calls in another way, so that nobody knows whether this is the same one: look whether it was made, and make it with another key';
/** What takes down how a call is answered. */
type Answered = (http: Http) => void;
/** Calls whose key is taken, for a hook that stands there twice, or in a transaction that is tried again. */
const taken = new WeakMap<HookContext, Answered>();

/**
 * Around hook: a write over HTTP with the header `Idempotency-Key` is made once. Who sends it again, because the answer was lost, gets the same answer.
 * It stands behind what lets callers in, which is asked each time, and in front of what changes data: `hooks({ around: { all: [loginRequired, idempotent()] } })`.
 *
 * What the caller gets is kept, as it is answered. A call that fails with a status below 500 before its method is called may be made again with its key; what the
 * method or a hook behind it refuses stays refused, and what fails otherwise stays failed.
 *
 * @returns the hook. It throws BadRequest (400) for a key that is none and for a call whose files or stream can not be compared, Conflict (409) while the first call is being made, and for a key that another version of the server has noted, Unprocessable (422) for a key
 *   that another call has had, Unavailable (503) when keys can not be taken
 * @throws TypeError for options that can not be meant, and when it runs as a hook itself, since it was not called
 */
export function idempotent(options: IdempotentOptions = {}): (context: HookContext, next: NextFunction) => Promise<void> {
  // Listed as it is, and not called, it gets the context.
  if (typeof options === 'object' && options !== null && 'params' in options)
    throw new TypeError('The idempotent hook was listed without being called: list it called, as idempotent()');
  checkOptionNames('idempotent()', options, OPTIONS);
  const { keep = 86_400, store = new MemoryIdempotencyStore(), caller = callerOf } = options;
  if (!Number.isFinite(keep) || keep <= 0) throw new TypeError("The option 'keep' of idempotent() is a number of seconds above 0");
  checkFunctions(store, caller);
  const keys = new TakenKeys(store, keep * 1000);

  const once = async (context: HookContext, next: NextFunction): Promise<void> => {
    const { params } = context;
    const given = params.headers?.[KEY_HEADER];
    // Sockets have the headers of their first request alone; a login gives tokens, which are kept nowhere.
    if (given === undefined || params.provider !== 'rest' || READS.has(context.method) || isLogin(context.service)) return next();
    const known = taken.get(context);
    if (known) return answered(context, next, known);
    if (TAKEN in params) return next();
    checkComparable(context);
    const who = checkedCaller(caller(context));
    const key = checkedKey(given);
    const held = { key: digest([who, key]), holder: randomUUID() };
    const fingerprint = fingerprintOf(context, key);
    const before = await keys.take(held, fingerprint);
    if (before !== undefined) {
      if (!before.fingerprint.startsWith(FORM)) throw new Conflict(OF_ANOTHER_VERSION);
      if (before.fingerprint !== fingerprint)
        throw new Unprocessable('This Idempotency-Key was sent with another call: make a new one for each call');
      if (before.outcome === undefined) throw withoutOutcome(before);
      replay(context, before.outcome);
      return;
    }
    const changesOf = httpChanges(context);
    let http: Http = {};
    const note: Answered = (present) => {
      http = changesOf(present);
    };
    taken.set(context, note);
    whenEnded(context, async (failure) => {
      await keys.note(held, failure ? outcomeOfError(failure.error, reachedMethod(context)) : outcomeOfAnswer(context, http));
    });
    // It is finished though nobody waits: whoever asks again gets its answer.
    context.params = copyParams(params, { [TAKEN]: true }, ['signal']);
    return answered(context, next, note);
  };
  const hook = function idempotent(context: HookContext, next: NextFunction): Promise<void> {
    // Thrown and not rejected: Express 4 would see nothing of that.
    aroundAlone('idempotent()', next);
    return once(context, next);
  };
  return describing(hook, ({ method, service }) => (READS.has(method) || isLogin(service) ? undefined : DESCRIPTION));
}

async function answered(context: HookContext, next: NextFunction, note: Answered): Promise<void> {
  await next();
  note(context.http);
}

/** A key without an outcome is that of a call that is being made, or whose process has ended, or could not reach the store. */
function withoutOutcome({ age }: KeptCall): Conflict {
  return age > LONGEST_CALL
    ? new Conflict(
        'The first call with this Idempotency-Key has not told what came of it, and nobody knows how much of it was done: look, and make it with another one',
      )
    : new Conflict('The first call with this Idempotency-Key is being made: ask again later', { retryAfter: 1 });
}

/** Callers without types may give anything. */
function checkFunctions(store: unknown, caller: unknown): void {
  const lacks = (['take', 'keep', 'free'] satisfies (keyof IdempotencyStore)[]).find((name) => typeof property(store, name) !== 'function');
  if (lacks !== undefined)
    throw new TypeError(`The option 'store' of idempotent() has to have the methods take, keep and free, and has no '${lacks}'`);
  if (typeof caller !== 'function')
    throw new TypeError(
      "The option 'caller' of idempotent() is a function that says who makes a call, such as (context) => context.params.tenant",
    );
}

/**
 * A promise, or nothing, is the same for everybody: one would get the answers of another.
 *
 * @throws TypeError
 */
function checkedCaller(given: unknown): string {
  if (typeof given === 'string' && given !== '') return given;
  const kind = isThenable(given) ? 'a promise' : given === '' ? 'an empty text' : given === null ? 'null' : typeof given;
  throw new TypeError(`The option 'caller' of idempotent() has to give a text that no other caller has, and gave ${kind}`);
}

/** @throws BadRequest (400) */
function checkedKey(given: string | readonly string[]): string {
  if (typeof given === 'string' && /^[\x21-\x7e]{16,255}$/.test(given)) return given;
  throw new BadRequest('An Idempotency-Key has 16 to 255 letters, digits and signs without spaces, for example a UUID');
}

/**
 * What is sent with the form of an upload, or as a stream, is not part of the call as a hook sees it: another file with the same key would get the answer of the first one.
 *
 * @throws BadRequest (400)
 */
function checkComparable({ data, params }: HookContext): void {
  if (!/^multipart\//i.test(String(params.headers?.['content-type'] ?? '')) && !isRecordSource(data)) return;
  throw new BadRequest(
    'An Idempotency-Key is for calls whose data are JSON, text or fields: files and streams can not be compared when they come again. Send this call without it',
  );
}

function isLogin(service: unknown): boolean {
  return typeof service === 'object' && service !== null && describeService(service)?.credentials !== undefined;
}

/**
 * A write under another condition is another one: what the first came to says nothing of it.
 *
 * @param key of the caller, which is stored nowhere: without it nobody can try passwords that were among the data
 */
function fingerprintOf({ path, method, id, data, params }: HookContext, key: string): string {
  const { route, query, precondition, [REQUEST_PATH]: asked } = params as typeof params & { readonly [REQUEST_PATH]?: string };
  const call = [asked ?? null, path, method, id ?? null, route ?? {}, query ?? {}, data ?? null, ...(precondition ? [precondition] : [])];
  return FORM + createHmac('sha256', key).update(textOf(call)).digest('base64url');
}

/**
 * A user is who calls, whoever has found out: hooks of an application's own do not say that somebody has logged in.
 *
 * @throws Error for a login, or a user, of whom it is not known who it is
 */
function callerOf({ app, params }: HookContext): string {
  const { authenticated, authentication, user, [LOGIN_SERVICE]: service } = params as Readonly<Record<PropertyKey, unknown>>;
  const payload = authenticated === true ? property(authentication, 'payload') : undefined;
  const subject = property(payload, 'sub') ?? property(user, '_id') ?? property(user, 'id');
  const id = textOfId(subject);
  // Users of the default authentication service have no name in front of them, so that keys that are kept outlast a second service.
  const isOfAnother = typeof service === 'string' && service !== (app as AuthenticationHost).get('defaultAuthentication');
  if (id !== undefined) return isOfAnother ? `subject ${id} of ${service}` : `subject ${id}`;
  if (authenticated === true || (user !== undefined && user !== null))
    throw new Error("idempotent() does not know who has logged in: give it the option 'caller'");
  return authentication === undefined ? 'anyone' : `credentials ${digest(authentication)}`;
}

/** @returns the JSON of an id; `undefined` for what is none, or looks like others there: nothing, an empty text, `NaN`, a map */
function textOfId(id: unknown): string | undefined {
  const text: unknown = typeof id === 'bigint' ? String(id) : JSON.stringify(id);
  return typeof text === 'string' && /^(".+"|\{.+\}|-?\d.*)$/.test(text) ? text : undefined;
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function digest(value: unknown): string {
  return createHash('sha256').update(textOf(value)).digest('base64url');
}

function textOf(value: unknown): string {
  return JSON.stringify(value, comparable);
}

/** Hooks in front may have made of the data what JSON has no form for, or the same form for all of its kind. */
function comparable(_name: string, value: unknown): unknown {
  if (typeof value === 'bigint') return { bigint: String(value) };
  if (value instanceof RegExp) return { regexp: String(value) };
  return value instanceof Map || value instanceof Set ? { entries: [...value] } : value;
}

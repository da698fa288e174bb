import { checkOptions } from '../check-options.ts';
import { FrameworkClientError } from '../errors/client-error.ts';
import { need } from '../need.ts';
import type { LoginHeaders } from '../authentication/authentication-types.ts';
import { joinHeaders } from '../rest/join-headers.ts';
import { readAnswer } from '../rest/read-answer.ts';
import type { RestOptions } from '../rest/rest.ts';
import { withinTime } from '../rest/within-time.ts';
import { EventStream, type EventConnection, type EventListener } from '../events/event-stream.ts';
import type { EventTransport } from '../events/events.ts';
import { withoutSlashes } from '../service/service-path.ts';
import { wait } from '../wait.ts';
import { StreamParser } from './stream-parser.ts';

/** Options of {@link sse}. */
export interface SseOptions {
  /** Where the streams of the server are, with or without slashes around it. Default: `events`. */
  readonly path?: string;
  /** Makes requests in place of the platform's `fetch`, which has to stream. Default: `globalThis.fetch`. */
  readonly fetch?: typeof fetch;
  /** Headers of all requests, or a function that gives them each time that the stream is made. Default: none. */
  readonly headers?: RestOptions['headers'];
  /** Whether cookies go along, as `fetch` has it. Default: `same-origin`. */
  readonly credentials?: RestOptions['credentials'];
  /** Longest wait in milliseconds before the stream is made again, also where the server asks for a longer one. Default: 30,000. */
  readonly maxDelay?: number;
  /** Milliseconds without a sign of life, or an answer, after which a stream counts as cut; the server gives one each 20 seconds. Default: 60,000. */
  readonly silence?: number;
  /** Most letters of one event. Default: 1,000,000. */
  readonly maxEvent?: number;
}

/** Where a client is among the events: the id of the last one that it was told. */
interface Place {
  lastId: string;
  /** What the last request logged in with; a cookie may do without. */
  login: string | undefined;
}

/** Since a stream stood: how often it could not be made, and how many logins were refused and replaced. */
interface Tries {
  failed: number;
  refused: number;
}

/** Default of {@link SseOptions.silence}. */
const SILENCE = 60_000;
/** Milliseconds: one that is cut each time it was made is not made again as fast as it can be, whatever the server asks for. */
const LEAST = 100;
/** A server that takes no login at all is not asked for ever. */
const MOST_LOGINS = 3;
/** Statuses that pass. */
const PASSING: ReadonlySet<number> = new Set([408, 429]);

/**
 * Events of services by server-sent events. The stream is read with `fetch`, so that the login goes along; what is missed while it is cut comes when it
 * is back, by the id of the last event, or `reset` is told.
 *
 * @param url address of the server, as that of `rest`
 * @throws TypeError for an option that there is not
 */
export function sse(url: string, options: SseOptions = {}): EventTransport {
  need((url as string | undefined)?.length, 'sse() needs a url');
  checkOptions('sse()', options, 'path fetch headers credentials maxDelay silence maxEvent');
  const address = `${url.replace(/\/+$/, '')}/${withoutSlashes(options.path ?? 'events')}`;
  return {
    events(host) {
      // One that is closed and opened again goes on where it was.
      const place: Place = { lastId: '', login: undefined };
      const connection: EventConnection = {
        open(listener) {
          const controller = new AbortController();
          const { signal } = controller;
          run(address, options, listener, signal, place).catch((error: unknown) => {
            if (!signal.aborted) listener.error(asError(error));
          });
          return () => controller.abort();
        },
      };
      return new EventStream(connection, host);
    },
  };
}

async function run(url: string, options: SseOptions, listener: EventListener, signal: AbortSignal, place: Place): Promise<void> {
  const { maxDelay = 30_000 } = options;
  const tries: Tries = { failed: 0, refused: 0 };
  for (; ; tries.failed++) {
    let asked: number | undefined;
    try {
      const response = await open(url, options, listener, signal, place, tries);
      if (!response) continue;
      Object.assign(tries, { failed: 0, refused: 0 });
      asked = await read(response, options, listener, signal, place);
      signal.throwIfAborted();
      listener.disconnect();
    } catch (error) {
      if (signal.aborted || isFinal(error)) throw error;
      if (tries.failed === 0) listener.disconnect();
    }
    // Who hears of the cut may close the client.
    signal.throwIfAborted();
    const longest = Math.min(maxDelay, Math.max(LEAST, asked ?? 500 * 2 ** Math.min(tries.failed, 10)));
    await wait(longest / 2 + (Math.random() * longest) / 2, signal);
  }
}

/** @returns `undefined` where its login was refused, and there is a new one */
async function open(
  url: string,
  options: SseOptions,
  listener: EventListener,
  signal: AbortSignal,
  place: Place,
  tries: Tries,
): Promise<Response | undefined> {
  const headers = await listener.headers();
  // The server waits for the login that a stream had, for seconds, and sends nothing meanwhile: of who has logged out there is none to come.
  if (place.login && !headers.authorization) place.lastId = place.lastId.replace('+', '');
  place.login = headers.authorization;
  try {
    return await withinTime(options.silence ?? SILENCE, signal, (ended) => request(url, options, headers, place, ended));
  } catch (error) {
    if (!isRefused(error) || tries.refused >= MOST_LOGINS || !(await listener.isReplaced(headers))) throw error;
    // Counted where there was another one: a renewal that is not to be had at present fails above, and passes.
    tries.refused++;
    return undefined;
  }
}

/** @throws FrameworkClientError what the answer says, or that there was none; for one that is no stream */
async function request(
  url: string,
  { fetch: own, headers, credentials }: SseOptions,
  login: LoginHeaders,
  { lastId }: Place,
  signal: AbortSignal,
): Promise<Response> {
  const given = typeof headers === 'function' ? await headers() : headers;
  let response: Response;
  try {
    response = await (own ?? globalThis.fetch)(url, {
      headers: joinHeaders({ accept: 'text/event-stream', 'last-event-id': lastId || undefined }, given, login),
      redirect: 'manual',
      cache: 'no-store',
      signal,
      ...(credentials === undefined ? {} : { credentials }),
    });
  } catch (error) {
    throw new FrameworkClientError('network', 'The stream of events could not be opened', { code: 503, cause: error });
  }
  if (!response.ok || !/^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '')) await refuse(response);
  return response;
}

/** Reads until the stream ends, or is silent for too long. */
async function read(
  { body }: Response,
  { silence = SILENCE, maxEvent = 1_000_000 }: SseOptions,
  listener: EventListener,
  signal: AbortSignal,
  place: Place,
): Promise<number | undefined> {
  const reader = body?.getReader();
  if (!reader)
    throw new FrameworkClientError('unexpected', 'This platform does not stream answers: take socketio() for events', { code: 501 });
  const decoder = new TextDecoder(undefined, { fatal: true });
  let isText = true;
  const parser = new StreamParser(maxEvent, ({ name, data }) => {
    // What came with the event at which a listener ended this comes again with the next stream. Of what is no text nothing is believed but its ids.
    if (signal.aborted || !isText) return;
    // One that is cut before it was told a place has missed what the server can not tell: it is to say so.
    place.lastId = parser.lastId || '-';
    if (name === 'connection') listener.connect();
    else if (name === 'reset') listener.reset();
    else if (name !== 'position') tell(listener, name, data);
  });
  // Until it tells another one.
  parser.lastId = place.lastId;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const cancel = (): void => void reader.cancel().catch(() => undefined);
  signal.addEventListener('abort', cancel);
  if (signal.aborted) cancel();
  try {
    for (;;) {
      clearTimeout(timer);
      timer = setTimeout(cancel, Math.min(silence, 2e9));
      const { done, value } = await reader.read();
      if (done) return parser.retry;
      let text: string;
      try {
        text = decoder.decode(value, { stream: true });
      } catch {
        isText = false;
        text = new TextDecoder().decode(value);
      }
      parser.add(text);
      if (!isText) throw new RangeError('The stream of events is not UTF-8');
    }
  } catch (error) {
    // Cut off, or an event that is too large or no text: it is made again, behind that event, which would come again and again.
    if (error instanceof RangeError && !signal.aborted) {
      place.lastId = parser.lastId;
      listener.reset();
    }
    return parser.retry;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', cancel);
    cancel();
  }
}

function tell(listener: EventListener, name: string, data: string): void {
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch {
    // No event of a service.
    return;
  }
  listener.event(name, value);
}

/** @throws what the answer says; FrameworkClientError for one that is no stream */
async function refuse(response: Response): Promise<never> {
  const { ok, headers } = response;
  // An answer without an end is no stream of events either.
  if (!ok) await readAnswer(response, 100_000);
  response.body?.cancel().catch(() => undefined);
  throw new FrameworkClientError(
    'unexpected',
    `The server answered the request for events with '${headers.get('content-type') ?? 'no type'}'`,
    { code: 502 },
  );
}

function isRefused(error: unknown): boolean {
  return error instanceof FrameworkClientError && error.response?.status === 401;
}

/** Errors of the client's own making last, those of a busy or absent server pass. */
function isFinal(error: unknown): boolean {
  if (!(error instanceof FrameworkClientError)) return false;
  if (error.kind === 'unexpected') return true;
  return error.code < 500 && !PASSING.has(error.code);
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

import { checkOptionNames, stripSlashes } from '@framework/core';

/** Options of {@link sse}. */
export interface SseOptions {
  /** Path of the stream. Default: `events`. */
  readonly path?: string;
  /** Milliseconds between two signs of life on streams that send nothing else; proxies cut those that stay silent. Default: 20,000. */
  readonly ping?: number;
  /** Least and most milliseconds after which a client that was cut off comes back; each stream gets a time between. Default: 1,000 and 5,000. */
  readonly retry?: readonly [least: number, most: number];
  /** Streams of this process; one more gets 503. Default: 10,000. */
  readonly maxStreams?: number;
  /** Streams of one network address, or of one IPv6 network of 64 bits; one more gets 429. Default: 1,000. */
  readonly maxPerAddress?: number;
}

/** Options with their defaults. */
export interface SseSettings extends Required<SseOptions> {
  /** Without slashes around it. */
  readonly path: string;
}

const DEFAULTS: Required<SseOptions> = { path: 'events', ping: 20_000, retry: [1000, 5000], maxStreams: 10_000, maxPerAddress: 1000 };

const NAMES: ReadonlySet<string> = new Set(Object.keys(DEFAULTS));

/** Longest time that timers know, in milliseconds. */
const LONGEST = 2 ** 31 - 1;

/**
 * Fills in the defaults.
 *
 * @throws TypeError for an unknown option, or one that is not what it has to be
 */
export function sseSettings(options: SseOptions): SseSettings {
  checkOptionNames('sse()', options, NAMES);
  const settings = { ...DEFAULTS, ...withoutUndefined(options) };
  for (const name of ['ping', 'maxStreams', 'maxPerAddress'] as const) checkNumber(name, settings[name]);
  return { ...settings, path: checkedPath(settings.path), retry: checkedRetry(settings.retry) };
}

function withoutUndefined(options: SseOptions): Partial<SseOptions> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

function isTime(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0 && Number(value) <= LONGEST;
}

function checkNumber(name: string, value: unknown): void {
  if (!isTime(value)) {
    throw new TypeError(`The option '${name}' of sse() has to be a whole number above 0, and is ${String(value)}`);
  }
}

function checkedPath(path: unknown): string {
  const plain = typeof path === 'string' ? stripSlashes(path) : '';
  if (!/^[\w.~-]+(?:\/[\w.~-]+)*$/.test(plain)) {
    throw new TypeError("The option 'path' of sse() has to be a path of letters, digits, '-', '_', '.' and '~', for example 'events'");
  }
  return plain;
}

function checkedRetry(retry: unknown): readonly [number, number] {
  const [least, most, ...others] = Array.isArray(retry) ? (retry as readonly unknown[]) : [];
  if (!isTime(least) || !isTime(most) || others.length > 0 || least > most) {
    throw new TypeError("The option 'retry' of sse() has to be two numbers of milliseconds, the least and the most: [1000, 5000]");
  }
  return [least, most];
}

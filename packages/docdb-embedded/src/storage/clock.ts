import { Timestamp } from '../bson/values.ts';

/** Where the counters are kept. */
export const COUNTERS: Buffer = Buffer.from('meta');

/** What is written beside every change: numbers that go on where the last run stopped. */
export interface Counters {
  /** Number of the last change. */
  seq: number;
  /** Version of the catalogue. */
  version: number;
  /** Next number of a collection or index. */
  next: number;
  /** The last cluster time. */
  second: number;
  increment: number;
  /** Number of the last change that the log has given up. */
  logStart: number;
  logBytes: number;
  /** The same when the folder was new. */
  logFirst: number;
}

const NAMES = ['seq', 'version', 'next', 'second', 'increment', 'logStart', 'logBytes', 'logFirst'] as const;

/** @returns the bytes of the counters */
export function writeCounters(counters: Counters): Buffer {
  const bytes = Buffer.allocUnsafe(NAMES.length * 8);
  NAMES.forEach((name, at) => bytes.writeDoubleBE(counters[name], at * 8));
  return bytes;
}

/** @returns counters from their bytes; the first ones of a new folder otherwise */
export function readCounters(bytes: Buffer | undefined): Counters {
  // Later than the numbers of other folders, so that a foreign resume token is recognised.
  const seq = Date.now() * 1000;
  const counters: Counters = { seq, version: 1, next: 1, second: 0, increment: 0, logStart: seq, logBytes: 0, logFirst: seq };
  if (bytes) NAMES.forEach((name, at) => (counters[name] = bytes.readDoubleBE(at * 8)));
  return counters;
}

/** @returns a new cluster time, later than all before */
export function nextTime(counters: Counters): Timestamp {
  const second = Math.max(counters.second, Math.floor(Date.now() / 1000));
  counters.increment = second === counters.second ? counters.increment + 1 : 1;
  counters.second = second;
  return lastTime(counters);
}

/** @returns the last cluster time that was given out */
export function lastTime({ second, increment }: Counters): Timestamp {
  return new Timestamp({ t: second, i: increment });
}

import type { RecordSource } from '@framework/core';

/**
 * One answer to a request, whoever makes it: a service call, an error, a stream of records. It is worked out by pure functions of
 * this folder and sent by `write.ts` alone.
 */
export interface Answer {
  /** HTTP status. */
  readonly status: number;
  /** Headers beside those that describe the content. No name comes twice. */
  readonly headers: readonly Header[];
  /** What is sent. */
  readonly content: Content;
}

/** A header, and what becomes of one of its name that stands on the response already. */
export interface Header {
  readonly name: string;
  readonly value: string | readonly string[];
  /** `set` replaces what stands there, `keep` leaves it, `add` puts the new values behind it. */
  readonly rule: 'set' | 'keep' | 'add';
}

/** What an answer sends. */
export type Content =
  /** No body at all. */
  | { readonly kind: 'nothing' }
  /** A value that has no form yet: `negotiate` gives it one. The result of a service has no type; an error has that of its form. */
  | { readonly kind: 'value'; readonly value: unknown; readonly type?: string }
  /** Text in its final form. */
  | { readonly kind: 'text'; readonly type: string; readonly text: string }
  /** Records, one by one. */
  | { readonly kind: 'records'; readonly type: string; readonly source: RecordSource };

/** The content of answers without a body. */
export const NOTHING: Content = Object.freeze({ kind: 'nothing' });

/** Type of answers in JSON. */
export const JSON_TYPE = 'application/json; charset=utf-8';

/** @returns the answer, frozen */
export function makeAnswer(status: number, headers: readonly Header[], content: Content): Answer {
  return Object.freeze({ status, headers, content });
}

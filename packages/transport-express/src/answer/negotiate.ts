import { isRecordSource } from '@framework/core';
import { makeAnswer, JSON_TYPE, NOTHING, type Answer } from './answer.ts';
import { isPreferred, wishFor } from './accept.ts';
import { jsonText, type JsonSettings } from './json-text.ts';
import { NDJSON_TYPE } from './ndjson.ts';

const LINES = 'application/x-ndjson';
/** Precision of a wish for the type itself. */
const NAMED = 3;

/** What the form of an answer depends on. */
export interface Asking {
  /** The request's `Accept` header. */
  readonly accept: string | undefined;
  /** Settings of the application. */
  readonly settings: JsonSettings;
}

/**
 * Gives an answer the form that the client asks for: JSON text, records in a JSON array or one in each line, or no body.
 *
 * @returns an answer whose content is not a value any more
 * @throws TypeError for a value that JSON can not hold
 */
export function negotiate(answer: Answer, { accept, settings }: Asking): Answer {
  const { status, headers, content } = answer;
  if (isBodiless(status)) return content.kind === 'nothing' ? answer : makeAnswer(status, headers, NOTHING);
  if (content.kind !== 'value') return answer;
  const { value, type = JSON_TYPE } = content;
  if (isRecordSource(value)) {
    return makeAnswer(status, headers, { kind: 'records', type: wantsLines(accept) ? NDJSON_TYPE : JSON_TYPE, source: value });
  }
  return makeAnswer(status, headers, { kind: 'text', type, text: jsonText(value, settings) });
}

/** Whether answers of a status have no body, whatever they would say (RFC 9110, 15.3.5, 15.3.6, 15.4.5). */
export function isBodiless(status: number): boolean {
  return status === 204 || status === 205 || status === 304;
}

/**
 * Tells whether a client takes what services answer with: JSON, or records one in each line. A client that refuses JSON by name (`q=0`) takes nothing of it
 * by a wildcard, or as the form of errors; only lines that it names too may come.
 *
 * @param accept the request's `Accept` header
 */
export function acceptsJson(accept: string | undefined): boolean {
  if (accept === undefined || accept === '*/*' || accept === 'application/json') return true;
  const json = wishFor(accept, 'application/json');
  if (json.quality > 0) return true;
  const lines = wishFor(accept, LINES);
  if (json.precision === NAMED) return lines.precision === NAMED && lines.quality > 0;
  return lines.quality > 0 || wishFor(accept, 'application/problem+json').quality > 0;
}

function wantsLines(accept: string | undefined): boolean {
  if (accept?.includes('ndjson') !== true) return false;
  const lines = wishFor(accept, LINES);
  return lines.precision === NAMED && isPreferred(lines, wishFor(accept, 'application/json'));
}

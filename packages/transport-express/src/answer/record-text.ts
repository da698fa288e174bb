import type { RecordSource } from '@framework/core';
import { indentation, jsonText, type JsonSettings } from './json-text.ts';
import { NDJSON_TYPE } from './ndjson.ts';

/** Characters that are put together before they are sent. */
const CHUNK = 16_384;

/**
 * The text of records, in pieces: a JSON array as {@link jsonText} would write it, or one record in each line.
 *
 * @param source the records
 * @param type {@link NDJSON_TYPE} or the type of JSON
 * @param settings settings of the application
 */
export async function* recordText(source: RecordSource, type: string, settings: JsonSettings): AsyncGenerator<string, void> {
  const form = type === NDJSON_TYPE ? linesForm(settings) : arrayForm(settings);
  let text = form.start;
  let separator = form.first;
  for await (const record of source) {
    text += separator + form.write(record);
    separator = form.next;
    if (text.length < CHUNK) continue;
    yield text;
    text = '';
  }
  text += separator === form.first ? form.none : form.end;
  if (text !== '') yield text;
}

interface Form {
  readonly start: string;
  /** Stands before the first record. */
  readonly first: string;
  /** Stands before each further one. */
  readonly next: string;
  /** Stands behind the last record. */
  readonly end: string;
  /** Stands there when there was no record. */
  readonly none: string;
  write(record: unknown): string;
}

function linesForm(settings: JsonSettings): Form {
  // A record with breaks in it would be several lines.
  const inOneLine = { ...settings, 'json spaces': undefined };
  return { start: '', first: '', next: '\n', end: '\n', none: '', write: (record) => jsonText(record, inOneLine) };
}

function arrayForm(settings: JsonSettings): Form {
  const indent = indentation(settings);
  if (indent === '') return { start: '[', first: '', next: ',', end: ']', none: ']', write: (record) => jsonText(record, settings) };
  // Breaks inside of texts are escaped: those that are left part the lines of the record.
  const write = (record: unknown): string => jsonText(record, settings).replaceAll('\n', `\n${indent}`);
  return { start: '[', first: `\n${indent}`, next: `,\n${indent}`, end: '\n]', none: ']', write };
}

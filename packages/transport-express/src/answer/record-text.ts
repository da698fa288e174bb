import { indentation, jsonText, type JsonSettings } from './json-text.ts';
import { NDJSON_TYPE } from './ndjson.ts';

/** The text of records, as it grows: a JSON array as {@link jsonText} would write it, or one record in each line. */
export class RecordText {
  readonly #form: Form;
  #text: string;
  #hasRecords = false;

  /**
   * @param type {@link NDJSON_TYPE} or the type of JSON
   * @param settings settings of the application
   */
  constructor(type: string, settings: JsonSettings) {
    this.#form = type === NDJSON_TYPE ? linesForm(settings) : arrayForm(settings);
    this.#text = this.#form.start;
  }

  /** Characters that were not taken yet; none before the first record. */
  get length(): number {
    return this.#hasRecords ? this.#text.length : 0;
  }

  /** @throws what the record's JSON throws */
  add(record: unknown): void {
    const text = this.#form.write(record);
    this.#text += this.#hasRecords ? this.#form.next + text : this.#form.first + text;
    this.#hasRecords = true;
  }

  /** @returns what was not taken yet */
  take(): string {
    const text = this.#text;
    this.#text = '';
    return text;
  }

  /** @returns what was not taken yet, to the end of the whole */
  takeLast(): string {
    return this.take() + (this.#hasRecords ? this.#form.end : this.#form.none);
  }
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
  // Each line is whole as soon as it is sent.
  return { start: '', first: '', next: '', end: '', none: '', write: (record) => `${jsonText(record, inOneLine)}\n` };
}

function arrayForm(settings: JsonSettings): Form {
  const indent = indentation(settings);
  if (indent === '') return { start: '[', first: '', next: ',', end: ']', none: ']', write: (record) => jsonText(record, settings) };
  // Breaks inside of texts are escaped: those that are left part the lines of the record.
  const write = (record: unknown): string => jsonText(record, settings).replaceAll('\n', `\n${indent}`);
  return { start: '[', first: `\n${indent}`, next: `,\n${indent}`, end: '\n]', none: ']', write };
}

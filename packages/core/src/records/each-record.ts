import type { HookContext } from '../hooks/hook-types.ts';
import { lettingGo } from './record-source.ts';
import { formOf, isPage } from './result-form.ts';

/** What of a page is no record, and no part of one: its numbers, and cursors, which are texts. */
const OF_PAGE: ReadonlySet<string> = new Set(['total', 'limit', 'skip', 'capped', 'next', 'previous']);

/** What is done with the records of a result. */
export interface RecordWork {
  /** For one record. */
  readonly record: (record: unknown) => unknown;
  /** For a value in which records may be anywhere. Default: as for a record. */
  readonly other?: (value: unknown) => unknown;
}

/**
 * Does something with each record of a result, and puts the result together again.
 *
 * @param value the result, or what is sent instead
 * @returns the new result; the given one when nothing has changed
 */
export function eachRecord(context: HookContext, value: unknown, { record, other = record }: RecordWork): unknown {
  switch (formOf(context, value)) {
    case 'records':
      return Array.isArray(value) ? mapped(value, record) : record(value);
    case 'stream':
      return streamed(value as AsyncIterable<unknown>, record);
    case 'page':
      return paged(value as Readonly<Record<string, unknown>>, record, other);
    case 'other':
      return other(value);
  }
}

function paged(page: Readonly<Record<string, unknown>>, record: (record: unknown) => unknown, other: (value: unknown) => unknown): unknown {
  const data = mapped(page.data as unknown[], record);
  const picked = (holds: (name: string) => boolean): object =>
    Object.fromEntries(Object.entries(page).filter(([name]) => name !== 'data' && holds(name)));
  const isOwn = (name: string): boolean => name === 'data' || isOfPage(name, page[name]);
  // Anything else may be a record after all.
  const rest = Object.keys(page).every(isOwn) ? undefined : other(picked((name) => !isOwn(name)));
  if (data === page.data && rest === undefined) return page;
  return { ...picked(isOwn), data, ...(rest as object | undefined) };
}

function isOfPage(name: string, value: unknown): boolean {
  return OF_PAGE.has(name) && (typeof value !== 'object' || value === null);
}

function mapped(list: readonly unknown[], of: (entry: unknown) => unknown): readonly unknown[] {
  const made = list.map(of);
  return made.every((entry, index) => entry === list[index]) ? list : made;
}

function streamed(records: AsyncIterable<unknown>, of: (record: unknown) => unknown): AsyncIterable<unknown> {
  return lettingGo(records, (held) => eachOf(held, of));
}

/** Ending the loop early ends the source too. */
async function* eachOf(records: AsyncIterable<unknown>, of: (record: unknown) => unknown): AsyncGenerator {
  for await (const record of records) yield await of(record);
}

/** {@link eachRecord} for work that takes time, and that is done for records alone: a service may give pages whatever a call asks it for. */
export async function eachRecordAsync(
  context: HookContext,
  value: unknown,
  record: (record: unknown) => Promise<unknown>,
): Promise<unknown> {
  if (formOf(context, value) === 'stream') return streamed(value as AsyncIterable<unknown>, record);
  if (Array.isArray(value)) return Promise.all(value.map(record));
  if (context.method === 'find' && isPage(value)) return { ...value, data: await Promise.all(value.data.map(record)) };
  return typeof value === 'object' && value !== null ? record(value) : value;
}

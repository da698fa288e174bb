import assert from 'node:assert/strict';
import type { CaseRecord, CaseService } from './types.ts';

/** @throws AssertionError for anything but a record */
export function recordOf(value: unknown): CaseRecord {
  assert.ok(isRecord(value), `expected a record, got ${String(value)}`);
  return value;
}

function isRecord(value: unknown): value is CaseRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @throws AssertionError for anything but a list of records */
export function recordsOf(value: unknown): CaseRecord[] {
  assert.ok(Array.isArray(value), `expected a list, got ${String(value)}`);
  return value.map(recordOf);
}

/** Creates several records, one after the other. */
export async function created(service: CaseService, ...data: readonly CaseRecord[]): Promise<CaseRecord[]> {
  const records: CaseRecord[] = [];
  for (const entry of data) records.push(recordOf(await service.create(entry)));
  return records;
}

/** What a query finds, by one property. */
export async function found(service: CaseService, query: CaseRecord, property = 'name'): Promise<unknown[]> {
  return recordsOf(await service.find({ query, paginate: false })).map((record) => record[property]);
}

/** Asserts that a call fails with a status. */
export async function refused(call: Promise<unknown>, code: number, about = ''): Promise<void> {
  const outcome = await call.then(
    () => 'no error',
    (error: unknown) => (typeof error === 'object' && error !== null && 'code' in error ? error.code : error),
  );
  assert.equal(outcome, code, about);
}

/** Asserts that a service has just these records. */
export async function has(service: CaseService, expected: readonly CaseRecord[], id: string): Promise<void> {
  const records = recordsOf(await service.find({ paginate: false }));
  const byId = (a: CaseRecord, b: CaseRecord): number => (String(a[id]) < String(b[id]) ? -1 : 1);
  assert.deepEqual([...records].sort(byId), [...expected].sort(byId));
}

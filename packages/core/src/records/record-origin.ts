import { Itself } from '../itself.ts';
import type { Viewer } from './record-rules.ts';

/** Gives of a record what a viewer may see. */
export type Shown = (record: object, viewer: Viewer) => unknown;

/** What a record brings along from the service that returned it. */
export interface RecordOrigin {
  /** The rules of its service. */
  readonly rules?: Shown;
  /** What resolvers of its service made of it for others. */
  readonly dispatch?: unknown;
}

/** Keeps the origin with the record. */
class FromService extends Itself {
  #origin: RecordOrigin;

  constructor(record: object, origin: RecordOrigin) {
    super(record);
    this.#origin = origin;
  }

  static originOf(record: object): RecordOrigin | undefined {
    return #origin in record ? record.#origin : undefined;
  }

  static change(record: object, origin: RecordOrigin): void {
    if (#origin in record) record.#origin = origin;
  }
}

/** Of records that take nothing more, which newer engines refuse private fields too. */
const sealed = new WeakMap<object, RecordOrigin>();
let anySealed = false;
let known = false;

/** @returns whether any record was ever remembered: before, there is none to look for */
export function hasOrigins(): boolean {
  return known;
}

/**
 * Remembers where a record comes from, so that its service's rules hold wherever it is put: inside a record of another service, in
 * the result of a custom method. A copy of the record is not known.
 *
 * @param origin what is added to what is known already
 */
export function rememberOrigin(record: unknown, origin: RecordOrigin): void {
  if (typeof record !== 'object' || record === null) return;
  known = true;
  const before = originOf(record);
  if (before === undefined) keep(record, origin);
  else if (adds(origin, before)) change(record, { ...before, ...origin });
}

function keep(record: object, origin: RecordOrigin): void {
  if (Object.isExtensible(record)) {
    new FromService(record, origin);
    return;
  }
  anySealed = true;
  sealed.set(record, origin);
}

function change(record: object, origin: RecordOrigin): void {
  if (sealed.has(record)) sealed.set(record, origin);
  else FromService.change(record, origin);
}

function adds({ rules, dispatch }: RecordOrigin, before: RecordOrigin): boolean {
  return (rules !== undefined && rules !== before.rules) || (dispatch !== undefined && dispatch !== before.dispatch);
}

/** @returns what a record brought along, or `undefined` */
export function originOf(record: object): RecordOrigin | undefined {
  return FromService.originOf(record) ?? (anySealed ? sealed.get(record) : undefined);
}

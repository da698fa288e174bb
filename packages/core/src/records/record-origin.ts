import { Itself } from '../itself.ts';
import type { Viewer } from './record-rules.ts';

/** What of a look at a value is known already. */
export interface Look {
  /** How deep the record lies in the value. */
  readonly depth: number;
  /** What the services of records show of them: each record is asked for once. */
  readonly shown: Map<object, unknown>;
}

/**
 * Gives of a record what a viewer may see.
 *
 * @param look the one in which the record was found. Default: a new one
 */
export type Shown = (record: object, viewer: Viewer, look?: Look) => unknown;

/** What a record brings along from the services that returned it. */
export interface RecordOrigin {
  /** The rules of its services: what one of them hides is hidden. */
  readonly rules?: readonly Shown[];
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
 * @param origin what is added to what is known already; another `dispatch` takes the place of the one before
 */
export function rememberOrigin(record: unknown, origin: RecordOrigin): void {
  if (typeof record !== 'object' || record === null) return;
  known = true;
  const before = originOf(record);
  if (before === undefined) keep(record, origin);
  else if (adds(origin, before)) change(record, { ...before, ...origin, ...withRules(before.rules, origin.rules) });
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

function adds({ rules = [], dispatch }: RecordOrigin, before: RecordOrigin): boolean {
  return rules.some((rule) => !before.rules?.includes(rule)) || (dispatch !== undefined && dispatch !== before.dispatch);
}

/** A record that another service hands on keeps the rules of the first. */
function withRules(before: readonly Shown[] | undefined, added: readonly Shown[] | undefined): Pick<RecordOrigin, 'rules'> {
  if (before === undefined || added === undefined) return {};
  return { rules: [...before, ...added.filter((rule) => !before.includes(rule))] };
}

/** @returns what a record brought along, or `undefined` */
export function originOf(record: object): RecordOrigin | undefined {
  return FromService.originOf(record) ?? (anySealed ? sealed.get(record) : undefined);
}

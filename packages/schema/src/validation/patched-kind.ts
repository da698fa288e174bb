import { isPlainObject } from '@framework/query';
import type { Ajv } from 'ajv';
import type { JSONSchema } from '../json-schema.ts';
import { kindsOf } from '../record-shape/kinds.ts';
import { References } from '../record-shape/references.ts';
import { compilerOf } from './ajv.ts';
import { dialectOf } from './dialect.ts';
import { judgeOf } from './judge.ts';
import { restartSteps } from './step-limit.ts';

/** What the record that a change is for has to have, so that it is of the same kind afterwards. */
export interface KindCondition {
  /** The property that tells kinds apart. */
  readonly name: string;
  /** What it may have. */
  readonly values: readonly unknown[];
}

/** Tells what a change asks of the record that it is for. */
export type AsksOfKind = (data: unknown) => readonly KindCondition[];

/**
 * A change of a record which is of one of several kinds fits some of them: made to another kind, it would leave a record that is of none.
 *
 * @param record the schema of a whole record, which says by what its kinds are told apart
 * @param patch the schema of changes; `undefined` where a library has it, of which is known what the record says alone
 */
export function asksOfKind(record: JSONSchema, patch: JSONSchema | undefined, ajv: Ajv | undefined): AsksOfKind {
  const resolve = (reference: string): unknown => ajv?.getSchema(reference)?.schema;
  const stored = kindsOf(record, new References(record, resolve));
  if (stored.length === 0) return () => NOTHING;
  const references = patch && new References(patch, resolve);
  const told = references ? kindsOf(patch, references, (name) => stored.some((one) => one.name === name)) : [];
  const judge = references && judgeOf(references, compilerOf(dialectOf(patch), ajv));
  const fitting = told.map(({ name, kinds }) => ({
    name,
    kinds: kinds.map(({ schema, values }) => ({ values, isMeant: judge?.test(schema) ?? ALL })),
  }));
  const named = stored
    .filter(({ name }) => told.every((one) => one.name !== name))
    .map(({ name, kinds }) => ({ name, kinds: kinds.map(({ values }) => ({ values, isMeant: setsOneOf(name, values) })) }));
  return (data) => {
    restartSteps();
    return [...fitting, ...named].flatMap(({ name, kinds }) => {
      const meant = kinds.filter(({ isMeant }) => isMeant(data));
      // It fits all kinds, or it is not known which.
      const asksNothing = meant.length === 0 || meant.length === kinds.length;
      return asksNothing ? [] : [{ name, values: meant.flatMap(({ values }) => values) }];
    });
  };
}

const NOTHING: readonly KindCondition[] = Object.freeze([]);
const ALL = (): boolean => true;

/** @returns tells whether a change sets a property to one of some values, or to nothing */
function setsOneOf(name: string, values: readonly unknown[]): (data: unknown) => boolean {
  return (data) => {
    const sets = isPlainObject(data) ? [data, data.$set].filter(isPlainObject) : [];
    const setting = sets.find((one) => one[name] !== undefined);
    return setting === undefined || values.includes(setting[name]);
  };
}

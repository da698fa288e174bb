import type { JSONSchema } from '../json-schema.ts';

/** Decides by the parameters of a call. */
export type FieldRule = (params: never) => boolean;

/** Marks schemas that do not describe a value: they only add rules to it. */
export const CONTRIBUTED: unique symbol = Symbol('framework.contributed');

/** What a schema says about who may see and set its value. */
export interface Marks {
  /** Neither sent nor queried, and not written from outside unless `writeOnly`. */
  readonly hidden: boolean;
  /** Not written from outside because it is hidden. */
  readonly sealed: boolean;
  /** Written from outside and never sent. */
  readonly writeOnly: boolean;
  /** Not written from outside. */
  readonly readOnly: boolean;
  /** Rules that all have to agree before a caller sees the value. */
  readonly readable: readonly FieldRule[];
  /** Rules that all have to agree before a caller sets the value. */
  readonly writable: readonly FieldRule[];
}

/** @returns whether a schema carries any mark by itself */
export function isMarked(schema: JSONSchema): boolean {
  return schema.hidden === true || schema.writeOnly === true || isReadOnly(schema) || isRule(schema.readable) || isRule(schema.writable);
}

/** The marks of a value that several schemas describe: whatever one of them forbids is forbidden. */
export function mergedMarks(schemas: readonly JSONSchema[]): Marks {
  const hiding = schemas.filter(({ hidden }) => hidden === true);
  const writeOnly = schemas.some((schema) => schema.writeOnly === true);
  return {
    // What one alternative takes says nothing of another that hides; what was added to a property is about the same property.
    sealed: hiding.some((schema) => schema.writeOnly !== true && !(writeOnly && CONTRIBUTED in schema)),
    hidden: hiding.length > 0,
    writeOnly,
    readOnly: schemas.some(isReadOnly),
    readable: schemas.map(({ readable }) => readable).filter(isRule),
    writable: schemas.map(({ writable }) => writable).filter(isRule),
  };
}

function isReadOnly(schema: JSONSchema): boolean {
  return schema.readOnly === true || Object.getOwnPropertySymbols(schema).some((symbol) => symbol.description === 'TypeBox.Readonly');
}

function isRule(rule: unknown): rule is FieldRule {
  return typeof rule === 'function';
}

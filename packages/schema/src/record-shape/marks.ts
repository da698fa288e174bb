import type { FieldRule, Marks } from '@framework/core';
import type { JSONSchema } from '../json-schema.ts';
import { isSchema } from './keywords.ts';

/** Keywords that decide who sees and sets a property. */
export const MARK_NAMES: readonly string[] = ['hidden', 'readOnly', 'writeOnly', 'readable', 'writable', 'reference'];

/** Marks schemas that do not describe a value: they only add rules to it. */
export const CONTRIBUTED: unique symbol = Symbol('framework.contributed');

/** @returns whether a schema carries any mark by itself */
export function isMarked(schema: JSONSchema): boolean {
  const kept = schema.hidden === true || schema.writeOnly === true || isReadOnly(schema);
  return kept || isRule(schema.readable) || isRule(schema.writable) || isReference(schema);
}

/** @returns whether a schema says that a value is the id of a record of another service */
export function isReference({ reference }: JSONSchema): boolean {
  return isSchema(reference) && ('service' in reference || 'as' in reference);
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

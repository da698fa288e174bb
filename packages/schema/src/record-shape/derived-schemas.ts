import type { WriteOperation } from '@framework/core';
import type { AnySchema } from '../validation/data-validator.ts';
import { closedRecord } from './closed-record.ts';
import { dataSchemaOf, type Unset } from './data-schema.ts';
import { IDS } from './ids.ts';
import type { RecordShape } from './record-shape.ts';

/**
 * Schemas of data as they follow from the record.
 *
 * @param patch that of patches, where it is written by itself
 * @param kept what a caller can not set, where the service keeps it. Default: it keeps nothing
 */
export function derivedSchemas(
  { schema, root, added }: RecordShape,
  patch: AnySchema | undefined,
  kept?: Unset,
): Readonly<Record<WriteOperation, AnySchema>> {
  const whole = closedRecord(schema, root);
  const create = dataSchemaOf(whole, { partial: false, optional: IDS, added });
  const update = kept ? dataSchemaOf(whole, { partial: false, optional: IDS, added, kept }) : create;
  return { create, update, patch: patch ?? dataSchemaOf(whole, { partial: true, added, ...(kept ? { kept } : {}) }) };
}

import type { RecordDescription, Viewer } from '@framework/core';
import { serviceSchema, type JSONSchema } from '../../src/index.ts';

/** What else a description is made of. */
export interface Given {
  readonly data?: unknown;
  readonly patch?: unknown;
  readonly extensions?: object;
  readonly ajv?: unknown;
  /** Default: a caller from outside of whom nothing is known. */
  readonly viewer?: Viewer;
  /** Services whose records may be shown. Default: all. */
  readonly exposed?: (path: string) => boolean;
  readonly keeps?: boolean;
}

/** A record as a viewer may know it. */
export function described(
  record: unknown,
  { viewer = { params: {} }, exposed = () => true, keeps = true, ...given }: Given = {},
): RecordDescription {
  const described = serviceSchema({ record: record as JSONSchema, ...given } as never).describe?.(viewer, exposed, keeps);
  if (described === undefined) throw new Error('serviceSchema describes no records');
  return described;
}

/** What is written of one property of a record that is sent. */
export function written(schema: unknown, given?: Given): unknown {
  const { record } = described({ type: 'object', properties: { value: schema } }, given);
  return (record as { properties?: Record<string, unknown> }).properties?.value;
}

/** A rule by role: only an admin may. */
export const admin = (params: { headers?: Record<string, unknown> }): boolean => params.headers?.['x-role'] === 'admin';

/** The viewer whom {@link admin} lets. */
export const ADMIN: Viewer = { params: { headers: { 'x-role': 'admin' } } };

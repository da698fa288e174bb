import { checkOptionNames } from '@framework/core';
import { Type, type TSchema, type TString, type TUnsafe } from '@sinclair/typebox';
import type { ServiceSchema } from '../service-schema.ts';
import { refuseNoObject } from '../refuse-nothing.ts';
import type { LeadsTo } from './reference-types.ts';

/** What says which records a reference leads to: the schema of their service, or a TypeBox schema of their type alone. */
export type Referenced = ServiceSchema<unknown, unknown, unknown, unknown> | TSchema;

type RecordOf<R> = R extends { readonly types?: { readonly record: infer Item } }
  ? Item
  : R extends TSchema
    ? R['static']
    : Record<string, unknown>;

type ExternalOf<R> = R extends { readonly types?: { readonly external: { readonly record: infer Item } } } ? Item : RecordOf<R>;

/** How a reference is told to {@link Reference}. */
export interface ReferenceOptions<As extends string, R> {
  /** Name of the property beside this one under which `$populate` puts the other record. */
  readonly as: As;
  /** Schema of the other service, for the types: `serviceSchema(…)`, or `Type.Unsafe<User>({})`. Default: any record. */
  readonly record?: R;
}

/** A schema of the id besides. */
export interface ReferenceIdOptions<As extends string, R, Id extends TSchema> extends ReferenceOptions<As, R> {
  /** Schema of the id. Default: text, which also finds records by object ids. */
  readonly id: Id;
}

const NAMES: ReadonlySet<string> = new Set<keyof ReferenceIdOptions<string, unknown, TSchema>>(['as', 'record', 'id']);

/**
 * The id of a record of another service; `Type.Array(Reference(…))` is a list of them. Callers may ask for the records:
 * `$populate=author`. They get what `find` of that service would give them.
 *
 * @param service path of the other service; the application refuses to start when there is none, or when its ids are of another type
 * @param options `as` names the property that takes the record
 * @throws TypeError for an option that there is not
 * @returns the schema of the id; in JSON Schema: `{ type: 'string', reference: { service: 'users', as: 'author' } }`
 */
export function Reference<As extends string, Id extends TSchema, R extends Referenced | undefined = undefined>(
  service: string,
  options: ReferenceIdOptions<As, R, Id>,
): TUnsafe<Id['static']> & LeadsTo<As, RecordOf<R>, ExternalOf<R>>;
export function Reference<As extends string, R extends Referenced | undefined = undefined>(
  service: string,
  options: ReferenceOptions<As, R>,
): TString & LeadsTo<As, RecordOf<R>, ExternalOf<R>>;
export function Reference(service: string, options: ReferenceOptions<string, unknown> & { readonly id?: TSchema }): TSchema {
  refuseNoObject("Reference() takes { as: 'author' } beside the path of the other service", options);
  checkOptionNames('Reference()', options, NAMES);
  const { as, id } = { id: Type.String(), ...options };
  refuseNoObject("The option 'id' of Reference() takes the schema of an id", id);
  return { ...id, reference: { service, as } };
}

import { getRules, partsOf, type Reference } from '@framework/core';
import { SCHEMA } from '../package-copy.ts';
import { RecordShape } from '../record-shape/record-shape.ts';

/** A reference of a record, with its paths taken apart. */
export interface Relation extends Reference {
  /** Path of the property with the id, or the list of ids. */
  readonly path: string;
  /** The object that holds that property, through lists. */
  readonly container: readonly string[];
  /** Name of that property. */
  readonly key: string;
  /** What callers ask for: the path under which the other record is put. */
  readonly name: string;
}

const relations = new WeakMap<ReadonlyMap<string, Reference>, readonly Relation[]>();

/** @returns the relations that a record has by itself */
export function relationsOf(references: ReadonlyMap<string, Reference>): readonly Relation[] {
  const known = relations.get(references);
  if (known) return known;
  const made = [...references].map(([path, { service, as }]): Relation => {
    const parts = partsOf(path);
    const container = parts.slice(0, -1);
    return { service, as, path, container, key: parts.at(-1) ?? '', name: [...container, as].join('.') };
  });
  relations.set(references, made);
  return made;
}

/** An application, as far as relations need it. */
interface Services {
  service(path: string): object;
}

/**
 * The service that a relation leads to.
 *
 * @param app the application that the service with the relation is registered on
 * @returns `undefined` when there is none
 */
export function targetOf(app: unknown, { service }: Pick<Reference, 'service'>): object | undefined {
  try {
    return (app as Services).service(service);
  } catch {
    return undefined;
  }
}

/**
 * @returns the description of a service's records; `undefined` for a service that has none
 * @throws Error for one of another copy of this package
 */
export function shapeOf(service: object): RecordShape | undefined {
  const rules = getRules(service);
  if (rules instanceof RecordShape) return rules;
  SCHEMA.refuseOthers(rules, 'the schema of a service that a reference leads to');
  return undefined;
}

/** @returns the name of the property with the id of a service's records */
export function idOf(service: object): string {
  const { id } = service as { readonly id?: unknown };
  return typeof id === 'string' ? id : 'id';
}

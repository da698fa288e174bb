import { getServiceOptions } from '@framework/core';
import type { RecordShape } from '../record-shape/record-shape.ts';
import { idKinds, idsFit } from './id-kinds.ts';
import { idOf, relationsOf, shapeOf, targetOf, type Relation } from './relation.ts';

/**
 * Looks whether the references of a service's records lead somewhere.
 *
 * @param app the application that the service is registered on
 * @param path of the service
 * @throws Error for a reference that does not, with the service, the path and the cure
 */
export function checkReferences(shape: RecordShape, app: object, path: string): void {
  for (const relation of relationsOf(shape.references)) {
    const fault = faultOf(shape, relation, targetOf(app, relation));
    if (fault !== undefined) throw new Error(`The record of '${path}' has a reference at '${relation.path}' ${fault}`);
  }
}

function faultOf(shape: RecordShape, { service, path }: Relation, target: object | undefined): string | undefined {
  if (target === undefined) return `to '${service}', and there is no such service: correct the path, or register it before app.setup()`;
  if (getServiceOptions(target) === undefined || typeof (target as { readonly find?: unknown }).find !== 'function')
    return `to '${service}', which has no method 'find': records are read by it, with all their ids at once`;
  const other = shapeOf(target);
  // Of records that nothing describes nothing more is known.
  if (other === undefined) return undefined;
  const id = idOf(target);
  const location = other.root.step(id);
  if (location === undefined) return `to '${service}', whose record does not describe its id '${id}': add it to the record`;
  const { hidden, writeOnly } = location.marks;
  if (hidden || writeOnly) return `to '${service}', whose record hides its id '${id}', so that nobody finds it: show the id`;
  const [keys, ids] = [idKinds(locationAt(shape, path)), idKinds(location)];
  if (idsFit(keys, ids)) return undefined;
  return `of type ${said(keys)}, and '${id}' of '${service}' is of type ${said(ids)}: describe both alike`;
}

function locationAt({ root }: RecordShape, path: string): typeof root {
  return path.split('.').reduce((location, name) => location.step(name) ?? location, root);
}

function said(kinds: ReadonlySet<string>): string {
  return [...kinds].join(' or ');
}

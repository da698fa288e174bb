import type { HookContext } from '@framework/core';
import { isObjectId } from '@framework/query';
import type { RecordShape } from '../record-shape/record-shape.ts';
import type { Location } from '../record-shape/location.ts';
import { idKinds, suitedId, type IdKind } from './id-kinds.ts';
import { idOf } from './relation.ts';

/**
 * Looks at the ids of new records: where they are of another type than the one that is described, queries for an id are converted to what no record has, and
 * relations find nothing.
 *
 * @returns warns once, with the cure, of the first record that a call has made with such an id
 */
export function watchMadeIds({ root }: RecordShape): (context: HookContext) => void {
  const kindsOf = new Map<string, ReadonlySet<IdKind>>();
  let told = false;
  return ({ path, service, result }) => {
    const record: unknown = Array.isArray(result) ? (result as unknown[])[0] : result;
    if (told || typeof record !== 'object' || record === null) return;
    const name = idOf(service);
    const id: unknown = Reflect.get(record, name);
    if (id === undefined || id === null) return;
    const kinds = kindsOf.get(name) ?? kindsAt(root.step(name));
    kindsOf.set(name, kinds);
    if (suitedId(id, kinds) !== undefined) return;
    told = true;
    process.emitWarning(
      `The record of '${path}' describes its id '${name}' as ${[...kinds].join(' or ')}, and a new record has one of type ${typeNameOf(id)}, which conditions and relations do not find: ` +
        `describe what the service makes, or give new records what is described, by the option 'createId' of services in memory or a resolver of data`,
    );
  };
}

function kindsAt(location: Location | undefined): ReadonlySet<IdKind> {
  return location === undefined ? new Set() : idKinds(location);
}

function typeNameOf(id: unknown): string {
  if (typeof id === 'string') return 'text';
  return isObjectId(id) ? 'object id' : typeof id;
}

import type { JSONSchema } from '../json-schema.ts';
import { isSchema } from './keywords.ts';
import type { Location } from './location.ts';
import { mayBeObject } from './parts.ts';
import { seeThrough } from './seen-through.ts';

/**
 * Refuses records that ask for a property which they do not describe: nobody outside can send it, so that nobody could create such a record.
 *
 * @param root the location of a whole record
 * @throws Error that names the property and the cure
 */
export function refuseUndescribedNames(root: Location): void {
  for (const [location, path] of seeThrough(root)) {
    if (location.open || !mayBeObject(location.members)) continue;
    const name = location.members.flatMap(askedBy).find((asked) => location.step(asked) === undefined);
    if (name === undefined) continue;
    const place = path === '' ? 'The record' : `'${path}' of the record`;
    throw new Error(`${place} asks for a property '${name}' that it does not describe: describe it, or take it out of what is required`);
  }
}

/** Names that a schema asks for, whatever else is in the value or beside another one. */
function askedBy({ required, dependentRequired }: JSONSchema): readonly string[] {
  const beside = isSchema(dependentRequired) ? Object.values(dependentRequired) : [];
  return [required ?? [], ...beside].flat().filter((name): name is string => typeof name === 'string');
}

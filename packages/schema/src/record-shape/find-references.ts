import type { Reference } from '@framework/core';
import type { Location } from './location.ts';
import { isReference } from './marks.ts';
import { seeThrough } from './seen-through.ts';

/** Deepest path of a reference, in names. */
const MAX_DEPTH = 5;

/** Names that a record can not be put under. */
const NO_NAME = /^$|^\$|\.|^(?:\d+|__proto__)$/;

/**
 * Finds the properties of a record that name records of other services.
 *
 * @param root the location of a whole record
 * @returns by the path of the property that holds the id, through lists: `items.productId`
 * @throws Error for one that can not be populated, with its path and the cure
 */
export function findReferences(root: Location): ReadonlyMap<string, Reference> {
  const found = new Map<string, Reference>();
  const seen = new Set<Location>([root]);
  collect(root, '', [root]);
  for (const [location, path] of seeThrough(root))
    if (!seen.has(location) && location.members.some(isReference))
      throw new Error(
        `'${path}' of the record names a record of another service where nothing can be put beside it: name the property in an object`,
      );
  return found;

  function collect(parent: Location, prefix: string, on: readonly Location[]): void {
    const names = new Set([parent, ...parent.elements()].flatMap((location) => location.names));
    const taken = new Set(names);
    for (const name of names) {
      const location = parent.step(name);
      if (!location) continue;
      const path = prefix + name;
      const reference = referenceAt(location, path);
      // An element by its position has no name of its own.
      for (const same of [location, ...[...parent.elements()].map((element) => element.step(name))])
        if (same) for (const inner of [same, ...(same.tuple ? [] : same.elements())]) seen.add(inner);
      if (reference) {
        if (taken.has(reference.as))
          throw new Error(`The reference '${path}' can not be put under '${reference.as}', which exists already`);
        taken.add(reference.as);
        found.set(path, reference);
      } else if (on.length < MAX_DEPTH && !on.includes(location)) collect(location, `${path}.`, [...on, location]);
    }
  }
}

function referenceAt(location: Location, path: string): Reference | undefined {
  const members = [location, ...location.elements()].flatMap((inner) => inner.members).filter(isReference);
  const references = [...new Map(members.map(({ reference }) => [JSON.stringify(reference), read(reference, path)])).values()];
  if (references.length > 1)
    throw new Error(
      `'${path}' of the record names records of ${references.map(({ service }) => `'${service}'`).join(' and ')}: give each a property of its own`,
    );
  return references[0];
}

function read(reference: unknown, path: string): Reference {
  const { service, as, ...others } = reference as Record<string, unknown>;
  const [unknown] = Object.keys(others);
  if (typeof service !== 'string' || typeof as !== 'string' || service === '' || NO_NAME.test(as) || unknown !== undefined)
    throw new Error(
      `The reference '${path}' can not be read${unknown === undefined ? '' : ` (what is '${unknown}'?)`}: write { service: 'users', as: 'author' }, where 'as' is the name of a new property`,
    );
  return Object.freeze({ service, as });
}

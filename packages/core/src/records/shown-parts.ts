import { locationsOn, partsOf } from './path.ts';
import type { Place } from './place.ts';
import { rememberOrigin, type RecordOrigin, type Shown } from './record-origin.ts';
import type { Viewer } from './record-rules.ts';
import type { Redaction } from './redact.ts';
import { kindOf } from './value-kind.ts';

/** What is known of a place whose value is kept from some caller, as a whole or in part. */
interface SecretPlace {
  readonly origin: RecordOrigin;
  /** Names of the properties in which something is kept; `undefined` where properties are not listed. */
  readonly names: readonly string[] | undefined;
}

/**
 * The rules of the parts of records, each for its place: whoever takes a part out and puts it somewhere else does not take it away from its rules.
 * Parts in which nothing is kept from anybody have none.
 */
export class ShownParts {
  readonly #redaction: (viewer: Viewer) => Redaction;
  readonly #root: Place;
  readonly #origin: RecordOrigin;
  readonly #places = new Map<Place, SecretPlace | undefined>();

  /**
   * @param redaction redacts records for a viewer
   * @param root where a whole record is described
   * @param origin that of a whole record, which may also be a part of one
   */
  constructor(redaction: (viewer: Viewer) => Redaction, root: Place, origin: RecordOrigin) {
    this.#redaction = redaction;
    this.#root = root;
    this.#origin = origin;
  }

  /** @returns how a part at a place is shown; `undefined` where nothing of it is kept from anybody */
  at(place: Place): Shown | undefined {
    return this.#secret(place)?.origin.rules?.[0];
  }

  /** Remembers the rules of the parts of a record, and not those of the record itself. */
  remember(record: unknown): void {
    if (typeof record !== 'object' || record === null) return;
    const secret = this.#secret(this.#root);
    if (secret === undefined) return;
    // Most records keep texts alone, which have no parts.
    const mayHaveParts = (name: string): boolean => Object.hasOwn(record, name) && typeof Reflect.get(record, name) === 'object';
    if (secret.names && !(Symbol.iterator in record) && !secret.names.some(mayHaveParts) && !hasUnlisted(record)) return;
    this.#all([...this.#inside(record, this.#root)]);
  }

  /** A list of its own instead of recursion: a value may be nested as deeply as memory allows, and contain itself. */
  #all(left: (readonly [value: unknown, place: Place])[]): void {
    const seen = new Map<Place, Set<object>>();
    while (left.length > 0) {
      const [value, place] = left.pop() ?? [];
      const secret = place && this.#secret(place);
      if (typeof value !== 'object' || value === null || secret === undefined || place === undefined) continue;
      const known = seen.get(place) ?? new Set();
      seen.set(place, known);
      if (known.has(value) || kindOf(value) === 'leaf') continue;
      known.add(value);
      rememberOrigin(value, secret.origin);
      for (const inside of this.#inside(value, place)) left.push(inside);
    }
  }

  /** What is inside of a value, and where it is described. What makes its own JSON gives its own properties. */
  *#inside(value: object, place: Place): Generator<readonly [unknown, Place]> {
    switch (kindOf(value)) {
      case 'leaf':
        return;
      case 'list':
      case 'set':
        for (const [index, entry] of [...(value as Iterable<unknown>)].entries()) yield [entry, place.element(index)];
        return;
      case 'map':
        for (const [key, entry] of value as ReadonlyMap<unknown, unknown>) {
          const at = placeOf(place, String(key));
          if (at !== undefined) yield [entry, at];
        }
        return;
      case 'object':
      case 'json': {
        for (const name of namesIn(value, this.#secret(place)?.names)) {
          const at = placeOf(place, name);
          if (at !== undefined) yield [Reflect.get(value, name), at];
        }
      }
    }
  }

  #secret(place: Place): SecretPlace | undefined {
    if (this.#places.has(place)) return this.#places.get(place);
    const found = place.some(isKept) ? this.#made(place) : undefined;
    this.#places.set(place, found);
    return found;
  }

  #made(place: Place): SecretPlace {
    const shown: Shown = (part, viewer, look) => this.#redaction(viewer).ofPart(part, place, look);
    const origin = place === this.#root ? this.#origin : { rules: [shown] };
    const isListed = place.unlisted().length === 0 && place.element() === place;
    const names = isListed ? place.names.filter((name) => place.step(name)?.some(isKept) === true) : undefined;
    return { origin, names };
  }
}

/**
 * The properties of a value in which something may be kept: most records have few such, or none. Numbers stand for positions of lists, and names with dots for
 * paths.
 *
 * @param listed names in which something is kept; `undefined` where properties are not listed
 */
function namesIn(value: object, listed: readonly string[] | undefined): readonly string[] {
  if (listed === undefined) return Object.keys(value);
  const own = listed.filter((name) => Object.hasOwn(value, name));
  if (!hasUnlisted(value)) return own;
  return [...own, ...Object.keys(value).filter((name) => isUnlisted(name) && !listed.includes(name))];
}

function hasUnlisted(value: object): boolean {
  // A list of the names would cost more than the look at them.
  for (const name in value) if (isUnlisted(name)) return true;
  return false;
}

function isUnlisted(name: string): boolean {
  return (name >= '0' && name < ':') || name.includes('.');
}

/** The place that a name leads to, which may be a path that is stored as it is. */
function placeOf(place: Place, name: string): Place | undefined {
  const direct = place.step(name);
  if (direct !== undefined || !name.includes('.')) return direct;
  const parts = partsOf(name);
  const path = locationsOn(place, parts);
  return path.find(isWholeKept) ?? (path.length === parts.length ? path.at(-1) : undefined);
}

function isWholeKept({ marks: { hidden, writeOnly } }: Place): boolean {
  return hidden || writeOnly;
}

function isKept({ marks: { hidden, writeOnly, readable } }: Place): boolean {
  return hidden || writeOnly || readable.length > 0;
}

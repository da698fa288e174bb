import { hasParts } from './has-parts.ts';

/**
 * What answers of a service have shown and its events have not: properties that only some may see are in no event. What an event has had once is told by
 * events, and is not there where one does not have it.
 */
export class Untold {
  readonly #names = new Set<string>();
  readonly #told = new Set<string>();
  readonly #known = new WeakSet<object>();
  #isBlank = true;

  /** Learns what a record of an answer has. */
  show(record: object): void {
    this.#isBlank = false;
    if (this.#known.has(record)) return;
    this.#known.add(record);
    for (const name of namesOf(record)) if (!this.#told.has(name)) this.#names.add(name);
  }

  /** @returns whether the record of an event has all that an answer would have, as far as answers have shown that */
  isWhole(record: object): boolean {
    for (const name of namesOf(record)) {
      this.#told.add(name);
      this.#names.delete(name);
    }
    return !this.#isBlank && !this.#names.size;
  }
}

/**
 * Whether the record of an event can take the place of one that an answer had: it has all properties of that, and shows what has changed. Where
 * nothing that it shows has, something has that it does not show.
 */
export function replaces(held: object, record: object): boolean {
  const names = new Set(namesOf(record));
  return namesOf(held).every((name) => names.has(name)) && JSON.stringify(held) !== JSON.stringify(record);
}

/** The places of all values in a value; elements of a list share theirs. */
function namesOf(value: unknown, at = ''): readonly string[] {
  if (!hasParts(value)) return [];
  return Object.entries(value).flatMap(([name, inner]: [string, unknown]) => {
    const place = `${at}\0${Array.isArray(value) ? '' : name}`;
    return [place, ...namesOf(inner, place)];
  });
}

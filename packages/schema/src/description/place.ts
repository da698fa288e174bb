import type { Sight } from '@framework/core';
import type { JSONSchema } from '../json-schema.ts';
import type { Location } from '../record-shape/location.ts';

/** Whether a schema describes what is sent, what callers create, or what they put in the place of what is there. */
export type Direction = 'sent' | 'created' | 'replaced';

/** A value that is being described: everything that has rules for it has to let it be shown. */
export class DescribedPlace {
  readonly #locations: readonly Location[];
  readonly #sight: Sight;
  readonly #direction: Direction;

  /** @param locations where the value is, in the record and in a schema of data that was written apart; none for schemas without rules */
  constructor(locations: readonly Location[], sight: Sight, direction: Direction) {
    this.#locations = locations;
    this.#sight = sight;
    this.#direction = direction;
  }

  get locations(): readonly Location[] {
    return this.#locations;
  }

  get direction(): Direction {
    return this.#direction;
  }

  /** Whether something in the value is kept from somebody, so that facts about the whole value may tell of it. */
  get hasSecrets(): boolean {
    return this.#locations.some(({ secret }) => secret);
  }

  /** Whether some callers get properties that this viewer is not told of. */
  get hasMoreForOthers(): boolean {
    return this.#locations.some((location) =>
      location.names.some((name) => {
        const marks = location.step(name)?.marks;
        return marks !== undefined && marks.readable.length > 0 && !this.#sight.sees(marks);
      }),
    );
  }

  /** Whether the viewer may know of the value. */
  get shown(): boolean {
    return this.#locations.every((location) => {
      const { marks } = location;
      if (this.#direction === 'sent') return this.#sight.sees(marks);
      // What lies in the elements of a list, or under names that are not listed, and callers can not set, could not be kept.
      if (
        this.#direction === 'replaced' &&
        [...(location.listed ? [location] : []), ...location.unlisted()].some((one) => this.#isHeld(one))
      )
        return false;
      // Who may set it is decided for each call; whoever may not read it is not told of it, unless nobody reads it.
      return !marks.readOnly && !marks.sealed && this.#sight.sees({ ...marks, hidden: false, writeOnly: false });
    });
  }

  /** Whether the viewer can not set the value by a rule, and what is stored outlives data without it. */
  get isKept(): boolean {
    return this.#direction === 'replaced' && this.#locations.some(({ marks }) => marks.writable.length > 0 && !this.#sight.sets(marks));
  }

  /** Whether something in the value outlives what is put in its place, so that it has to be an object again. */
  get keepsParts(): boolean {
    return this.#direction === 'replaced' && this.#locations.some((location) => this.#isHeld(location));
  }

  /** The same value with what callers do not set: it is asked about. */
  get whole(): DescribedPlace {
    return new DescribedPlace(this.#locations, this.#sight, 'sent');
  }

  /** The place of a property. */
  property(name: string): DescribedPlace {
    return this.#at((location) => location.step(name));
  }

  /** The place of an element, or of the one at an index. */
  element(index?: number): DescribedPlace {
    return this.#at((location) => location.element(index));
  }

  /** The place of a part that stands for values whose names are not listed. */
  within(part: JSONSchema): DescribedPlace {
    return this.#at((location) => location.within(part));
  }

  /** Distinguishes places, for definitions that several lead to. */
  isSame(other: DescribedPlace): boolean {
    return (
      this.#direction === other.#direction &&
      this.#locations.length === other.#locations.length &&
      this.#locations.every((location, at) => location === other.#locations[at])
    );
  }

  #isHeld(location: Location): boolean {
    return location.some(({ marks }) => !this.#sight.sets(marks));
  }

  #at(next: (location: Location) => Location | undefined): DescribedPlace {
    const locations = this.#locations.map(next).filter((location) => location !== undefined);
    return new DescribedPlace(locations, this.#sight, this.#direction);
  }
}

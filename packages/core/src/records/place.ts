/** Decides by the parameters of a call. */
export type FieldRule = (params: never) => boolean;

/** What is said about who may see and set a value. */
export interface Marks {
  /** Neither sent nor queried, and not written from outside unless `writeOnly`. */
  readonly hidden: boolean;
  /** Not written from outside because it is hidden. */
  readonly sealed: boolean;
  /** Written from outside and never sent. */
  readonly writeOnly: boolean;
  /** Not written from outside. */
  readonly readOnly: boolean;
  /** Rules that all have to agree before a caller sees the value. */
  readonly readable: readonly FieldRule[];
  /** Rules that all have to agree before a caller sets the value. */
  readonly writable: readonly FieldRule[];
}

/** A place in a record, as far as something is known of it. */
export interface Place {
  readonly marks: Marks;
  /** Whether elements are told apart by their position. */
  readonly tuple: boolean;
  /** One step of a dotted path; `undefined` when nothing is known of it. */
  step(name: string): Place | undefined;
  /** Names of the properties that something is known of. */
  readonly names: readonly string[];
  /** Places of properties whose names are not known. */
  unlisted(): readonly Place[];
  /** @returns whether a condition holds here or somewhere below */
  some(holds: (place: Place) => boolean): boolean;
  /** The place of the elements of a list, or of the one at an index. */
  element(index?: number): Place;
}

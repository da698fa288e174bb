import { locationsOn, partsOf } from './path.ts';
import type { Place } from './place.ts';
import { originOf, type Look, type RecordOrigin, type Shown } from './record-origin.ts';
import type { Viewer } from './record-rules.ts';
import { ALL_MARK_RULES, Sight, type MarkRules } from './sight.ts';
import { kindOf, makesJson } from './value-kind.ts';

/** Deepest nesting of a record: that of the database's documents, twice. */
const MAX_DEPTH = 200;

/** The ways in which a record is looked into. Each can be taken out, so that a test can show that it is needed. */
export interface RedactRules extends MarkRules {
  /** Whether elements of lists are looked into. */
  readonly lists: boolean;
  /** Whether maps and sets are looked into. */
  readonly collections: boolean;
  /** Whether values that make their own JSON are asked for it. */
  readonly json: boolean;
  /** Whether records of other services keep their own rules. */
  readonly origins: boolean;
}

/** All rules hold. */
export const ALL_REDACT_RULES: RedactRules = Object.freeze({
  ...ALL_MARK_RULES,
  lists: true,
  collections: true,
  json: true,
  origins: true,
});

const HIDDEN = Symbol('hidden');
/** In place of what services show of a record, while they are asked. */
const ASKED = Symbol('asked');

/** What services show of the records that they were asked for; `undefined` before the first. */
type Asked = Look['shown'] | undefined;

/** Takes out of records what a viewer may not see. Values that need no change are shared with the given record. */
export class Redaction {
  readonly #viewer: Viewer;
  readonly #sight: Sight;
  readonly #rules: RedactRules;
  readonly #own: ((place: Place) => Shown | undefined) | undefined;
  readonly #root: Place | undefined;
  readonly #everywhere: boolean;

  /**
   * @param root the location of a whole record; `undefined` when records of other services alone are looked for
   * @param own how what is described at a place is remembered: records of the same service, and parts of them
   * @param everywhere whether what nothing describes may be a record again, as in results of custom methods
   */
  constructor(
    viewer: Viewer,
    root?: Place,
    own?: (place: Place) => Shown | undefined,
    everywhere = false,
    rules: RedactRules = ALL_REDACT_RULES,
  ) {
    this.#viewer = viewer;
    this.#sight = new Sight(viewer, rules);
    this.#rules = rules;
    this.#own = own;
    this.#everywhere = everywhere;
    this.#root = root;
  }

  /**
   * @param value a value of a record
   * @param described where it is; `undefined` where nothing describes it
   * @throws Error for a record that is nested too deeply or contains itself
   */
  of(value: unknown, described: Place | undefined): unknown {
    return this.#of(value, described, 0, undefined);
  }

  /**
   * What the rules of these records alone show of one: whoever found it asks the other services that it comes from.
   *
   * @throws Error for a record that is nested too deeply or contains itself
   */
  ofOwn(record: object, look?: Look): unknown {
    return this.#inside(record, this.#root, look?.depth ?? 0, look?.shown);
  }

  /**
   * What the rules of its record alone show of a part, wherever it was put.
   *
   * @param place where the part is described
   * @returns `undefined` for one that the viewer does not see
   * @throws Error for a part that is nested too deeply or contains itself
   */
  ofPart(part: object, place: Place, look?: Look): unknown {
    return this.#sees(place) ? this.#inside(part, place, look?.depth ?? 0, look?.shown) : undefined;
  }

  #of(value: unknown, described: Place | undefined, depth: number, asked: Asked): unknown {
    const location = described ?? (this.#everywhere ? this.#root : undefined);
    if (typeof value !== 'object' || value === null) return value;
    if (depth > MAX_DEPTH) throw tooDeep();
    const origin = this.#rules.origins ? originOf(value) : undefined;
    if (origin === undefined || this.#isOwn(origin, location)) return this.#inside(value, location, depth, asked);
    const shown = asked ?? new Map<object, unknown>();
    const made = this.#byOrigins(value, origin, depth, shown);
    // What the record's own services hide, all through it, and then what this place hides.
    return location === undefined || typeof made !== 'object' || made === null ? made : this.#inside(made, location, depth, shown);
  }

  /**
   * @returns whether a record, or a part of one, stands where it is described, has no other rules, and no resolver has made something of it for others: it is
   *   looked into once
   */
  #isOwn({ rules, dispatch }: RecordOrigin, location: Place | undefined): boolean {
    return dispatch === undefined && location !== undefined && rules?.length === 1 && rules[0] === this.#own?.(location);
  }

  #byOrigins(value: object, origin: RecordOrigin, depth: number, shown: Look['shown']): unknown {
    if (shown.has(value)) {
      const known = shown.get(value);
      if (known === ASKED) throw tooDeep();
      return known;
    }
    shown.set(value, ASKED);
    const made = this.#askOrigins(value, origin, { depth, shown });
    shown.set(value, made);
    return made;
  }

  #askOrigins(value: object, { rules = [], dispatch }: RecordOrigin, look: Look): unknown {
    // What a resolver made may be a record of yet another service.
    let made: unknown = dispatch === undefined ? value : new Redaction(this.#viewer).#of(dispatch, undefined, look.depth + 1, look.shown);
    const own = this.#root && this.#own?.(this.#root);
    for (const rule of rules) {
      if (typeof made !== 'object' || made === null) return made;
      made = rule === own ? this.ofOwn(made, look) : rule(made, this.#viewer, look);
    }
    return made;
  }

  #inside(value: object, location: Place | undefined, depth: number, asked: Asked): unknown {
    switch (kindOf(value)) {
      case 'leaf':
        return value;
      case 'list':
      case 'map':
      case 'set': {
        const shown = this.#collection(value, location, depth, asked);
        // Nothing in it was taken out; what is sent of it may be something else.
        return shown === value && this.#rules.json && makesJson(value) ? this.#json(value, location, depth, asked) : shown;
      }
      case 'json':
        return this.#rules.json ? this.#json(value as { toJSON(): unknown }, location, depth, asked) : value;
      case 'object':
        return this.#object(value as Record<string, unknown>, location, depth, asked, false);
    }
  }

  #collection(value: object, location: Place | undefined, depth: number, asked: Asked): unknown {
    if (Array.isArray(value)) return this.#rules.lists ? this.#list(value, location, depth, asked) : value;
    if (!this.#rules.collections) return value;
    return value instanceof Map ? this.#map(value, location, depth, asked) : this.#set(value as Set<unknown>, location, depth, asked);
  }

  #object(value: Readonly<Record<string, unknown>>, location: Place | undefined, depth: number, asked: Asked, always: boolean): unknown {
    const names = Object.keys(value);
    let copy: Record<string, unknown> | undefined = always ? {} : undefined;
    for (let index = 0; index < names.length; index++) {
      const name = names[index] ?? '';
      const given = value[name];
      const at = this.#property(location, name);
      if (at === HIDDEN) {
        copy ??= firstOf(value, names, index);
        continue;
      }
      const shown = this.#of(given, at, depth + 1, asked);
      if (shown !== given) copy ??= firstOf(value, names, index);
      if (copy) put(copy, name, shown);
    }
    return copy ?? value;
  }

  /** Hidden elements are left out; those of a tuple are `null`, since their position says what they are. */
  #list(list: readonly unknown[], location: Place | undefined, depth: number, asked: Asked): unknown {
    let copy: unknown[] | undefined;
    for (let index = 0; index < list.length; index++) {
      const at = location?.element(index);
      const given = list[index];
      if (at !== undefined && !this.#sees(at)) {
        copy ??= list.slice(0, index);
        if (location?.tuple) copy.push(null);
        continue;
      }
      const shown = this.#of(given, at, depth + 1, asked);
      if (shown !== given) copy ??= list.slice(0, index);
      copy?.push(shown);
    }
    return copy ?? list;
  }

  #map(map: ReadonlyMap<unknown, unknown>, location: Place | undefined, depth: number, asked: Asked): unknown {
    const copy = new Map<unknown, unknown>();
    let changed = false;
    for (const [key, given] of map) {
      const at = this.#property(location, String(key));
      const shown = at === HIDDEN ? undefined : this.#of(given, at, depth + 1, asked);
      changed ||= at === HIDDEN || shown !== given;
      if (at !== HIDDEN) copy.set(key, shown);
    }
    return changed ? copy : map;
  }

  #set(set: ReadonlySet<unknown>, location: Place | undefined, depth: number, asked: Asked): unknown {
    const list = [...set];
    const shown = this.#list(list, location, depth, asked);
    return shown === list ? set : new Set(shown as unknown[]);
  }

  /** What others get is its JSON, so that is what is looked into; the copy no longer makes JSON by itself. */
  #json(value: { toJSON(): unknown }, location: Place | undefined, depth: number, asked: Asked): unknown {
    const made = value.toJSON();
    if (typeof made !== 'object' || made === null) return location === undefined ? value : made;
    const kind = kindOf(made);
    // What it gives may be a record by itself.
    const isRecord = made !== value && this.#rules.origins && originOf(made) !== undefined;
    const shown =
      isRecord || kind === 'list' || kind === 'leaf'
        ? this.#of(made, location, depth + 1, asked)
        : this.#object(made as Record<string, unknown>, location, depth + 1, asked, makesJson(made));
    // Where only records of others are looked for, what has none of them stays what it is.
    return location === undefined && shown === made ? value : shown;
  }

  /** The place that a name leads to, `HIDDEN` where the viewer does not see it. One with dots that is stored as it is also means the path. */
  #property(location: Place | undefined, name: string): Place | typeof HIDDEN | undefined {
    if (location === undefined) return undefined;
    const direct = location.step(name);
    if (direct !== undefined && !this.#sees(direct)) return HIDDEN;
    if (!name.includes('.')) return direct;
    const parts = partsOf(name);
    const path = locationsOn(location, parts);
    if (!path.every((step) => this.#sees(step))) return HIDDEN;
    return direct ?? (path.length === parts.length ? path.at(-1) : undefined);
  }

  #sees(location: Place): boolean {
    return this.#sight.sees(location.marks);
  }
}

function tooDeep(): Error {
  return new Error(`A record is nested deeper than ${String(MAX_DEPTH)} levels, or contains itself`);
}

function firstOf(value: Readonly<Record<string, unknown>>, names: readonly string[], count: number): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const name of names.slice(0, count)) put(copy, name, value[name]);
  return copy;
}

/** A function makes no JSON; one that is called `toJSON` would undo the copy. */
function put(copy: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__' && typeof value !== 'function') copy[name] = value;
}

import { partsOf } from './path.ts';
import type { Marks, Place } from './place.ts';
import { refuseLateRules, type Contribution } from './record-rules.ts';

/** Steps of a path that stay in a list: positions, and the operators that stand for them. */
const POSITION = /^(?:\d+|\$|\$\[.*\])$/;

/** The first character is enough for almost every name of a property. */
function isPosition(name: string): boolean {
  return name < ':' && POSITION.test(name);
}

const KINDS = ['hidden', 'writeOnly', 'readOnly'] as const;

/** A place in a record that paths lead through. Nothing else is known of it: it may be a list at any time. */
export class PathPlace implements Place {
  readonly tuple = false;
  readonly #inside = new Map<string, PathPlace>();
  readonly #said = { hidden: false, writeOnly: false, readOnly: false };
  #marks: Marks = marksOf(this.#said);

  get marks(): Marks {
    return this.#marks;
  }

  step(name: string): PathPlace | undefined {
    return this.#inside.get(name) ?? (isPosition(name) ? this : undefined);
  }

  get names(): readonly string[] {
    return [...this.#inside.keys()];
  }

  unlisted(): readonly Place[] {
    return [];
  }

  element(): this {
    return this;
  }

  children(): Iterable<readonly [string, PathPlace]> {
    return this.#inside;
  }

  /** @returns whether a condition holds here or somewhere below */
  some(holds: (place: PathPlace) => boolean): boolean {
    return holds(this) || [...this.#inside.values()].some((place) => place.some(holds));
  }

  /**
   * @param fixed whether nothing new is taken
   * @returns whether there was anything new to add
   * @throws TypeError for what is no path, or an unknown kind of rule; Error for new rules where they are fixed
   */
  add(contribution: Contribution, fixed = false): boolean {
    for (const kind of Object.keys(contribution))
      if (!(KINDS as readonly string[]).includes(kind)) throw new TypeError(`A record takes no rules '${kind}': use ${KINDS.join(', ')}`);
    const paths = KINDS.flatMap((kind) => (contribution[kind] ?? []).map((path) => ({ kind, path, parts: checked(path) })));
    const news = paths.filter(({ kind, parts }) => !this.#has(parts, kind));
    if (fixed && news.length > 0) refuseLateRules(news.map(({ path }) => path));
    for (const { kind, parts } of news) this.#mark(parts, kind);
    return news.length > 0;
  }

  #has([name, ...rest]: readonly string[], kind: (typeof KINDS)[number]): boolean {
    if (name === undefined) return this.#said[kind];
    const place = this.#inside.get(name);
    return place !== undefined && place.#has(rest, kind);
  }

  #mark([name, ...rest]: readonly string[], kind: (typeof KINDS)[number]): void {
    if (name === undefined) {
      this.#said[kind] = true;
      this.#marks = marksOf(this.#said);
      return;
    }
    const place = this.#inside.get(name) ?? new PathPlace();
    this.#inside.set(name, place);
    place.#mark(rest, kind);
  }
}

/** Callers without types may give anything. */
function checked(path: unknown): string[] {
  const parts = typeof path === 'string' ? partsOf(path) : [''];
  if (parts.includes(''))
    throw new TypeError(`'${String(path)}' is no path of a record: write names with dots between them, such as 'profile.token'`);
  return parts;
}

function marksOf({ hidden, writeOnly, readOnly }: { hidden: boolean; writeOnly: boolean; readOnly: boolean }): Marks {
  return { hidden, writeOnly, readOnly, sealed: hidden && !writeOnly, readable: [], writable: [] };
}

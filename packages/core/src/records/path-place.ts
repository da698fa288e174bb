import { partsOf } from './path.ts';
import type { Marks, Place } from './place.ts';
import type { Contribution } from './record-rules.ts';

/** Steps of a path that stay in a list: positions, and the operators that stand for them. */
const POSITION = /^(?:\d+|\$|\$\[.*\])$/;

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
    return this.#inside.get(name) ?? (POSITION.test(name) ? this : undefined);
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
   * @returns whether there was anything to add
   * @throws TypeError for what is no path, or an unknown kind of rule
   */
  add(contribution: Contribution): boolean {
    for (const kind of Object.keys(contribution))
      if (!(KINDS as readonly string[]).includes(kind)) throw new TypeError(`A record takes no rules '${kind}': use ${KINDS.join(', ')}`);
    const paths = KINDS.flatMap((kind) => (contribution[kind] ?? []).map((path) => ({ kind, parts: checked(path) })));
    for (const { kind, parts } of paths) this.#mark(parts, kind);
    return paths.length > 0;
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

function checked(path: string): string[] {
  const parts = partsOf(path);
  if (parts.includes(''))
    throw new TypeError(`'${path}' is no path of a record: write names with dots between them, such as 'profile.token'`);
  return parts;
}

function marksOf({ hidden, writeOnly, readOnly }: { hidden: boolean; writeOnly: boolean; readOnly: boolean }): Marks {
  return { hidden, writeOnly, readOnly, sealed: hidden && !writeOnly, readable: [], writable: [] };
}

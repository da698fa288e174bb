import { NOBODY } from './nobody.ts';
import { locationsOn } from './path.ts';
import { PathPlace } from './path-place.ts';
import type { Place } from './place.ts';
import { refusedPaths } from './refused-paths.ts';
import { rememberOrigin, type Shown } from './record-origin.ts';
import type { Contribution, Problem, PropertyRules, RecordRules, Reference, Replacement, Viewer, WriteOperation } from './record-rules.ts';
import { Redaction } from './redact.ts';
import { rememberParts } from './remember-parts.ts';
import { replacedBy } from './replaced.ts';
import { ShownParts } from './shown-parts.ts';
import { Sight } from './sight.ts';
import { closedPaths } from './closed-paths.ts';

/** Rules of records that nothing describes: those of the paths that parts of the application have added. */
export class PathRules implements RecordRules {
  readonly references: ReadonlyMap<string, Reference> = new Map();
  readonly hasRoleRules = false;
  readonly #root = new PathPlace();
  readonly #shown: Shown = (record, viewer, look) => this.#redaction(viewer, false).ofOwn(record, look);
  readonly #shownEverywhere: Shown = (record, viewer, look) => this.#redaction(viewer, true).ofOwn(record, look);
  /** One for all records: what many things have in common costs each of them nothing. */
  readonly #origin = { rules: [this.#shown] };
  readonly #originEverywhere = { rules: [this.#shownEverywhere] };
  #parts = this.#partsOfRecords();
  readonly #changed: () => void;
  #fixed = false;
  #hasSecrets: boolean | undefined;
  /** Paths alone decide what nobody sees, and no caller, so that one serves all. */
  #forNobody: ((record: unknown) => unknown) | undefined;

  /** @param changed called after each path that is added. Default: nothing */
  constructor(changed: () => void = () => undefined) {
    this.#changed = changed;
  }

  get hasSecrets(): boolean {
    return (this.#hasSecrets ??= this.#root.some(({ marks }) => marks.hidden || marks.writeOnly));
  }

  /** @inheritDoc */
  add(contribution: Contribution): this {
    if (this.#root.add(contribution, this.#fixed)) {
      this.#hasSecrets = undefined;
      this.#parts = this.#partsOfRecords();
      this.#changed();
    }
    return this;
  }

  /** @inheritDoc */
  freeze(): this {
    this.#fixed = true;
    return this;
  }

  /** @inheritDoc */
  redact(record: unknown, viewer: Viewer = NOBODY): unknown {
    return this.redactor(viewer)(record);
  }

  /** @inheritDoc */
  redactor(viewer: Viewer, everywhere = false): (record: unknown) => unknown {
    if (viewer === 'internal') return (record) => record;
    if (viewer === NOBODY && !everywhere) return (this.#forNobody ??= this.#redactor(NOBODY, false));
    return this.#redactor(viewer, everywhere);
  }

  #redactor(viewer: Viewer, everywhere: boolean): (record: unknown) => unknown {
    const redaction = this.#redaction(viewer, everywhere);
    return (record) => redaction.of(record, this.#root);
  }

  #redaction(viewer: Viewer, everywhere: boolean): Redaction {
    const own = (place: Place): Shown | undefined => (everywhere && place === this.#root ? this.#shownEverywhere : this.#parts.at(place));
    return new Redaction(viewer, this.#root, own, everywhere);
  }

  #partsOfRecords(): ShownParts {
    return new ShownParts((viewer) => this.#redaction(viewer, false), this.#root, this.#origin);
  }

  /** @inheritDoc */
  remember(record: unknown): void {
    rememberOrigin(record, this.#origin);
    this.#parts.remember(record);
  }

  /** @inheritDoc */
  rememberEverywhere(value: unknown): void {
    rememberParts(value, this.#root, this.#originEverywhere, this.#parts);
  }

  /** @inheritDoc */
  property(path: readonly string[], viewer: Viewer): PropertyRules {
    const on = locationsOn(this.#root, path);
    const last = on.at(-1);
    const sight = new Sight(viewer);
    const readable = on.every(({ marks }) => sight.sees(marks));
    // A whole value is compared with everything inside it.
    const isWhole = last === undefined || on.length < path.length || !last.some(({ marks }) => !sight.sees(marks));
    return { readable, queryable: readable && isWhole, writable: on.every(({ marks }) => sight.sets(marks)) };
  }

  /** @inheritDoc */
  unseenBy(viewer: Viewer): string[] {
    const sight = new Sight(viewer);
    return closedPaths(this.#root, (marks) => sight.sees(marks));
  }

  /** @inheritDoc */
  unsetBy(viewer: Viewer): string[] {
    const sight = new Sight(viewer);
    return closedPaths(this.#root, (marks) => sight.sets(marks));
  }

  /** @inheritDoc */
  refused(data: unknown, _operation: unknown, viewer: Viewer): Problem[] {
    return viewer === 'internal' ? [] : refusedPaths(data, this.#root, new Sight(viewer));
  }

  /** @inheritDoc */
  replaced(data: unknown, operation: WriteOperation, viewer: Viewer): Replacement {
    return replacedBy(data, this.#root, operation, new Sight(viewer));
  }
}

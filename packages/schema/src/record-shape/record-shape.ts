import { SCHEMA } from '../package-copy.ts';
import type { JSONSchema } from '../json-schema.ts';
import { contributedRulesOf, type ContributedRule } from './contribution.ts';
import { findReferences } from './find-references.ts';
import { FOLLOWED_IN_PLACE, isSecret, locationOf, reachable, type Location } from './location.ts';
import {
  ALL_REDACT_RULES,
  locationsOn,
  NOBODY,
  partsOf,
  Redaction,
  refuseLateRules,
  replacedBy,
  rememberOrigin,
  rememberParts,
  ShownParts,
  Sight,
  closedPaths,
  type Contribution,
  type Place,
  type Problem,
  type PropertyRules,
  type RecordRules,
  type RedactRules,
  type Reference,
  type Replacement,
  type Shown,
  type Viewer,
  type WriteOperation,
} from '@framework/core';
import { References, type ForeignSchemas } from './references.ts';
import { ALL_WRITE_RULES, WriteCheck, type WriteRules } from './refused.ts';
import { seeThrough } from './seen-through.ts';

/** What of a shape holds. Only proofs take one out. */
export interface ShapeRules {
  readonly redact: RedactRules;
  readonly write: WriteRules;
  /** Keywords that are followed to further schemas of the same value. */
  readonly followed: readonly string[];
}

/** Options of {@link RecordShape}. */
export interface RecordShapeOptions {
  /** Schemas of data that were written apart from the record: they say which properties exist in data. Default: the record does. */
  readonly data?: Partial<Readonly<Record<WriteOperation, JSONSchema>>>;
  /** Finds schemas that references of the record name and that are not in it. Default: there are none. */
  readonly foreign?: ForeignSchemas;
  /** Rules that hold. Default: all. */
  readonly rules?: ShapeRules;
}

/** All rules hold. */
export const ALL_SHAPE_RULES: ShapeRules = Object.freeze({ redact: ALL_REDACT_RULES, write: ALL_WRITE_RULES, followed: FOLLOWED_IN_PLACE });

/**
 * A record's description, compiled once into what each part of an application asks of it. It walks unions, intersections, records,
 * tuples, lists, conditions, references and recursion to any depth; where several schemas describe the same value, what one of
 * them hides is hidden.
 *
 * @see security S3, S7, S10, S34
 */
export class RecordShape implements RecordRules {
  readonly references: ReadonlyMap<string, Reference>;
  /** The description itself. */
  readonly schema: JSONSchema;
  readonly #references: References;
  readonly #writes: Partial<Record<WriteOperation, { readonly root: Location; readonly names: ReadonlySet<string> }>> = {};
  readonly #rules: ShapeRules;
  readonly #shown: Shown = (record, viewer, look) => this.#redaction(viewer, false).ofOwn(record, look);
  readonly #shownEverywhere: Shown = (record, viewer, look) => this.#redaction(viewer, true).ofOwn(record, look);
  readonly #origin = { rules: [this.#shown] };
  readonly #originEverywhere = { rules: [this.#shownEverywhere] };
  #contributed: readonly ContributedRule[] = [];
  #root: Location;
  #parts: ShownParts;
  #hasRoleRules: boolean | undefined;
  #fixed = false;

  static {
    SCHEMA.mark(this.prototype);
  }

  /**
   * @throws Error for what can not be seen through, naming the path and the cure
   */
  constructor(schema: JSONSchema, options: RecordShapeOptions = {}) {
    const { foreign, rules = ALL_SHAPE_RULES, data = {} } = options;
    this.schema = schema;
    this.#rules = rules;
    this.#references = new References(schema, foreign);
    this.#root = this.#build();
    this.#parts = this.#partsOfRecords();
    this.references = findReferences(this.#root);
    for (const [operation, definition] of Object.entries(data)) {
      const root = locationOf(definition, new References(definition, foreign));
      seeThrough(root);
      this.#writes[operation as WriteOperation] = { root, names: new Set(root.names) };
    }
  }

  /** The location of a whole record, with everything that was added. */
  get root(): Location {
    return this.#root;
  }

  /** References of the description. */
  get referenced(): References {
    return this.#references;
  }

  /** Whether anything is kept from some caller. */
  get hasSecrets(): boolean {
    return this.#root.secret;
  }

  /** Whether something depends on who asks. */
  get hasRoleRules(): boolean {
    return (this.#hasRoleRules ??= [...reachable(this.#root)].some(({ marks }) => marks.readable.length > 0));
  }

  /**
   * Adds rules for dotted paths, also of properties that the record does not describe. A path goes through lists.
   *
   * @throws Error for rules that are new once they are fixed, TypeError for what is no path
   */
  add(contribution: Contribution): this {
    const added = contributedRulesOf(contribution).filter(
      ({ kind, path }) => !this.#contributed.some((known) => known.kind === kind && known.path === path),
    );
    if (added.length === 0) return this;
    if (this.#fixed) refuseLateRules(added.map(({ path }) => path));
    this.#contributed = [...this.#contributed, ...added];
    this.#root = this.#build();
    this.#parts = this.#partsOfRecords();
    this.#hasRoleRules = undefined;
    return this;
  }

  /** Schemas of what was added. */
  get added(): readonly JSONSchema[] {
    return this.#contributed.map(({ schema }) => schema);
  }

  /** @inheritDoc */
  freeze(): this {
    this.refuseContradictions();
    this.#fixed = true;
    return this;
  }

  /** @throws Error for data schemas that take what a caller can not set, because the record hides it or has it read-only */
  refuseContradictions(): void {
    const paths = this.#contradictions();
    if (paths.length > 0)
      throw new Error(
        `The data takes ${paths.map((path) => `'${path}'`).join(', ')}, which the record hides or has read-only: mark what callers write and nobody reads with WriteOnly, or leave it out of the data`,
      );
  }

  /**
   * @inheritDoc
   *
   * @throws Error for a record that contains itself
   */
  redact(record: unknown, viewer: Viewer): unknown {
    return this.redactor(viewer)(record);
  }

  /**
   * Makes a function that redacts several records for one viewer; rules by role are asked once.
   *
   * @param everywhere whether records of this shape are looked for at any depth, as in the result of a custom method. Default: `false`
   */
  redactor(viewer: Viewer, everywhere = false): (record: unknown) => unknown {
    if (viewer === 'internal') return (record) => record;
    const redaction = this.#redaction(viewer, everywhere);
    return (record) => redaction.of(record, this.#root);
  }

  #redaction(viewer: Viewer, everywhere: boolean): Redaction {
    const own = (place: Place): Shown | undefined => (everywhere && place === this.#root ? this.#shownEverywhere : this.#parts.at(place));
    return new Redaction(viewer, this.#root, own, everywhere, this.#rules.redact);
  }

  #partsOfRecords(): ShownParts {
    return new ShownParts((viewer) => this.#redaction(viewer, false), this.#root, this.#origin);
  }

  /** Remembers that a record is of this shape: inside a record of another service it, and each part of it, is redacted by these rules. */
  remember(record: unknown): void {
    rememberOrigin(record, this.#origin);
    this.#parts.remember(record);
  }

  /** Remembers that records of this shape may be anywhere in a value, as in the result of a custom method. */
  rememberEverywhere(value: unknown): void {
    rememberParts(value, this.#root, this.#originEverywhere, this.#parts);
  }

  /** @inheritDoc */
  property(path: readonly string[], viewer: Viewer): PropertyRules | undefined {
    const on = locationsOn(this.#root, path);
    const last = on.at(-1);
    if (last === undefined || on.length < path.length) return undefined;
    const sight = new Sight(viewer, this.#rules.redact);
    const readable = on.every(({ marks }) => sight.sees(marks));
    const whole = readable && (sight.internal || [...reachable(last)].every(({ marks }) => !isSecret(marks) || sight.sees(marks)));
    const writes = new Sight(viewer, this.#rules.write);
    return { readable, queryable: whole, writable: on.every(({ marks }) => writes.sets(marks)) };
  }

  /** @returns whether every caller may filter and sort by a dotted path */
  queryable(path: string): boolean {
    return this.property(path.split('.'), NOBODY)?.queryable === true;
  }

  /** @returns whether a schema of data that was written apart names a property */
  declares(operation: WriteOperation, name: string): boolean {
    return this.#writes[operation]?.names.has(name) === true;
  }

  /** @inheritDoc */
  unseenBy(viewer: Viewer): string[] {
    const sight = new Sight(viewer, this.#rules.redact);
    return closedPaths(this.#root, (marks) => sight.sees(marks));
  }

  /** @inheritDoc */
  unsetBy(viewer: Viewer): string[] {
    const sight = new Sight(viewer, this.#rules.write);
    return closedPaths(this.#root, (marks) => sight.sets(marks));
  }

  /** @inheritDoc */
  refused(data: unknown, operation: WriteOperation, viewer: Viewer): Problem[] {
    if (viewer === 'internal') return [];
    const own = this.#writes[operation];
    if (own === undefined) return this.#check(data, viewer, this.#root, this.#rules.write);
    // Which properties there are is said by the schema of the data; what may be set, by both.
    const declared = (name: string): boolean => own.names.has(name);
    const marks = this.#check(data, viewer, this.#root, { ...this.#rules.write, unknown: false }, declared);
    return marks.length > 0 ? marks : this.#check(withoutOperators(data, own.names), viewer, own.root, this.#rules.write, declared);
  }

  /** @inheritDoc */
  replaced(data: unknown, operation: WriteOperation, viewer: Viewer): Replacement {
    return replacedBy(data, this.#root, operation, new Sight(viewer, this.#rules.write));
  }

  #contradictions(): readonly string[] {
    const written = Object.values(this.#writes).flatMap(({ root }) => [...seeThrough(root).entries()]);
    const paths = written.flatMap(([, path]) => (path === '' || /[[*]/.test(path) ? [] : [path]));
    return [...new Set(paths)].filter((path) => {
      const on = locationsOn(this.#root, partsOf(path));
      return on.length === partsOf(path).length && on.some(({ marks }) => marks.readOnly || marks.sealed);
    });
  }

  #check(data: unknown, viewer: Viewer, root: Location, rules: WriteRules, declared?: (name: string) => boolean): Problem[] {
    const check = new WriteCheck(viewer, declared, rules);
    check.record(data, root);
    return check.problems;
  }

  #build(): Location {
    const root = locationOf(this.schema, this.#references, this.added, this.#rules.followed);
    seeThrough(root);
    return root;
  }
}

/** Operators that the data schema declares are checked by it, and by the rules of the record. */
function withoutOperators(data: unknown, declared: ReadonlySet<string>): unknown {
  if (typeof data !== 'object' || data === null) return data;
  return Object.fromEntries(Object.entries(data).filter(([name]) => !name.startsWith('$') || !declared.has(name)));
}

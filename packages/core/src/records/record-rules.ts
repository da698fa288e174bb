/** Who looks at a record: code on the server, or a caller with the parameters of the call. */
export type Viewer = 'internal' | { readonly params: object };

/** A method that takes data. */
export type WriteOperation = 'create' | 'update' | 'patch';

/** Most problems that are told of one value. */
export const MAX_PROBLEMS = 20;

/**
 * Refuses rules that come too late: what was sent before can not be taken back.
 *
 * @param paths of the rules
 */
export function refuseLateRules(paths: readonly string[]): never {
  throw new Error(
    `The rules of these records are fixed since the application was set up, and say nothing of ${paths.map((path) => `'${path}'`).join(', ')}: ` +
      'register services, hooks and strategies that keep something secret before app.setup() or app.listen()',
  );
}

/** One problem of a value. */
export interface Problem {
  /** Where it is, for example `address.city` or `$sort.name`; empty for the whole value. */
  readonly path: string;
  /** Keyword of the schema that is not satisfied. */
  readonly keyword: string;
  /** What was expected. */
  readonly message: string;
  /** The keyword's own facts. */
  readonly params: Readonly<Record<string, unknown>>;
}

/** What a viewer may do with a property. */
export interface PropertyRules {
  /** Whether the property is in what the viewer gets, at least in part; `$select` may name it. */
  readonly readable: boolean;
  /** Whether the viewer may filter and sort by it: readable, and with nothing inside that is not. */
  readonly queryable: boolean;
  /** Whether the viewer may set it. */
  readonly writable: boolean;
}

/** What a write does to what the caller does not see or set. */
export interface Replacement {
  /** Dotted paths of the stored record that have to outlive the write. */
  readonly kept: readonly string[];
  /** What can not be replaced, since what is in it could not be kept. At most 20. */
  readonly problems: readonly Problem[];
}

/** A property that names a record of another service. */
export interface Reference {
  /** Path of the other service. */
  readonly service: string;
  /** Property under which the other record is put. */
  readonly as: string;
}

/** Dotted paths that a part of the application adds to what a record's description says. */
export interface Contribution {
  /** Neither sent nor queried nor written from outside. Default: none. */
  readonly hidden?: readonly string[];
  /** Written from outside, neither sent nor queried. Default: none. */
  readonly writeOnly?: readonly string[];
  /** Sent and queried, not written from outside. Default: none. */
  readonly readOnly?: readonly string[];
}

/** What a record shows, hides, takes and can be asked for. */
export interface RecordRules {
  /** Whether anything is kept from some caller. */
  readonly hasSecrets: boolean;
  /** Whether something depends on who asks. */
  readonly hasRoleRules: boolean;
  /**
   * Adds rules for dotted paths, which go through lists.
   *
   * @throws Error for rules that are new once the rules are fixed, TypeError for what is no path
   */
  add(contribution: Contribution): this;
  /**
   * Fixes the rules; the application does it when all its services are set up. What is there already may be added again.
   *
   * @throws Error for data schemas that take what was added as hidden or read-only
   */
  freeze(): this;
  /**
   * Makes a function that redacts several records for one viewer.
   *
   * @param everywhere whether such records are looked for at any depth, as in the result of a custom method. Default: `false`
   */
  redactor(viewer: Viewer, everywhere?: boolean): (record: unknown) => unknown;
  /** Remembers that a record has these rules: inside a record of another service it is redacted by them. */
  remember(record: unknown): void;
  /** Remembers that records with these rules may be anywhere in a value, as in the result of a custom method. */
  rememberEverywhere(value: unknown): void;
  /**
   * Takes out of a record what a viewer may not see.
   *
   * @returns the record itself when nothing has to be taken out, else a copy of the parts that change
   */
  redact(record: unknown, viewer: Viewer): unknown;
  /**
   * What a viewer may do with the property at a path.
   *
   * @returns `undefined` for a path that the record does not describe
   */
  property(path: readonly string[], viewer: Viewer): PropertyRules | undefined;
  /**
   * What is kept from a viewer, for tools that show it: nothing inside of it is told.
   *
   * @returns dotted paths, sorted; they go through lists, `*` stands for names that are not listed
   */
  unseenBy(viewer: Viewer): string[];
  /**
   * What a viewer may not set, read-only or hidden, for tools that show it: nothing inside of it is told.
   *
   * @returns dotted paths, as {@link unseenBy} gives them
   */
  unsetBy(viewer: Viewer): string[];
  /**
   * What a viewer may not set.
   *
   * @param data one record, or a change of one
   * @returns at most 20 problems
   */
  refused(data: unknown, operation: WriteOperation, viewer: Viewer): Problem[];
  /**
   * What lies in the stored record where data replaces it, and is neither seen nor set by the viewer.
   *
   * @param data one record, or a change of one
   */
  replaced(data: unknown, operation: WriteOperation, viewer: Viewer): Replacement;
  /** Properties that name records of other services, by their path. */
  readonly references: ReadonlyMap<string, Reference>;
}

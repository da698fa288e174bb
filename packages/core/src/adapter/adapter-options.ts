import type { OptionKind } from '../check-option-values.ts';
import type { PaginationSizes } from '../description/page-sizes.ts';
import type { Params } from '../service/service-types.ts';

/** Options that adapters have in common, with their defaults. An adapter adds its own. */
export interface AdapterOptions {
  /** Name of the id property. */
  readonly id: string;
  /** Page sizes; `false` for no paging. */
  readonly paginate: PaginationSizes | false;
  /** Methods that may work on several records at once: `true` for all, or a list of names. */
  readonly multi: boolean | readonly string[];
  /** Most records that one patch or remove of several records touches. */
  readonly maxMulti: number;
  /** Events that the service emits by itself. */
  readonly events: readonly string[];
  /** Query operators besides the common ones. Default: none. */
  readonly operators?: readonly string[];
  /** Filters besides the common ones. Default: none. */
  readonly filters?: readonly string[];
  /** Properties, also dotted, that are not sent, and that nobody outside may query, sort by, select or write. Default: none. */
  readonly hidden?: readonly string[];
  /** Largest `$skip` from outside. Default: no limit. */
  readonly maxSkip?: number;
  /** Deepest nesting of a query, below a property. Default: 5. */
  readonly maxDepth?: number;
  /** Most keys of a query's conditions, and of its order. Default: 100. */
  readonly maxKeys?: number;
  /** Whether, and how, queries may page with `$after` and `$before`. Default: they may not. */
  readonly cursors?: boolean | object;
  /** What writes to several records give back. Default: `records`. */
  readonly returning?: 'records' | 'ids' | 'count';
  /** Name of the property that holds the version of each record, a text. Default: there are no versions. */
  readonly version?: string;
}

/** Parameters by which a call on the server changes the options of an adapter for itself. */
export interface AdapterParams<O extends AdapterOptions = AdapterOptions> extends Params {
  /** Options of the service for this call only. */
  adapter?: Partial<O>;
  /** Page sizes for this call; `false` for a plain array. */
  paginate?: { default?: number | undefined; max?: number | undefined } | false;
}

/** What the options are that adapters have in common and one call may have otherwise. */
export const CALL_OPTIONS = { operators: 'names', maxMulti: 'count', maxSkip: 'count', maxDepth: 'count', maxKeys: 'count' } as const;

/** What the options are that adapters have in common. */
export const ADAPTER_OPTIONS: Readonly<Partial<Record<keyof AdapterOptions, OptionKind>>> = {
  id: 'name',
  version: 'name',
  filters: 'names',
  hidden: 'names',
  events: 'names',
  ...CALL_OPTIONS,
};

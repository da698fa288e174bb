/** A record as the cases see it. */
export type CaseRecord = Record<string, unknown>;

/** A service as the cases call it. */
export interface CaseService {
  find(params?: object): Promise<unknown>;
  get(id: unknown, params?: object): Promise<unknown>;
  create(data: unknown, params?: object): Promise<unknown>;
  update(id: unknown, data: unknown, params?: object): Promise<unknown>;
  patch(id: unknown, data: unknown, params?: object): Promise<unknown>;
  remove(id: unknown, params?: object): Promise<unknown>;
}

/** What the cases ask of a service; each is one of the options that adapters have in common. */
export interface CaseOptions {
  readonly paginate?: { readonly default?: number; readonly max?: number } | false;
  readonly multi?: boolean | readonly string[];
  readonly hidden?: readonly string[];
  readonly paths?: readonly string[];
  readonly operators?: readonly string[];
  readonly version?: string;
  readonly cursors?: boolean;
  readonly maxMulti?: number;
  readonly maxSkip?: number;
}

/**
 * What an adapter need not have. `versions`: the option `version` and preconditions; `cursors`: pages by `$after` and `$before`; `hidden`: the option
 * `hidden`; `lists`: conditions look into lists; `paths`: dotted paths in queries and patches, and the option `paths`; `batches`: a
 * `create` of several that is refused leaves none of them behind; `maxMulti` and `maxSkip`: those options.
 */
export type Capability = 'versions' | 'cursors' | 'hidden' | 'lists' | 'paths' | 'batches' | 'maxMulti' | 'maxSkip';

/** All that an adapter need not have. */
export const CAPABILITIES: readonly Capability[] = ['versions', 'cursors', 'hidden', 'lists', 'paths', 'batches', 'maxMulti', 'maxSkip'];

/** What a case gets. */
export interface CaseContext {
  /** Makes a service without records. */
  readonly service: (options?: CaseOptions) => Promise<CaseService>;
  /** Name of the id property. */
  readonly id: string;
  /** An id that no record has. */
  readonly missing: unknown;
}

/** One case of the contract. */
export interface AdapterCase {
  readonly section: string;
  readonly title: string;
  /** What the adapter has to have; nothing where all adapters have to. */
  readonly needs?: Capability;
  readonly run: (context: CaseContext) => Promise<void>;
}

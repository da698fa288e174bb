import { BadRequest, MethodNotAllowed } from '@framework/errors';
import { checkOptionNames } from '../check-option-names.ts';
import { checkOptionValues } from '../check-option-values.ts';
import { describesItself } from '../description/describe-service.ts';
import type { ServiceDescription } from '../description/described.ts';
import { contributedRules } from '../records/contributed-rules.ts';
import { CORE } from '../package-copy.ts';
import { keepsPaths } from '../records/kept-paths.ts';
import type { Contribution } from '../records/record-rules.ts';
import type { Id, Paginated } from '../service/service-types.ts';
import { ADAPTER_OPTIONS, type AdapterOptions, type AdapterParams } from './adapter-options.ts';
import { checkPaginate } from './check-paginate.ts';
import { describeCollection } from './describe-collection.ts';
import { givenOptions } from '../given-options.ts';
import { inspected } from '../inspected.ts';

/** Methods of which no option says whether they work on several records. */
const ALWAYS: ReadonlyMap<string, boolean> = new Map([
  ['find', true],
  ['get', false],
  ['update', false],
]);

/** What one call may have otherwise: adapters have paths too. */
const OF_CALLS = { ...ADAPTER_OPTIONS, paths: 'names' } as const;

/**
 * What services with records are, whatever keeps the records: the six methods with their types, the options that all of them have, and what they say of
 * themselves. An adapter extends it and implements the methods with an underscore, which run without hooks and check the query all the same. It has to keep
 * what `keptPaths` names.
 *
 * @typeParam O options of the adapter, with their defaults
 * @typeParam T the record
 * @typeParam D data of `create` and `update`
 * @typeParam P parameters of calls
 * @typeParam Patch data of `patch`
 * @typeParam I ids
 */
export abstract class AdapterService<O extends AdapterOptions, T, D, P extends AdapterParams<O>, Patch, I = Id> {
  static {
    const { prototype } = AdapterService;
    CORE.mark(prototype);
    // What the option `hidden` adds to the rules of the records, once the service is registered. Declarations know no name of another file.
    Object.defineProperty(prototype, contributedRules, {
      get(this: { readonly options: AdapterOptions }): Contribution {
        const { hidden } = this.options;
        return hidden ? { hidden } : {};
      },
      configurable: true,
    });
    Object.defineProperty(prototype, keepsPaths, { value: true, configurable: true });
    Object.defineProperty(prototype, describesItself, {
      value(this: { readonly options: AdapterOptions }): ServiceDescription {
        return { collection: describeCollection(this.options) };
      },
      configurable: true,
    });
  }

  /** Options with their defaults. */
  readonly options: O;

  /**
   * @throws Error for the option `cursors` without pages, which alone name cursors, and for pages and methods that there are not
   * @throws TypeError for options that are not what they have to be
   */
  constructor(options: O) {
    checkOptionValues(this.constructor.name, options, ADAPTER_OPTIONS);
    checkPaginate(this.constructor.name, options.paginate);
    this.#checkMethods(options.multi);
    const { cursors = false, paginate } = options;
    if (cursors !== false && !paginate)
      throw new Error(
        `The option 'cursors' of ${this.constructor.name} needs 'paginate': pages name the cursors, as with { default: 10, max: 50 }`,
      );
    this.options = options;
  }

  /** Methods that a class has besides the six may be named too. */
  #checkMethods(multi: unknown): void {
    if (typeof multi === 'boolean') return;
    const of = `The option 'multi' of ${this.constructor.name}`;
    if (!Array.isArray(multi)) throw new Error(`${of} is true, false or a list of methods such as ['create'], and not ${inspected(multi)}`);
    const unknown: unknown = multi.find((name) => typeof name !== 'string' || typeof Reflect.get(this, name) !== 'function');
    if (unknown !== undefined) throw new Error(`${of} has no method ${inspected(unknown)}: it takes create, patch and remove`);
  }

  /** Name of the id property. */
  get id(): string {
    return this.options.id;
  }

  /** Name of the property with the version of a record, when the service keeps one. */
  get version(): string | undefined {
    return this.options.version;
  }

  /** Events that the service emits by itself. */
  get events(): readonly string[] {
    return this.options.events;
  }

  /** Names of the options that `params.adapter` may change for one call. Default: whatever it has but `hidden`. */
  protected get callOptions(): ReadonlySet<string> | undefined {
    return undefined;
  }

  /**
   * Options for one call: `params.paginate` and `params.adapter` win over the service's own. Callers from outside can set neither.
   *
   * @throws TypeError for a name that is none of {@link callOptions}, and for values that are none
   * @throws Error for page sizes and methods that there are not, and for `hidden` in `params.adapter`: what a record shows is the service's own, and fixed
   * when the application is set up
   */
  getOptions({ adapter, paginate }: AdapterParams<O> = {}): O {
    if (adapter === undefined && paginate === undefined) return this.options;
    checkPaginate(this.constructor.name, paginate);
    return { ...this.options, ...(paginate === undefined ? {} : { paginate }), ...(adapter && this.#optionsOfCall(adapter)) };
  }

  /** What is as the service has it changes nothing: all its options may be handed over. */
  #optionsOfCall(adapter: Partial<O>): Partial<O> {
    const of = this.constructor.name;
    const given = givenOptions(adapter);
    const changed = Object.entries(given).filter(([name, value]) => value !== Reflect.get(this.options, name));
    // It would refuse queries, and the results would have it all the same.
    if (changed.some(([name]) => name === 'hidden'))
      throw new Error(
        "params.adapter can not change 'hidden' for one call: what records show is fixed when the application is set up. Give the service the option, or say in its schema who may read",
      );
    if (this.callOptions) checkOptionNames(`params.adapter of a call to ${of}`, Object.fromEntries(changed), this.callOptions);
    checkOptionValues(of, given, OF_CALLS);
    checkPaginate(of, given.paginate);
    if (given.multi !== undefined) this.#checkMethods(given.multi);
    return given;
  }

  /** Whether a method may work on several records at once: `find` always, `get` and `update` never, others as the option `multi` says. */
  allowsMulti(method: string, params: AdapterParams<O> = {}): boolean {
    const { multi } = this.getOptions(params);
    const always = ALWAYS.get(method);
    if (always !== undefined) return always;
    return typeof multi === 'boolean' ? multi : multi.includes(method);
  }

  /**
   * Finds records.
   *
   * @returns a page when paging is on, else an array
   * @throws BadRequest (400) for a query that is not allowed
   */
  find(params: P & { paginate: false }): Promise<T[]>;
  find(params?: P): Promise<T[] | Paginated<T>>;
  find(params?: P): Promise<T[] | Paginated<T>> {
    return this._find(params);
  }

  /**
   * Reads one record.
   *
   * @throws NotFound (404), BadRequest (400)
   */
  get(id: I, params?: P): Promise<T> {
    return this._get(id, params);
  }

  /**
   * Creates a record, or several when `multi` allows it.
   *
   * @throws BadRequest (400), MethodNotAllowed (405), Conflict (409) where an id, or what an index keeps unique, is taken
   */
  create(data: D, params?: P): Promise<T>;
  create(data: D[], params?: P): Promise<T[]>;
  create(data: D | D[], params?: P): Promise<T | T[]>;
  create(data: D | D[], params?: P): Promise<T | T[]> {
    return this._create(data, params);
  }

  /**
   * Replaces a record.
   *
   * @throws NotFound (404), BadRequest (400), Conflict (409), PreconditionFailed (412)
   */
  update(id: I | null, data: D, params?: P): Promise<T> {
    return this._update(id, data, params);
  }

  /**
   * Changes properties of a record, or of all that match when the id is `null` and `multi` allows it.
   *
   * @throws NotFound (404), BadRequest (400), MethodNotAllowed (405), Conflict (409), PreconditionFailed (412)
   */
  patch(id: I, data: Patch, params?: P): Promise<T>;
  patch(id: null, data: Patch, params?: P): Promise<T[]>;
  patch(id: I | null, data: Patch, params?: P): Promise<T | T[]>;
  patch(id: I | null, data: Patch, params?: P): Promise<T | T[]> {
    return this._patch(id, data, params);
  }

  /**
   * Removes a record, or all that match when the id is `null` and `multi` allows it.
   *
   * @returns what was removed
   * @throws NotFound (404), BadRequest (400), MethodNotAllowed (405), PreconditionFailed (412)
   */
  remove(id: I, params?: P): Promise<T>;
  remove(id: null, params?: P): Promise<T[]>;
  remove(id: I | null, params?: P): Promise<T | T[]>;
  remove(id: I | null, params?: P): Promise<T | T[]> {
    return this._remove(id, params);
  }

  /** {@link find} without hooks and events; the query is checked all the same. */
  abstract _find(params?: P): Promise<T[] | Paginated<T>>;

  /** {@link get} without hooks. */
  abstract _get(id: I, params?: P): Promise<T>;

  /** {@link create} without hooks and events. */
  abstract _create(data: D | D[], params?: P): Promise<T | T[]>;

  /** {@link update} without hooks and events. */
  abstract _update(id: I | null, data: D, params?: P): Promise<T>;

  /** {@link patch} without hooks and events. */
  abstract _patch(id: I | null, data: Patch, params?: P): Promise<T | T[]>;

  /** {@link remove} without hooks and events. */
  abstract _remove(id: I | null, params?: P): Promise<T | T[]>;

  /**
   * What an update takes: the id of one record and its data.
   *
   * @throws BadRequest (400)
   */
  protected checkUpdate(id: I | null, data: D): asserts id is I {
    if (id === null || Array.isArray(data)) throw new BadRequest("You can not replace multiple instances. Did you mean 'patch'?");
  }

  /**
   * What a patch takes: one change, for one record or for several where `multi` allows it.
   *
   * @throws BadRequest (400), MethodNotAllowed (405)
   */
  protected checkPatch(id: I | null, data: Patch, params: P | undefined): void {
    if (Array.isArray(data)) throw new BadRequest('A patch takes one change, and not a list');
    if (id === null) this.checkMulti('patch', params);
  }

  /**
   * Whether a call may work on several records.
   *
   * @throws BadRequest (400) with a precondition, MethodNotAllowed (405) where `multi` does not allow the method
   */
  protected checkMulti(method: string, params: P | undefined): void {
    if (params?.precondition) throw new BadRequest('A precondition needs the id of a record');
    if (!this.allowsMulti(method, params)) throw new MethodNotAllowed(`Can not ${method} multiple entries`);
  }
}

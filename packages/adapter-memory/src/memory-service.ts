import {
  checkPrecondition,
  contributedRules,
  describesItself,
  keepsPaths,
  keptPaths,
  recordChanged,
  type Contribution,
  type Id,
  type NullableId,
  type Paginated,
  type Params,
  type ServiceDescription,
} from '@framework/core';
import { BadRequest, MethodNotAllowed, NotFound } from '@framework/errors';
import { compileConditions, declarationsOf, parseQuery, type StoredRecord } from '@framework/query';
import { withoutLimit, type Call } from './call.ts';
import { storedFrom } from './copy.ts';
import { describeCollection } from './describe-collection.ts';
import { foundRecords, shown, sorted } from './find.ts';
import type { MemoryParams, MemoryServiceOptions, ResolvedMemoryOptions } from './memory-types.ts';
import { NewRecords } from './new-records.ts';
import { QueryRules, resolveOptions } from './options.ts';
import { checkRecordId } from './record-id.ts';
import { RecordStore, type Row } from './record-store.ts';
import { keepInside, patched } from './write.ts';

/**
 * A service whose records are in memory: for tests, prototypes and caches. It does what services on a database do, record by record; what callers
 * get and give are copies. Everything is gone with the process.
 *
 * @typeParam T the record
 * @typeParam D data of `create` and `update`
 * @typeParam P parameters of calls
 * @typeParam Patch data of `patch`
 */
export class MemoryService<T = StoredRecord, D = Partial<T>, P extends MemoryParams = MemoryParams, Patch = Partial<D>> {
  static {
    // What the option `hidden` adds to the rules of the records, once the service is registered.
    Object.defineProperty(MemoryService.prototype, contributedRules, {
      get(this: MemoryService): Contribution {
        const { hidden } = this.options;
        return hidden ? { hidden } : {};
      },
      configurable: true,
    });
    Object.defineProperty(MemoryService.prototype, keepsPaths, { value: true, configurable: true });
    Object.defineProperty(MemoryService.prototype, describesItself, {
      value(this: MemoryService): ServiceDescription {
        return { collection: describeCollection(this.options) };
      },
      configurable: true,
    });
  }

  /** Options with their defaults. */
  readonly options: ResolvedMemoryOptions;
  readonly #store: RecordStore;
  readonly #made: NewRecords;
  readonly #rules = new QueryRules();

  /** @throws Error for an option that there is not, and for records at the start that share an id */
  constructor(options: MemoryServiceOptions = {}) {
    this.options = resolveOptions(options);
    const { id, store = [], indexes = [] } = this.options;
    this.#store = new RecordStore(id, indexes);
    this.#made = new NewRecords(this.options, this.#store);
    const given = Array.isArray(store)
      ? (store as readonly object[])
      : Object.entries(store).map(([key, record]) => ({ [id]: key, ...record }));
    this.#store.add(this.#made.from(given, false));
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

  /** Options for one call: `params.paginate` and `params.adapter` win over the service's own. */
  getOptions({ adapter, paginate }: MemoryParams = {}): ResolvedMemoryOptions {
    if (adapter === undefined && paginate === undefined) return this.options;
    return { ...this.options, ...(paginate === undefined ? {} : { paginate }), ...adapter };
  }

  /** Whether a method may work on several records at once. */
  allowsMulti(method: string, params: MemoryParams = {}): boolean {
    const { multi } = this.getOptions(params);
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
  async find(params?: P): Promise<T[] | Paginated<T>> {
    const call = this.#call(params, true);
    return foundRecords(
      this.#matching(call).map(({ record }) => record),
      call.query,
      call.options,
    ) as T[] | Paginated<T>;
  }

  /**
   * Reads one record.
   *
   * @throws NotFound (404), BadRequest (400)
   */
  async get(id: Id, params?: P): Promise<T> {
    const call = this.#call(params);
    return this.#shown(this.#one(call, id).record, call);
  }

  /**
   * Creates a record, or several when `multi` allows it: all or none.
   *
   * @throws BadRequest (400), MethodNotAllowed (405), Conflict (409) where an id is taken
   */
  create(data: D, params?: P): Promise<T>;
  create(data: D[], params?: P): Promise<T[]>;
  create(data: D | D[], params?: P): Promise<T | T[]>;
  async create(data: D | D[], params?: P): Promise<T | T[]> {
    if (Array.isArray(data)) this.#checkMulti('create', params);
    const call = this.#call(params);
    const made = this.#made.from(Array.isArray(data) ? data : [data], call.external);
    this.#store.add(made);
    const results = made.map((record) => this.#shown(record, call));
    return Array.isArray(data) ? results : (results[0] as T);
  }

  /**
   * Replaces a record.
   *
   * @throws NotFound (404), BadRequest (400), PreconditionFailed (412)
   */
  async update(id: NullableId, data: D, params?: P): Promise<T> {
    if (id === null || Array.isArray(data)) throw new BadRequest("You can not replace multiple instances. Did you mean 'patch'?");
    const call = this.#call(params);
    const { [this.id]: _id, ...given } = storedFrom(data, call.external);
    const row = this.#target(call, id);
    const record: StoredRecord = { [this.id]: row.record[this.id], ...given, ...this.#made.version() };
    keepInside(record, row.record, keptPaths(call.params, this));
    this.#store.replace(row, record);
    return this.#shown(record, call);
  }

  /**
   * Changes properties of a record, or of all that match when the id is `null` and `multi` allows it.
   *
   * @throws NotFound (404), BadRequest (400), MethodNotAllowed (405), PreconditionFailed (412)
   */
  patch(id: Id, data: Patch, params?: P): Promise<T>;
  patch(id: null, data: Patch, params?: P): Promise<T[]>;
  patch(id: NullableId, data: Patch, params?: P): Promise<T | T[]>;
  async patch(id: NullableId, data: Patch, params?: P): Promise<T | T[]> {
    if (Array.isArray(data)) throw new BadRequest('A patch takes one change, and not a list');
    if (id === null) this.#checkMulti('patch', params);
    const call = this.#call(withoutLimit(params));
    const rows = id === null ? this.#several(call) : [this.#target(call, id)];
    const { id: idName, version = idName } = this.options;
    const kept = keptPaths(call.params, this);
    // Each record gets a copy of its own, and all are made before the first is written.
    const changed = rows.map((row) => {
      const { [idName]: _id, [version]: _version, ...changes } = storedFrom(data, call.external);
      return { row, record: patched(row.record, { ...changes, ...this.#made.version() }, kept) };
    });
    for (const { row, record } of changed) this.#store.replace(row, record);
    return this.#results(
      id,
      changed.map(({ record }) => record),
      call,
    );
  }

  /**
   * Removes a record, or all that match when the id is `null` and `multi` allows it.
   *
   * @returns what was removed
   * @throws NotFound (404), BadRequest (400), MethodNotAllowed (405), PreconditionFailed (412)
   */
  remove(id: Id, params?: P): Promise<T>;
  remove(id: null, params?: P): Promise<T[]>;
  remove(id: NullableId, params?: P): Promise<T | T[]>;
  async remove(id: NullableId, params?: P): Promise<T | T[]> {
    if (id === null) this.#checkMulti('remove', params);
    const call = this.#call(withoutLimit(params));
    const rows = id === null ? this.#several(call) : [this.#target(call, id)];
    for (const row of rows) this.#store.remove(row);
    return this.#results(
      id,
      rows.map(({ record }) => record),
      call,
    );
  }

  /** {@link find} without hooks and events; the query is checked all the same. */
  async _find(params?: P): Promise<T[] | Paginated<T>> {
    return MemoryService.prototype.find.call(this, params) as Promise<T[] | Paginated<T>>;
  }

  /** {@link get} without hooks. */
  async _get(id: Id, params?: P): Promise<T> {
    return MemoryService.prototype.get.call(this, id, params) as Promise<T>;
  }

  /** {@link create} without hooks and events. */
  async _create(data: D | D[], params?: P): Promise<T | T[]> {
    return MemoryService.prototype.create.call(this, data as object, params) as Promise<T | T[]>;
  }

  /** {@link update} without hooks and events. */
  async _update(id: NullableId, data: D, params?: P): Promise<T> {
    return MemoryService.prototype.update.call(this, id, data as object, params) as Promise<T>;
  }

  /** {@link patch} without hooks and events. */
  async _patch(id: NullableId, data: Patch, params?: P): Promise<T | T[]> {
    return MemoryService.prototype.patch.call(this, id, data as object, params) as Promise<T | T[]>;
  }

  /** {@link remove} without hooks and events. */
  async _remove(id: NullableId, params?: P): Promise<T | T[]> {
    return MemoryService.prototype.remove.call(this, id, params) as Promise<T | T[]>;
  }

  /** @param paging whether the call may have cursors */
  #call(given: MemoryParams | undefined, paging = false): Call {
    const params = given ?? {};
    const options = this.getOptions(params);
    const external = params.provider !== undefined;
    const query = parseQuery(params.query, this.#rules.of(options, external, declarationsOf(params, this).paths));
    if (!paging && ('$after' in query.extra || '$before' in query.extra)) throw new BadRequest('$after and $before are for find alone');
    return { options, params, query, external };
  }

  #matching({ query, external }: Call): Row[] {
    const matches = compileConditions(query.criteria, external);
    const rows: Row[] = [];
    for (const row of this.#store.candidates(query.criteria)) if (matches(row.record)) rows.push(row);
    return rows;
  }

  #several(call: Call): Row[] {
    const rows = this.#matching(call);
    const { maxMulti } = call.options;
    if (rows.length > maxMulti)
      throw new BadRequest(`More than ${String(maxMulti)} records match. Narrow the query, or raise the service's 'maxMulti' option`);
    return rows;
  }

  /** @throws BadRequest (400), NotFound (404) */
  #one({ query, external }: Call, id: Id): Row {
    checkRecordId(id);
    const row = this.#store.get(id);
    if (row && compileConditions(query.criteria, external)(row.record)) return row;
    throw new NotFound(`No record found for id '${String(id).slice(0, 100)}'`);
  }

  /** The record that a write is for: {@link #one}, as the caller's precondition expects it. */
  #target(call: Call, id: Id): Row {
    const { precondition } = call.params;
    if (!precondition) return this.#one(call, id);
    const { version } = this.options;
    if (version === undefined) throw new Error("params.precondition needs the service's 'version' option");
    checkRecordId(id);
    const row = this.#store.get(id);
    if (row === undefined || !compileConditions(call.query.criteria, call.external)(row.record)) throw recordChanged();
    checkPrecondition(precondition, row.record, version);
    return row;
  }

  #results(id: NullableId, records: readonly StoredRecord[], call: Call): T | T[] {
    if (id === null) return sorted(records, call.query.sort).map((record) => this.#shown(record, call));
    const [record = {}] = records;
    return this.#shown(record, call);
  }

  #shown(record: StoredRecord, { query, options }: Call): T {
    return shown(record, query, options) as T;
  }

  #checkMulti(method: string, params: Params | undefined): void {
    if (params?.precondition) throw new BadRequest('A precondition needs the id of a record');
    if (!this.allowsMulti(method, params)) throw new MethodNotAllowed(`Can not ${method} multiple entries`);
  }
}

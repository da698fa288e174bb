import {
  AdapterService,
  checkMany,
  checkPrecondition,
  keptPaths,
  recordChanged,
  recordNotFound,
  withoutLimit,
} from '@framework/core/adapter';
import { BadRequest } from '@framework/errors';
import {
  checkPattern,
  checkRecordId,
  compileConditions,
  parseQuery,
  QueryRules,
  type ParsedQuery,
  type PatternCheck,
  type StoredRecord,
} from '@framework/query';
import { recordOf, storedFrom } from './copy.ts';
import { foundRecords, shown, sorted } from './find.ts';
import type { Id, MemoryParams, MemoryServiceOptions, NullableId, Paginated, ResolvedMemoryOptions } from './memory-types.ts';
import { NewRecords } from './new-records.ts';
import { CALL_OPTIONS, resolveOptions } from './options.ts';
import { RecordStore, type Row } from './record-store.ts';
import { keepInside, patched } from './write.ts';

/** One call, its query checked. */
interface Call {
  readonly options: ResolvedMemoryOptions;
  readonly params: MemoryParams;
  readonly query: ParsedQuery;
  readonly external: boolean;
}

/** Patterns of callers from outside are checked. */
function checkOf({ external }: Call): PatternCheck | undefined {
  return external ? checkPattern : undefined;
}

const NOTHING: MemoryParams = Object.freeze({});

/** Of calls that ask for nothing but a record. */
const NO_QUERY = parseQuery(undefined);

/**
 * A service whose records are in memory: for tests, prototypes and caches. It does what services on a database do, record by record; what callers
 * get and give are copies. Everything is gone with the process. A `create` of several records makes all or none.
 *
 * @typeParam T the record
 * @typeParam D data of `create` and `update`
 * @typeParam P parameters of calls
 * @typeParam Patch data of `patch`
 */
export class MemoryService<
  T = StoredRecord,
  D = Partial<T>,
  P extends MemoryParams = MemoryParams,
  Patch = Partial<D>,
> extends AdapterService<ResolvedMemoryOptions, T, D, P, Patch> {
  readonly #store: RecordStore;
  readonly #made: NewRecords;
  readonly #rules = new QueryRules();

  /** @throws Error for an option that there is not, and for records at the start that share an id */
  constructor(options: MemoryServiceOptions = {}) {
    super(resolveOptions(options));
    const { id, store = [], indexes = [] } = this.options;
    this.#store = new RecordStore(id, indexes);
    this.#made = new NewRecords(this.options, this.#store);
    const given = isList(store) ? store : Object.entries(store).map(([key, record]) => ({ [id]: key, ...record }));
    this.#store.add(this.#made.from(given, false));
  }

  protected override get callOptions(): ReadonlySet<string> {
    return CALL_OPTIONS;
  }

  /** {@link find} without hooks and events; the query is checked all the same. */
  async _find(params?: P): Promise<T[] | Paginated<T>> {
    const call = this.#call(params, true);
    const { criteria } = call.query;
    const matches = compileConditions(criteria, checkOf(call));
    return (await foundRecords(() => this.#store.candidates(criteria), matches, call.query, call.options)) as T[] | Paginated<T>;
  }

  /** {@link get} without hooks. */
  async _get(id: Id, params?: P): Promise<T> {
    const call = this.#call(params);
    return this.#shown(this.#one(call, id), call);
  }

  /** {@link create} without hooks and events. */
  async _create(data: D | D[], params?: P): Promise<T | T[]> {
    const several = Array.isArray(data);
    if (several) this.checkMulti('create', params);
    const call = this.#call(params);
    const made = this.#made.from(several ? data : [data], call.external);
    return this.#results(several, this.#store.add(made), call);
  }

  /** {@link update} without hooks and events. */
  async _update(id: NullableId, data: D, params?: P): Promise<T> {
    this.checkUpdate(id, data);
    const call = this.#call(params);
    const { [this.id]: _id, ...given } = storedFrom(data, call.external);
    const row = this.#target(call, id);
    const record = recordOf({ [this.id]: row.record[this.id] }, given, this.#made.version());
    keepInside(record, row.record, keptPaths(call.params, this));
    return this.#results(false, this.#store.replace([row], [{ ...row, record }]), call) as T;
  }

  /** {@link patch} without hooks and events. */
  async _patch(id: NullableId, data: Patch, params?: P): Promise<T | T[]> {
    this.checkPatch(id, data, params);
    const call = this.#call(withoutLimit(params));
    const { id: idName, version = idName } = this.options;
    const kept = keptPaths(call.params, this);
    // Each record gets a copy of its own, and all are made before the first is written.
    const rows = this.#targets(call, id);
    const changed = rows.map((row) => {
      const { [idName]: _id, [version]: _version, ...changes } = storedFrom(data, call.external);
      return { ...row, record: patched(row.record, { ...changes, ...this.#made.version() }, kept) };
    });
    // What has no order is refused before anything is written.
    return this.#results(id === null, this.#store.replace(rows, sorted(changed, call.query.sort)), call);
  }

  /** {@link remove} without hooks and events. */
  async _remove(id: NullableId, params?: P): Promise<T | T[]> {
    if (id === null) this.checkMulti('remove', params);
    const call = this.#call(withoutLimit(params));
    const rows = sorted(this.#targets(call, id), call.query.sort);
    this.#store.remove(rows);
    return this.#results(id === null, rows, call);
  }

  /** @param finding whether the call may have pages and cursors */
  #call(params: MemoryParams = NOTHING, finding = false): Call {
    const options = this.getOptions(params);
    const external = params.provider !== undefined;
    if (!finding && params.query === undefined) return { options, params, query: NO_QUERY, external };
    const query = parseQuery(params.query, this.#rules.ofCall(options, params, this));
    if (!finding && ('$after' in query.extra || '$before' in query.extra)) throw new BadRequest('$after and $before are for find alone');
    return { options, params, query, external };
  }

  #matching(call: Call): Row[] {
    const { query } = call;
    const matches = compileConditions(query.criteria, checkOf(call));
    return this.#store.candidates(query.criteria).filter(({ record }) => matches(record));
  }

  /** @returns the record of an id as the caller's conditions want it */
  #found(call: Call, id: Id): Row | undefined {
    const { query } = call;
    checkRecordId(id);
    // Conditions are looked at before: what is wrong with them does not depend on whether there is such a record.
    const matches = query === NO_QUERY || compileConditions(query.criteria, checkOf(call));
    const row = this.#store.get(id);
    return row && (matches === true || matches(row.record)) ? row : undefined;
  }

  /** @throws BadRequest (400), NotFound (404) */
  #one(call: Call, id: Id): Row {
    const row = this.#found(call, id);
    if (row === undefined) throw recordNotFound(id);
    return row;
  }

  /** The record that a write is for: {@link #one}, as the caller's precondition expects it. */
  #target(call: Call, id: Id): Row {
    const { precondition } = call.params;
    if (!precondition) return this.#one(call, id);
    const row = this.#found(call, id);
    checkPrecondition(precondition, row?.record, this.version);
    if (row === undefined) throw recordChanged();
    return row;
  }

  /** What a write is for: one record, or all that match. */
  #targets(call: Call, id: NullableId): Row[] {
    if (id !== null) return [this.#target(call, id)];
    const rows = this.#matching(call);
    checkMany(rows.length, call.options);
    return rows;
  }

  #results(several: boolean, rows: readonly Row[], call: Call): T | T[] {
    const results = rows.map((row) => this.#shown(row, call));
    return several ? results : (results[0] as T);
  }

  #shown(row: Row, { query, options }: Call): T {
    return shown(row, query, options) as T;
  }
}

function isList(store: NonNullable<MemoryServiceOptions['store']>): store is readonly object[] {
  return Array.isArray(store);
}

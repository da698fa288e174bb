import {
  contributedRules,
  describesItself,
  keepsPaths,
  keptPaths,
  passedOnParams,
  type Contribution,
  type Paginated,
  type ServiceDescription,
} from '@framework/core';
import { BadRequest, MethodNotAllowed } from '@framework/errors';
import { declarationsOf, parseQuery, type ParsedQuery } from '@framework/query';
import type { AggregationCursor, Collection, Document, FindCursor } from 'mongodb';
import { compileCriteria } from './compile/criteria.ts';
import { queryStages } from './compile/pipeline.ts';
import { QueryRules } from './compile/query-rules.ts';
import { checkData } from './compile/write-data.ts';
import { describeCollection } from './describe-collection.ts';
import type { AdapterId, DocDbParams, DocDbServiceOptions, NullableAdapterId, ResolvedOptions, WriteCount } from './docdb-types.ts';
import { converting } from './driver-error.ts';
import { callerParams } from './operations/caller-params.ts';
import { checkRecordId } from './object-id/record-id.ts';
import { resolveOptions } from './options.ts';
import { driverOptions, withoutLimit, type Call } from './operations/call.ts';
import { createRecords } from './operations/create.ts';
import { aggregateCursor, findCursor, findRecords } from './operations/find.ts';
import { getRecord } from './operations/get.ts';
import { patchRecord, patchRecords } from './operations/patch.ts';
import { removeRecord, removeRecords } from './operations/remove.ts';
import { updateRecord } from './operations/update.ts';
import { SlowCalls, type CallKind } from './server/slow-calls.ts';
import { startService } from './server/start.ts';
import { CursorTokens } from './paging/cursor-token.ts';

/**
 * A service whose records are the documents of a collection (interface 2.5, 4.5).
 *
 * @typeParam T the record
 * @typeParam D data of `create` and `update`
 * @typeParam P parameters of calls
 * @typeParam Patch data of `patch`
 */
export class DocDbService<T = Document, D = Partial<T>, P extends DocDbParams = DocDbParams, Patch = Partial<D>> {
  static {
    // What the option `hidden` adds to the rules of the records, once the service is registered. Declarations know no name of another file.
    Object.defineProperty(DocDbService.prototype, contributedRules, {
      get(this: DocDbService): Contribution {
        const { hidden } = this.options;
        return hidden ? { hidden } : {};
      },
      configurable: true,
    });
    Object.defineProperty(DocDbService.prototype, passedOnParams, { value: callerParams, configurable: true });
    Object.defineProperty(DocDbService.prototype, keepsPaths, { value: true, configurable: true });
    Object.defineProperty(DocDbService.prototype, describesItself, {
      value(this: DocDbService): ServiceDescription {
        return { collection: describeCollection(this.options) };
      },
      configurable: true,
    });
  }

  /** Options with their defaults. */
  readonly options: ResolvedOptions;
  readonly #collections = new WeakMap<object, Promise<Collection>>();
  #slowCalls: SlowCalls | undefined;
  #cursorTokens: CursorTokens | undefined;
  /** Calls of `find`, for the raw methods that it uses, which a subclass may override. */
  readonly #prepared = new WeakMap<DocDbParams, Call>();
  readonly #rules = new QueryRules();

  /**
   * @throws Error without options or without a `Model`
   */
  constructor(options: DocDbServiceOptions) {
    this.options = resolveOptions(options);
  }

  /**
   * Looks at the server and its indexes when the application starts (options `requires`, `indexes`).
   *
   * @param app told of slow calls
   * @throws Error when the server can not do what the options need
   */
  setup(app: object, path: string): Promise<void> | void {
    if (this.options.slowMs !== undefined && isEmitter(app)) {
      this.#slowCalls = new SlowCalls({ path, emit: (event, call) => app.emit(event, call) });
    }
    return startService(this, path);
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

  /**
   * Options for one call: `params.paginate` and `params.adapter` win over the service's own.
   *
   * @param params parameters of the call
   */
  getOptions(params: DocDbParams = {}): ResolvedOptions {
    if (params.adapter === undefined && params.paginate === undefined) return this.options;
    const paginate = params.paginate === undefined ? {} : { paginate: params.paginate };
    return { ...this.options, ...paginate, ...params.adapter };
  }

  /**
   * The collection of a call (interface 4.5).
   *
   * @param params parameters of the call; `params.adapter.Model` takes the place of the service's own
   */
  async getModel(params: DocDbParams = {}): Promise<Collection> {
    const { Model } = this.getOptions(params);
    if (typeof Model !== 'function') return Model;
    const known = this.#collections.get(Model);
    if (known) return known;
    const created = Promise.resolve(Model());
    this.#collections.set(Model, created);
    // A failed attempt to connect is not kept.
    created.catch(() => this.#collections.delete(Model));
    return created;
  }

  /** @returns a raw cursor of the find command; the caller closes it (interface 4.5) */
  async findRaw(params: DocDbParams = {}): Promise<FindCursor<Document>> {
    return findCursor(this.#prepared.get(params) ?? (await this.#call(params)));
  }

  /** @returns a raw cursor of the aggregate command; the caller closes it (interface 4.5) */
  async aggregateRaw(params: DocDbParams = {}): Promise<AggregationCursor> {
    return aggregateCursor(this.#prepared.get(params) ?? (await this.#call(params)));
  }

  /**
   * The stages of the query of a call, without `params.pipeline` (interface 4.5).
   *
   * @throws BadRequest (400) for a query that is not allowed
   */
  makeFrameworkPipeline(params: DocDbParams = {}): Document[] {
    const options = this.getOptions(params);
    const query = this.#parse(params, options);
    return queryStages(compileCriteria(query, options, params.provider !== undefined), query, options);
  }

  /** Whether a method may work on several records at once. */
  allowsMulti(method: string, params: DocDbParams = {}): boolean {
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
    return this.#run(
      params,
      async (call) => (await findRecords(call, this.#tokens(call.options), (page) => this.#read(page))) as T[] | Paginated<T>,
      { method: 'find', paging: true },
    );
  }

  /**
   * Reads one record.
   *
   * @throws NotFound (404), BadRequest (400)
   */
  async get(id: AdapterId, params?: P): Promise<T> {
    checkRecordId(id);
    return this.#run(params, async (call) => (await getRecord(call, id)) as T, { method: 'get', byId: true });
  }

  /**
   * Creates a record, or several when `multi` allows it.
   *
   * @throws BadRequest (400), MethodNotAllowed (405), Conflict (409) on a duplicate
   */
  create(data: D, params?: P): Promise<T>;
  create(data: D[], params?: P): Promise<T[]>;
  create(data: D | D[], params?: P): Promise<T | T[]>;
  async create(data: D | D[], params?: P): Promise<T | T[]> {
    if (Array.isArray(data)) this.#checkMulti('create', params);
    return this.#run(
      params,
      async (call) => {
        checkData(data, call);
        return (await createRecords(call, data as Document)) as T | T[];
      },
      { method: 'create' },
    );
  }

  /**
   * Replaces a record, or applies update operators to it.
   *
   * @throws NotFound (404), BadRequest (400), Conflict (409)
   */
  async update(id: NullableAdapterId, data: D, params?: P): Promise<T> {
    if (id === null || Array.isArray(data)) throw new BadRequest("You can not replace multiple instances. Did you mean 'patch'?");
    checkRecordId(id);
    return this.#run(
      params,
      async (call) => {
        checkData(data, call);
        return (await updateRecord(call, id, data as Document)) as T;
      },
      { method: 'update', byId: true },
    );
  }

  /**
   * Changes properties of a record, or of all that match when the id is `null` and `multi` allows it.
   *
   * @throws NotFound (404), BadRequest (400), MethodNotAllowed (405), Conflict (409)
   */
  patch(id: AdapterId, data: Patch, params?: P): Promise<T>;
  patch(id: null, data: Patch, params?: P): Promise<T[]>;
  patch(id: NullableAdapterId, data: Patch, params?: P): Promise<T | T[]>;
  async patch(id: NullableAdapterId, data: Patch, params?: P): Promise<T | T[]> {
    if (Array.isArray(data)) throw new BadRequest('A patch takes one change, and not a list');
    if (id === null) this.#checkMulti('patch', params);
    else checkRecordId(id);
    return this.#run(
      withoutLimit(params),
      async (call) => {
        checkData(data, call);
        const result: Document | Document[] | WriteCount =
          id === null ? await patchRecords(call, data as Document) : await patchRecord(call, id, data as Document);
        return result as T | T[];
      },
      { method: 'patch', byId: id !== null },
    );
  }

  /**
   * Removes a record, or all that match when the id is `null` and `multi` allows it.
   *
   * @returns what was removed
   * @throws NotFound (404), BadRequest (400), MethodNotAllowed (405)
   */
  remove(id: AdapterId, params?: P): Promise<T>;
  remove(id: null, params?: P): Promise<T[]>;
  remove(id: NullableAdapterId, params?: P): Promise<T | T[]>;
  async remove(id: NullableAdapterId, params?: P): Promise<T | T[]> {
    if (id === null) this.#checkMulti('remove', params);
    else checkRecordId(id);
    return this.#run(
      withoutLimit(params),
      async (call) => {
        const result: Document | Document[] | WriteCount = id === null ? await removeRecords(call) : await removeRecord(call, id);
        return result as T | T[];
      },
      { method: 'remove', byId: id !== null },
    );
  }

  /** {@link find} without hooks and events; the query is checked all the same. */
  async _find(params?: P): Promise<T[] | Paginated<T>> {
    return DocDbService.prototype.find.call(this, params) as Promise<T[] | Paginated<T>>;
  }

  /** {@link get} without hooks. */
  async _get(id: AdapterId, params?: P): Promise<T> {
    return DocDbService.prototype.get.call(this, id, params) as Promise<T>;
  }

  /** {@link create} without hooks and events. */
  async _create(data: D | D[], params?: P): Promise<T | T[]> {
    return DocDbService.prototype.create.call(this, data as object, params) as Promise<T | T[]>;
  }

  /** {@link update} without hooks and events. */
  async _update(id: NullableAdapterId, data: D, params?: P): Promise<T> {
    return DocDbService.prototype.update.call(this, id, data as object, params) as Promise<T>;
  }

  /** {@link patch} without hooks and events. */
  async _patch(id: NullableAdapterId, data: Patch, params?: P): Promise<T | T[]> {
    return DocDbService.prototype.patch.call(this, id, data as object, params) as Promise<T | T[]>;
  }

  /** {@link remove} without hooks and events. */
  async _remove(id: NullableAdapterId, params?: P): Promise<T | T[]> {
    return DocDbService.prototype.remove.call(this, id, params) as Promise<T | T[]>;
  }

  #checkMulti(method: string, params: P | undefined): void {
    if (params?.precondition) throw new BadRequest('A precondition needs the id of a record');
    if (!this.allowsMulti(method, params)) throw new MethodNotAllowed(`Can not ${method} multiple entries`);
  }

  async #run<R>(params: P | undefined, work: (call: Call) => Promise<R>, kind: CallKind): Promise<R> {
    const session = params?.docdb?.session;
    return converting(async () => {
      const call = await this.#call(params ?? {}, kind.paging);
      const { slowMs } = call.options;
      return this.#slowCalls && slowMs !== undefined ? this.#slowCalls.measure(slowMs, kind, call, work) : work(call);
    }, session?.inTransaction() === true);
  }

  async #read(call: Call): Promise<Document[]> {
    const params = { ...call.params };
    this.#prepared.set(params, call);
    const cursor = params.pipeline ? await this.aggregateRaw(params) : await this.findRaw(params);
    return (await cursor.toArray()) as Document[];
  }

  #tokens({ cursors }: ResolvedOptions): CursorTokens | undefined {
    if (!cursors) return undefined;
    return (this.#cursorTokens ??= new CursorTokens(cursors === true ? undefined : cursors.secret));
  }

  /** @param paging whether the call may have cursors */
  async #call(params: DocDbParams, paging = false): Promise<Call> {
    const options = this.getOptions(params);
    const query = this.#parse(params, options);
    if (!paging && (query.extra.$after !== undefined || query.extra.$before !== undefined))
      throw new BadRequest('$after and $before are for find alone');
    const filter = compileCriteria(query, options, params.provider !== undefined);
    const { docdb, collation } = params;
    return {
      collection: await this.getModel(params),
      options,
      params,
      query,
      filter,
      driver: driverOptions(options, collation, docdb),
      declared: declarationsOf(params, this),
      kept: keptPaths(params, this),
    };
  }

  #parse(params: DocDbParams, options: ResolvedOptions): ParsedQuery {
    return parseQuery(params.query, this.#rules.of(options, params.provider !== undefined, declarationsOf(params, this).paths));
  }
}

function isEmitter(app: object): app is { emit(event: string, ...args: unknown[]): unknown } {
  return typeof Reflect.get(app, 'emit') === 'function';
}

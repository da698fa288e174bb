import { holdsEvents, isThenable, passedOnParams } from '@framework/core';
import { AdapterService, withoutLimit } from '@framework/core/adapter';
import type { AggregationCursor, Collection, Document, FindCursor } from 'mongodb';
import { compileCriteria } from './compile/criteria.ts';
import { checkDocumentId } from './compile/document-id.ts';
import { queryStages } from './compile/pipeline.ts';
import { plainData } from './compile/plain-data.ts';
import { checkData, checkNewIds, checkNewNames } from './compile/write-data.ts';
import type {
  AdapterId,
  DocDbParams,
  DocDbServiceOptions,
  NullableAdapterId,
  Paginated,
  ResolvedOptions,
  UpdateOperators,
  WriteCount,
} from './docdb-types.ts';
import { fromSource, type CollectionSource } from './driver-source.ts';
import type { Call } from './operations/call.ts';
import { CallRunner } from './operations/call-runner.ts';
import { callerParams } from './operations/caller-params.ts';
import { continued } from './operations/continued.ts';
import { createRecords } from './operations/create.ts';
import { aggregateCursor, findCursor, findRecords } from './operations/find.ts';
import { getRecord } from './operations/get.ts';
import { patchRecord, patchRecords } from './operations/patch.ts';
import { removeRecord, removeRecords } from './operations/remove.ts';
import { updateRecord } from './operations/update.ts';
import { CALL_OPTIONS, checkValues, MODEL, resolveOptions } from './options.ts';
import { CursorTokens } from './paging/cursor-token.ts';
import { startService } from './server/start.ts';
import { holdUntilCommit } from './session-transaction.ts';

/** Key of the call that parameters were made of, which copies of them have too. */
const OF_CALL: unique symbol = Symbol('call');

/** Parameters of the raw methods that a call of `find` or `get` uses, which a subclass may override. */
interface CallParams extends DocDbParams {
  [OF_CALL]?: { readonly service: object; readonly call: Call; readonly params: DocDbParams };
}

/**
 * A service whose records are the documents of a collection (interface 2.5, 4.5).
 *
 * @typeParam T the record
 * @typeParam D data of `create` and `update`
 * @typeParam P parameters of calls
 * @typeParam Patch data of `patch`
 */
export class DocDbService<
  T = Document,
  D = Partial<T>,
  P extends DocDbParams = DocDbParams,
  Patch = Partial<D> & UpdateOperators,
> extends AdapterService<ResolvedOptions, T, D, P, Patch, AdapterId> {
  static {
    Object.defineProperty(this.prototype, passedOnParams, { value: callerParams, configurable: true });
    Object.defineProperty(this.prototype, holdsEvents, { value: holdUntilCommit, configurable: true });
  }

  readonly #collections = new WeakMap<object, Promise<Collection>>();
  readonly #calls: CallRunner;
  /** By what their key is made of: one call may have another secret. */
  readonly #cursorTokens = new WeakMap<object, CursorTokens>();

  /**
   * @throws Error without options or without a `Model`
   */
  constructor(options: DocDbServiceOptions) {
    super(resolveOptions(options));
    this.#calls = new CallRunner(this);
  }

  protected override get callOptions(): ReadonlySet<string> {
    return CALL_OPTIONS;
  }

  /**
   * Options for one call. Those of `params.adapter` have to be what the service's own have to be.
   *
   * @throws Error for those that are not
   */
  override getOptions(params: DocDbParams = {}): ResolvedOptions {
    if (params.adapter) checkValues(params.adapter);
    return super.getOptions(params);
  }

  /**
   * Looks at the server and its indexes when the application starts (options `requires`, `indexes`).
   *
   * @param app told of slow calls
   * @throws Error when the server can not do what the options need
   */
  setup(app: object, path: string): Promise<void> | void {
    if (this.options.slowMs !== undefined) this.#calls.tellSlowCalls(app, path);
    return startService(this, path);
  }

  /**
   * The collection of a call (interface 4.5).
   *
   * @param params parameters of the call; `params.adapter.Model` takes the place of the service's own
   * @throws Error when a promise or a function gives no collection
   */
  async getModel(params: DocDbParams = {}): Promise<Collection> {
    const { Model } = this.getOptions(params);
    if (typeof Model !== 'function' && !isThenable(Model)) return Model as Collection;
    const known = this.#collections.get(Model);
    if (known) return known;
    const created = fromSource(Model as CollectionSource, MODEL);
    this.#collections.set(Model, created);
    // A failed attempt to connect is not kept.
    created.catch(() => this.#collections.delete(Model));
    return created;
  }

  /** @returns a raw cursor of the find command; the caller closes it (interface 4.5) */
  async findRaw(params: DocDbParams = {}): Promise<FindCursor<Document>> {
    return findCursor(await this.#callOf(params));
  }

  /** @returns a raw cursor of the aggregate command; the caller closes it (interface 4.5) */
  async aggregateRaw(params: DocDbParams = {}): Promise<AggregationCursor> {
    return aggregateCursor(await this.#callOf(params), this.#stages);
  }

  /**
   * The stages of the query of a call, without `params.pipeline` (interface 4.5). Calls with a pipeline take them from here, a subclass's too.
   *
   * @throws BadRequest (400) for a query that is not allowed
   */
  makeFrameworkPipeline(params: DocDbParams = {}): Document[] {
    const known = this.#known(params);
    if (known?.params === params) return queryStages(known.call.filter, known.call.query, known.call.options);
    const options = this.getOptions(params);
    const query = this.#calls.parse(params, options);
    const asked = { query, filter: compileCriteria(query, options, params.provider !== undefined) };
    const { filter, query: whole } = known ? continued(asked, known.call) : asked;
    return queryStages(filter, whole, options);
  }

  /** {@link find} without hooks and events; the query is checked all the same. */
  async _find(params?: P): Promise<T[] | Paginated<T>> {
    return this.#calls.run(
      params,
      async (call) => (await findRecords(call, this.#tokens(call.options), (page) => this.#read(page), this.#stages)) as T[] | Paginated<T>,
      { method: 'find', paging: true },
    );
  }

  /** {@link get} without hooks. */
  async _get(id: AdapterId, params?: P): Promise<T> {
    checkDocumentId(id);
    return this.#calls.run(params, async (call) => (await getRecord(call, id, this.#stages)) as T, { method: 'get', byId: true });
  }

  /** {@link create} without hooks and events. */
  async _create(data: D | D[], params?: P): Promise<T | T[]> {
    if (Array.isArray(data)) this.checkMulti('create', params);
    return this.#calls.run(
      params,
      async (call) => {
        const records = plainData(data);
        checkData(records, call);
        checkNewNames(records);
        checkNewIds(records, call);
        return (await createRecords(call, records as Document)) as T | T[];
      },
      { method: 'create' },
    );
  }

  /** Replaces a record, or applies update operators to it, without hooks and events. */
  async _update(id: NullableAdapterId, data: D, params?: P): Promise<T> {
    this.checkUpdate(id, data);
    checkDocumentId(id);
    return this.#calls.run(
      params,
      async (call) => {
        const record = plainData(data);
        checkData(record, call);
        return (await updateRecord(call, id, record as Document)) as T;
      },
      { method: 'update', byId: true },
    );
  }

  /** Changes properties and applies update operators, of a record or of all that match, without hooks and events. */
  async _patch(id: NullableAdapterId, data: Patch, params?: P): Promise<T | T[]> {
    this.checkPatch(id, data, params);
    if (id !== null) checkDocumentId(id);
    return this.#calls.run(
      withoutLimit(params),
      async (call) => {
        const change = plainData(data);
        checkData(change, call);
        const result: Document | Document[] | WriteCount =
          id === null ? await patchRecords(call, change as Document) : await patchRecord(call, id, change as Document);
        return result as T | T[];
      },
      { method: 'patch', byId: id !== null },
    );
  }

  /** {@link remove} without hooks and events. */
  async _remove(id: NullableAdapterId, params?: P): Promise<T | T[]> {
    if (id === null) this.checkMulti('remove', params);
    else checkDocumentId(id);
    return this.#calls.run(
      withoutLimit(params),
      async (call) => {
        const result: Document | Document[] | WriteCount = id === null ? await removeRecords(call) : await removeRecord(call, id);
        return result as T | T[];
      },
      { method: 'remove', byId: id !== null },
    );
  }

  /** Through the method, which a subclass may have of its own. */
  readonly #stages = (call: Call): Document[] => this.makeFrameworkPipeline(this.#paramsOf(call));

  /** Parameters by which the call is found again that is prepared already. */
  #paramsOf(call: Call): DocDbParams {
    const params: CallParams = { ...call.params };
    params[OF_CALL] = { service: this, call, params };
    return params;
  }

  #known(params: CallParams): CallParams[typeof OF_CALL] {
    const known = params[OF_CALL];
    return known?.service === this ? known : undefined;
  }

  async #callOf(params: DocDbParams): Promise<Call> {
    const known = this.#known(params);
    if (known?.params === params) return known.call;
    const call = await this.#calls.prepare(params, known !== undefined);
    return known ? { ...call, ...continued(call, known.call) } : call;
  }

  async #read(call: Call): Promise<Document[]> {
    const params = this.#paramsOf(call);
    const cursor = params.pipeline ? await this.aggregateRaw(params) : await this.findRaw(params);
    return (await cursor.toArray()) as Document[];
  }

  #tokens({ cursors }: ResolvedOptions): CursorTokens | undefined {
    if (!cursors) return undefined;
    const of = cursors === true ? this : cursors;
    const known = this.#cursorTokens.get(of);
    if (known) return known;
    const tokens = new CursorTokens(cursors === true ? undefined : cursors.secret);
    this.#cursorTokens.set(of, tokens);
    return tokens;
  }
}

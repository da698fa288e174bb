import { getRules, partsOf, tellListeners, type ListenedApplication } from '@framework/core';
import { keptPaths } from '@framework/core/adapter';
import { BadRequest } from '@framework/errors';
import { declarationsOf, parseQuery, QueryRules, type ParsedQuery } from '@framework/query';
import type { Collection } from 'mongodb';
import { compileCriteria } from '../compile/criteria.ts';
import type { DocDbParams, ResolvedOptions } from '../docdb-types.ts';
import { converting, ofSource } from '../driver-error.ts';
import { presentParams, transactionOf } from '../session-transaction.ts';
import { SlowCalls, type CallKind, type SlowCall } from '../server/slow-calls.ts';
import { clientOf, driverOptions, type Call } from './call.ts';
import { inTime } from './in-time.ts';
import { rawFields } from './raw-fields.ts';
import { checkSearched } from './searched-texts.ts';

/** A service whose calls are run. */
export interface CalledService {
  getOptions(params: DocDbParams): ResolvedOptions;
  getModel(params: DocDbParams): Promise<Collection>;
}

/** Makes calls of one service ready for the database and runs them: with its time limit, telling those that take long, and errors turned into ones with a status. */
export class CallRunner {
  readonly #service: CalledService;
  readonly #rules = new QueryRules();
  #slowCalls: SlowCalls | undefined;

  constructor(service: CalledService) {
    this.#service = service;
  }

  /**
   * Tells slow calls from now on.
   *
   * @param app told by its event `slow-call`; an object that emits nothing is told nothing
   * @param path of the service
   */
  tellSlowCalls(app: object, path: string): void {
    if (!isListened(app)) return;
    const emit = (event: string, call: SlowCall): void => {
      tellListeners(app, event, [call], { path, event });
    };
    this.#slowCalls = new SlowCalls({ path, emit });
  }

  /**
   * @param work what the call does with the database
   * @throws what `converting` makes of the errors of the driver, BadRequest (400) for a query that is not allowed, and Error for a write with a pipeline, or that is explained
   */
  async run<R>(given: DocDbParams | undefined, work: (call: Call) => Promise<R>, kind: CallKind): Promise<R> {
    const params = given && presentParams(given);
    const transaction = params && transactionOf(params);
    const writes = kind.method === 'create' || WRITES.has(kind.method);
    const run = (): Promise<R> =>
      converting(
        async () => {
          if (WRITES.has(kind.method)) refusePipeline(params, kind.method);
          if (writes) refuseExplained(params, kind.method);
          const call = await this.#prepare(params ?? {}, kind.paging);
          const { slowMs } = call.options;
          return this.#slowCalls && slowMs !== undefined ? this.#slowCalls.measure(slowMs, kind, call, work) : work(call);
        },
        {
          inTransaction: transaction !== undefined,
          writes,
          params,
          mayName: (field) => params?.provider === undefined || this.#mayName(field, params),
        },
      );
    return transaction ? transaction.inTurn(run) : run();
  }

  /** Whoever may set a property learns that its value is taken; of one that the server sets and nobody sees, not even its name. */
  #mayName(field: string, params: DocDbParams): boolean {
    const property = getRules(this.#service)?.property(partsOf(field), { params });
    return property === undefined || property.readable || property.writable;
  }

  /**
   * Makes a call ready that is run by whoever asks.
   *
   * @param paging whether the call may have cursors
   * @throws BadRequest (400) for a query that is not allowed
   */
  async prepare(params: DocDbParams, paging = false): Promise<Call> {
    return this.#prepare(presentParams(params), paging);
  }

  /** @param params whose transaction is looked at already: one that has ended since is refused, and not left out */
  async #prepare(params: DocDbParams, paging = false): Promise<Call> {
    const options = this.#service.getOptions(params);
    const query = this.parse(params, options);
    if (!paging && (query.extra.$after !== undefined || query.extra.$before !== undefined))
      throw new BadRequest('$after and $before are for find alone');
    const filter = compileCriteria(query, options, params.provider !== undefined);
    const collection = await this.#collectionOf(params);
    const rules = params.provider === undefined ? undefined : getRules(this.#service);
    const driver = {
      ...driverOptions(options, params, collection),
      fieldsAsRaw: rawFields(clientOf(collection), params.docdb?.fieldsAsRaw),
    };
    const answering = inTime(collection, driver);
    if (rules) await checkSearched({ collection: answering, query, driver }, rules, { params });
    return {
      collection: answering,
      options,
      params,
      query,
      filter,
      asked: { filter, query },
      driver,
      declared: declarationsOf(params, this.#service),
      // What the database keeps by itself needs no other command.
      kept: keptPaths(params, this.#service).filter((path) => path !== '_id'),
    };
  }

  async #collectionOf(params: DocDbParams): Promise<Collection> {
    try {
      return await this.#service.getModel(params);
    } catch (error) {
      throw ofSource(error);
    }
  }

  /**
   * The query of a call.
   *
   * @param options of the call
   * @throws BadRequest (400) for a query that is not allowed
   */
  parse(params: DocDbParams, options: ResolvedOptions): ParsedQuery {
    return parseQuery(params.query, this.#rules.ofCall(options, params, this.#service));
  }
}

const WRITES: ReadonlySet<string> = new Set(['update', 'patch', 'remove']);

/** Conditions of a pipeline can not be part of the command that writes: what they keep out would be written all the same. */
function refusePipeline(params: DocDbParams | undefined, method: string): void {
  if (params?.pipeline === undefined || params.pipeline.length === 0) return;
  throw new Error(
    `params.pipeline is for find and get, and not for ${method}: the query alone decides what is written. ` +
      'Put its conditions into params.query, and read the record with get() where it is to be joined',
  );
}

/** Nothing would be written, and what comes back is no record: callers were told that there is none. For the driver `false` asks for a plan, too. */
function refuseExplained(params: DocDbParams | undefined, method: string): void {
  if ((params?.docdb?.explain ?? undefined) === undefined) return;
  throw new Error(
    `params.docdb.explain is for find and get, and not for ${method}: nothing would be written. Ask for the plan of its query with find()`,
  );
}

function isListened(app: object): app is ListenedApplication {
  return ['emit', 'rawListeners'].every((name) => typeof Reflect.get(app, name) === 'function');
}

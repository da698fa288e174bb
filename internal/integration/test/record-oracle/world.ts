import { inspect } from 'node:util';
import { authenticate as authenticateHook, AuthenticationService, EntityStrategy, JWTStrategy } from '@framework/authentication';
import type { AuthenticationParams, AuthenticationRequest, AuthenticationResult } from '@framework/authentication';
import { DocDbService, type DocDbServiceOptions } from '@framework/adapter-docdb';
import { framework, keepsPaths, type HookContext } from '@framework/core';
import { BadRequest } from '@framework/errors';
import { resolve, virtual } from '@framework/schema';
import { MemoryService } from '@framework-internal/testing';
import { startDatabase, type TestDatabase } from '@framework-internal/testing/database';
import type { GeneratedShape } from '@framework-internal/testing/shapes';
import { ObjectId } from 'mongodb';
import express, { authenticate, errorHandler, json, parseAuthentication, rest, type Application } from '@framework/transport-express';
import type { ShapeRules } from '../../../../packages/schema/src/record-shape/record-shape.ts';
import { RecordChecks } from '../../../../packages/schema/src/record-checks.ts';
import { schemaExtension } from '../../../../packages/schema/src/service-schema.ts';
import { listen, send, sendJson, type Answer, type Running } from '../harness.ts';

/** What holds. A mutation takes one thing out. */
export interface Holds {
  readonly rules: ShapeRules;
  /** Whether the option `schema` brings its outermost hooks along. */
  readonly outer: boolean;
  /** Whether it brings its checks of what comes in along. */
  readonly input: boolean;
  /** Whether the database keeps what an update or patch has to leave. */
  readonly keeps: boolean;
}

/** Anyone logs in who names an id. */
class AnyStrategy extends EntityStrategy {
  async authenticate({ id }: AuthenticationRequest, params: AuthenticationParams): Promise<AuthenticationResult> {
    return { authentication: { strategy: 'any' }, user: await this.getEntity(String(id), params) };
  }
}

const AUTHENTICATION = {
  secret: 'a secret for the oracle of the records 3',
  entity: 'user',
  authStrategies: ['jwt', 'any'],
  limiter: false,
  service: 'none',
};
const METHODS = ['find', 'get', 'create', 'update', 'patch', 'remove', 'report'];
const OPERATORS = ['$set', '$unset', '$rename', '$push'];

/** A service with one stored record of a generated shape, and what can be seen of it. */
export interface Stored {
  readonly path: string;
  readonly id: string;
  readonly kind: 'memory' | 'docdb';
  /** The record as it is stored now. */
  read(): Promise<Record<string, unknown>>;
  /** Puts the record back as it was. */
  restore(): Promise<void>;
  /** Texts of what left beside answers: events, and what hooks see of the user. */
  readonly left: string[];
  take(): void;
}

/** One application with a listening server; services come and go. */
export class World {
  readonly #app: Application;
  readonly #running: Running;
  readonly #database: TestDatabase;
  #serial = 0;
  /** Gives the record that the other services put into theirs. */
  #load: () => Promise<unknown> = async () => undefined;
  #left: string[] = [];

  private constructor(app: Application, running: Running, database: TestDatabase) {
    this.#app = app;
    this.#running = running;
    this.#database = database;
  }

  static async start(): Promise<World> {
    const app = express(framework()) as Application;
    app.set('authentication', AUTHENTICATION);
    app.use(json());
    app.use(parseAuthentication());
    app.configure(rest());
    app.use('none', new MemoryService() as never);
    const authentication = new AuthenticationService(app);
    authentication.register('jwt', new JWTStrategy());
    authentication.register('any', new AnyStrategy());
    app.use('authentication', authentication);
    const made: { world?: World } = {};
    const load = async (): Promise<unknown> => (made.world ? made.world.#load() : undefined);
    const plain = {
      async get(id: string): Promise<unknown> {
        const record = await load();
        if (id === 'error') throw new BadRequest('no', record as object);
        if (id === 'errors') throw new BadRequest('no', { deep: [{ record }], errors: [{ record }] });
        return { nested: { list: [record], map: new Map([['a', record]]) }, same: record };
      },
      create: load,
      report: async (): Promise<unknown> => ({ deep: [await load()] }),
    };
    app.use('plain', plain as never, { methods: ['get', 'create', 'report'] } as never);
    app.service('plain').on('created', (_record: unknown, context: unknown) => made.world?.note((context as HookContext).dispatch));
    app.use('whoami', { find: async (params: object) => ({ params, user: (params as { user: object }).user }) } as never);
    const seen = (context: HookContext): void => {
      const { user } = context.params as { readonly user?: object };
      made.world?.note(JSON.stringify(context.params), { ...user });
    };
    app.service('whoami').hooks({ before: { all: [authenticateHook('jwt'), seen] } } as never);
    app.get('/page', authenticate('jwt'), (req, res) => {
      res.json({ user: req.framework?.user });
    });
    app.use(errorHandler({ logger: false }));
    made.world = new World(app, await listen(app), await startDatabase());
    return made.world;
  }

  async stop(): Promise<void> {
    await this.#running.stop();
    await this.#database.close();
  }

  note(...values: readonly unknown[]): void {
    for (const value of values) this.#left.push(textOf(value));
  }

  /** Sends a request. */
  async send(method: string, path: string, data?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const { url } = this.#running;
    return data === undefined ? send(url, path, { method, headers }) : sendJson(url, method, path, data, headers);
  }

  /**
   * Puts a record into a service of its own.
   *
   * @param dressed the record as a memory has it: with objects of classes in it
   */
  async store(shape: GeneratedShape, dressed: unknown, kind: Stored['kind'], holds: Holds): Promise<Stored> {
    const path = `s${String(this.#serial++)}`;
    const collection = this.#database.db.collection(path);
    const memory = new MemoryService({ id: '_id' });
    const _id = new ObjectId();
    const id = kind === 'memory' ? path : _id.toHexString();
    const options: DocDbServiceOptions = { Model: collection, updateOperators: OPERATORS };
    const docdb = new DocDbService(options);
    if (!holds.keeps) Object.defineProperty(docdb, keepsPaths, { value: false });
    const service: object = kind === 'memory' ? memory : docdb;
    const app = this.#app;
    const load = (): Promise<unknown> => (app.service(path) as unknown as { get(id: string): Promise<unknown> }).get(id);
    this.#load = load;
    const own = Object.assign(service, { report: async () => ({ list: [[await (service as MemoryService).get(id)]] }) });
    app.use(path, own as never, { methods: METHODS, schema: this.#schema(shape.schema, holds) } as never);
    app.use(
      `${path}/posts`,
      new MemoryService({ store: [{ id: 1 }] }) as never,
      {
        schema: this.#schema({ type: 'object', properties: { id: { type: 'integer' } } }, holds, { author: virtual(load) }),
      } as never,
    );
    for (const event of ['created', 'updated', 'patched', 'removed'])
      app.service(path).on(event, (_record: unknown, context: unknown) => this.note((context as HookContext).dispatch));
    app.set('authentication', { ...AUTHENTICATION, service: path, entityId: '_id' });
    this.#left = [];
    const restore = async (): Promise<void> => {
      if (kind === 'memory') memory.store.set(id, { _id: id, ...(dressed as object) });
      else await collection.replaceOne({ _id }, structuredClone(shape.record), { upsert: true });
    };
    await restore();
    return {
      path,
      id,
      kind,
      restore,
      left: this.#left,
      read: async () => (kind === 'memory' ? memory.store.get(id) : await collection.findOne({ _id })) as Record<string, unknown>,
      take: () => {
        for (const name of [path, `${path}/posts`]) void app.unuse(name as never);
      },
    };
  }

  #schema(schema: Record<string, unknown>, holds: Holds, result: Record<string, unknown> = {}): object {
    const checks = new RecordChecks({ record: schema, extensions: {}, rules: holds.rules });
    const option = schemaExtension(checks, Object.keys(result).length > 0 ? { result: resolve(result as never) } : {});
    return { ...option, ...(holds.outer ? {} : { outerHooks: {} }), ...(holds.input ? {} : { inputHooks: {} }) };
  }
}

/** All that can be seen of a value, also of maps and sets, and of what makes its own JSON. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return `${inspect(value, { depth: Infinity, maxStringLength: Infinity, maxArrayLength: Infinity })} ${JSON.stringify(value)}`;
}

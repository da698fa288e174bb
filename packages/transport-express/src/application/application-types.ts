import type { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import type { ListenOptions } from 'node:net';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type {
  Application as CoreApplication,
  ApplicationAddons,
  ApplicationHookMap,
  AsPluginApplication,
  FrameworkService,
  LifecycleHookMap,
  MethodNames,
  NoServices,
  RegistrationOptions,
  ServiceAt,
  ServiceExtension,
  ServicePath,
  ServiceToUse,
  WithService,
} from '@framework/core';
import type { Application as ExpressApplication, IRouterMatcher, RequestHandler } from 'express';
import type { ParamsDictionary, PathParams, Query as ParsedQuery, RouteParameters } from 'express-serve-static-core';
import type { Middleware } from '../middleware-types.ts';
import type { ForwardedMember } from './core-members.ts';
import type { CloseOptions, ClosingListener } from './ending.ts';
import type { CheckedArguments, MethodsIn, NotService, SchemaIn, ServiceIn, UseArgument } from './use-arguments.ts';

/** Listens to the event `closing`, to those of real-time connections, or to any other. A listener may say more of its connection than is known here. */
type Listen<A> = ((event: 'closing', listener: ClosingListener) => A) &
  ((event: 'connection' | 'disconnect', listener: (connection: Record<string, unknown>) => unknown) => A) &
  EventEmitter['on'];

/** What Express's routing methods take in the place of a handler. */
type Handlers = Middleware | readonly Middleware[];

/** At least one. */
type Several<T> = readonly [T, ...T[]];

/** Members of Express that give the application, for calls behind each other. */
type ChainMember = 'all' | 'post' | 'put' | 'patch' | 'delete' | 'options' | 'head' | 'enable' | 'disable';

/** Members of the event emitter that Express declares for its own event alone. */
type EventMembers = 'off' | 'emit' | 'addListener' | 'removeListener' | 'removeAllListeners' | 'listeners' | 'listenerCount';

/** An application that is both: an Express application and a service application (interface 4.3). */
export interface Application<Services extends object = NoServices, Settings extends object = Record<string, unknown>>
  extends
    Omit<
      ExpressApplication,
      'use' | 'get' | 'set' | 'listen' | 'settings' | 'routes' | 'on' | 'once' | ForwardedMember | 'configure' | ChainMember | EventMembers
    >,
    ApplicationAddons,
    Pick<EventEmitter, EventMembers>,
    Pick<CoreApplication<Services, Settings>, Exclude<ForwardedMember, 'hooks' | 'service' | 'setup'>> {
  /** Handles a request, as any Express application. */
  (req: IncomingMessage, res: ServerResponse, next?: (error?: unknown) => void): void;

  /** Never set: carries the types of the services to clients. */
  readonly '~services'?: Services;

  /** Settings of Express and of the services, by name. */
  readonly settings: Partial<Settings> & Record<string, unknown>;

  /** The server that {@link listen} made last, until it is closed. */
  server?: Server;

  /** Listens to an event. Promises that listeners of `closing` return are waited for, see {@link close}. */
  on: Listen<this>;
  /** Listens to an event once, as {@link on}. */
  once: Listen<this>;

  /** Registers handlers for GET requests, or reads a setting. */
  get<Route extends string>(path: Route, ...handlers: Several<RequestHandler<RouteParameters<Route>>>): this;
  get<
    P = ParamsDictionary,
    Result = unknown,
    Data = unknown,
    Q = ParsedQuery,
    Locals extends Record<string, unknown> = Record<string, unknown>,
  >(
    path: PathParams,
    ...handlers: Several<RequestHandler<P, Result, Data, Q, Locals>>
  ): this;
  get(path: PathParams, ...handlers: Several<Handlers>): this;
  get<N extends keyof Settings & string>(name: N): Settings[N];

  all: IRouterMatcher<this>;
  post: IRouterMatcher<this>;
  put: IRouterMatcher<this>;
  patch: IRouterMatcher<this>;
  delete: IRouterMatcher<this>;
  options: IRouterMatcher<this>;
  head: IRouterMatcher<this>;

  /** Sets a setting to `true`. */
  enable(name: string): this;
  /** Sets a setting to `false`. */
  disable(name: string): this;

  /** Changes a setting. */
  set<N extends keyof Settings & string>(name: N, value: Settings[N]): this;
  set<N extends string>(name: N extends keyof Settings ? never : N, value: unknown): this;

  /**
   * Registers a service: `app.use('users', service)`, with options behind it, and middleware before and after it; or
   * registers middleware as Express does.
   *
   * @throws TypeError for a class, a missing service, or a service without a path
   * @throws Error for other arguments, unknown options, what stands beside a registered service, or a path that is taken
   */
  // Middleware first: handlers written in place get the types of Express, which they lose once a service was tried in their place.
  use<Route extends string>(path: Route, ...handlers: Several<RequestHandler<RouteParameters<Route>>>): this;
  use<
    P = ParamsDictionary,
    Result = unknown,
    Data = unknown,
    Q = ParsedQuery,
    Locals extends Record<string, unknown> = Record<string, unknown>,
  >(
    path: PathParams,
    ...handlers: Several<RequestHandler<P, Result, Data, Q, Locals>>
  ): this;
  use(path: PathParams, ...handlers: Several<Handlers | ExpressApplication>): this;
  use<L extends string, S extends object, const M extends MethodNames = MethodNames, X extends ServiceExtension = ServiceExtension>(
    path: L,
    service: S extends NotService ? never : ServiceToUse<Services, L, S>,
    options?: RegistrationOptions<M, X, S>,
  ): Application<WithService<Services, L, S, M, X>, Settings>;
  use<L extends string, const A extends readonly UseArgument[]>(
    path: L & CheckedArguments<Services, L, A>,
    ...args: A
  ): ServiceIn<A> extends never ? this : Application<WithService<Services, L, ServiceIn<A>, MethodsIn<A>, SchemaIn<A>>, Settings>;
  use(...handlers: (RequestHandler | readonly RequestHandler[])[]): this;
  use(...handlers: (Handlers | ExpressApplication)[]): this;
  // The first form once more: what is wrong is reported of the last one, and mostly it is the service.
  use<L extends string, S extends object, const M extends MethodNames = MethodNames, X extends ServiceExtension = ServiceExtension>(
    path: L,
    service: S extends NotService ? never : ServiceToUse<Services, L, S>,
    options?: RegistrationOptions<M, X, S>,
  ): Application<WithService<Services, L, S, M, X>, Settings>;

  /**
   * @param path a registered path, with or without outer slashes
   * @returns the registered service, with hooks and events
   * @throws Error when there is none
   */
  service<L extends ServicePath<Services>>(path: L): FrameworkService<ServiceAt<Services, L>, this>;

  /**
   * Starts an HTTP server, then sets up the services.
   *
   * @param port port number (0 takes a free one), or the path of a socket, or options of `net.Server.listen`
   * @param callback called when the server listens, before the services are set up; on Express 5 also with the error that it can not
   * @returns the listening server, once all services are set up
   * @throws the server's error, for example `EADDRINUSE`
   */
  listen(port?: number | string, hostname?: string, callback?: (error?: Error) => void): Promise<Server>;
  listen(port: number | string, callback?: (error?: Error) => void): Promise<Server>;
  listen(options: ListenOptions, callback?: (error?: Error) => void): Promise<Server>;

  /** Runs a function that sets up a part of the application, for example `app.configure(rest())`. */
  configure(callback: (this: this, app: AsPluginApplication<this>) => unknown): this;

  /** Adds hooks for all services, or for `setup` and `teardown`. */
  hooks(map: LifecycleHookMap<this>): this;
  hooks(map: ApplicationHookMap<this>): this;

  /**
   * Sets up all services. Call it yourself for servers that {@link listen} did not make: {@link close} closes them too.
   *
   * @throws Error while the application is closing
   */
  setup(server?: unknown): Promise<this>;

  /** Does what {@link close} does with its default time limit. What a plug-in wraps around it runs as the last step of a {@link close}. */
  teardown(server?: unknown): Promise<this>;

  /**
   * Ends the application gracefully: its servers accept nothing new; what is in flight is answered; listeners of the event `closing`, which
   * may return promises, end WebSockets and endless streams; what is open after the time limit is cut; the services are torn down.
   *
   * One operation, however often it is called: each call gives the same promise, until the application is started again.
   *
   * @throws TypeError (as a rejection) for unknown options
   * @throws what a service or a hook throws while it tears down
   */
  close(options?: CloseOptions): Promise<void>;
}

/** An application with any services. */
export type AnyExpressApplication = Application;

import type { AuthenticationOptions, LoginData, LoginResult, LoginService } from './authentication/authentication-types.ts';
import { authenticationOf } from './authentication/authentication.ts';
import { checkOptions } from './check-options.ts';
import { Emitter } from './events/emitter.ts';
import type { EventTransport } from './events/events.ts';
import { addHooks, runHooks, type HookList } from './hooks/hook-list.ts';
import type { ClientContext, ClientHookMap } from './hooks/hook-types.ts';
import { need } from './need.ts';
import { withinTime } from './rest/within-time.ts';
import { serviceOf, type AnyService } from './service/service.ts';
import { servicePath, withoutSlashes } from './service/service-path.ts';
import { Versions } from './service/versions.ts';
import type { CallArguments, CallParams, Transport } from './transport.ts';
import type { Client, ClientTypes } from './types/client.ts';

/** Options of a client. */
export interface ClientOptions {
  /** Where events come from: `sse(url)`. Default: the transport, where it has events; else there are none. */
  readonly events?: EventTransport;
  /** The login. */
  readonly authentication?: AuthenticationOptions;
}

/** Events of the client itself, with what listeners get. */
export interface ClientEvents {
  /** Somebody has logged in, with the result. */
  login: [result: LoginResult];
  /**
   * The login has ended: by `logout`, in another tab, or because the server refuses to renew it. Tokens that can not be renewed end without it over `rest`:
   * their calls fail with 401, and it is told once `reAuthenticate(true)` is refused.
   */
  logout: [result: unknown];
  /** The stream of events stands. */
  connect: [];
  /** The stream of events was cut and is being made again. */
  disconnect: [];
  /** Events were missed: what is shown has to be read again. */
  reset: [];
  /** The stream of events can not be made, and is not tried again until the next login. */
  eventError: [error: Error];
}

/** A client, whatever its types. */
export interface UntypedClient {
  service(path: string): AnyService;
  /** Adds hooks around the calls of all services. */
  hooks(map: ClientHookMap): this;
  /**
   * Logs in: calls the authentication service, and keeps the tokens that it gives.
   *
   * @throws FrameworkClientError what the server answers: 401 for wrong credentials, 429 for too many tries
   */
  authenticate(data: LoginData, params?: CallParams): Promise<LoginResult>;
  /**
   * Goes on with the login that the storage, or the cookie, has: after a page was loaded again.
   *
   * @param force also where this page is logged in already. Default: `false`, which gives what the last login gave
   * @throws FrameworkClientError (401) where there is none, or it has ended
   */
  reAuthenticate(force?: boolean): Promise<LoginResult>;
  /**
   * Logs out, here and in all tabs. What is kept of the login goes, even if the server can not be reached.
   *
   * @returns what the server answers; `null` where the login had ended already
   */
  logout(): Promise<LoginResult | null>;
  /** @returns what the last login gave, or is about to give; `undefined` without one */
  get(name: 'authentication'): Promise<LoginResult> | undefined;
  /** Listens to an event of the client itself. */
  on<E extends keyof ClientEvents>(event: E, listener: (...args: ClientEvents[E]) => unknown): this;
  /** Takes a listener away, or all of an event. */
  off<E extends keyof ClientEvents>(event: E, listener?: (...args: ClientEvents[E]) => unknown): this;
  /** Ends the stream of events with the loops over them, and what listens to other tabs. */
  close(): void;
}

/**
 * Makes a client of a server.
 *
 * @typeParam App `typeof app` of the server, imported as a type alone, or a map of its services by path. Without it any path may be asked for
 * @param transport `rest(url)` or `socketio(socket)`
 * @param options events and login
 * @throws TypeError for an option that there is not
 */
export function createClient<App = Record<never, never>>(transport: Transport, options?: ClientOptions): Client<ClientTypes<App>>;
export function createClient(transport: Transport, options: ClientOptions = {}): unknown {
  checkOptions('createClient()', options, 'events authentication');
  need((transport as { readonly call?: unknown } | undefined)?.call, 'createClient() needs a transport: rest(url)');
  const services = new Map<string, AnyService>();
  const clientHooks: HookList = [];
  const emitter = new Emitter();
  const versions = new Versions();

  const call = async (path: string, method: string, args: CallArguments, hooks: HookList): Promise<unknown> => {
    const context: ClientContext = { app: client, service: service(path), path, method, type: 'around', ...args };
    return runHooks([clientHooks, hooks], context, async () => {
      const { data, params } = context;
      // A call for one record must not become one for all, nor another call get an id, whatever hooks do. Several are never got.
      const id = 'id' in args ? (method !== 'get' && context.id === null ? null : need(context.id, `'${method}' needs an id`)) : undefined;
      const target = servicePath(path, params.route);
      const record = `${target}/${id}`;
      const condition = params.ifMatch !== undefined && { 'if-match': versions.tag(record, params.ifMatch) };
      const isRepeatable = !(data as Partial<ReadableStream> | null | undefined)?.getReader;
      // A renewal may take longer than the caller waits, and nothing is sent any more then.
      const { result, response } = await withinTime(params.timeout ?? transport.timeout, params.signal, (signal) =>
        authentication.call(path, method, isRepeatable, (login) =>
          transport.call({ path: target, method, id, data, params: { ...params, signal }, headers: { ...login, ...condition } }),
        ),
      );
      versions.keep(record, result, response?.headers.get('etag'));
      context.result = result;
      if (response) context.response = response;
    });
  };

  const service = (path: string): AnyService => {
    need((path as string | undefined)?.length, 'service() needs a path');
    // In the normal form that the server has it in.
    const location = withoutSlashes(path).normalize();
    let known = services.get(location);
    if (!known) {
      const hooks: HookList = [];
      known = serviceOf(location, { call: (method, args) => call(location, method, args, hooks), events: () => events, hooks });
      services.set(location, known);
    }
    return known;
  };

  const authentication = authenticationOf(
    {
      name: transport.name,
      service: service as (path: string) => LoginService,
      emit(event, result) {
        emitter.emit(event, result);
        events?.restart(result);
      },
    },
    options.authentication ?? {},
  );
  const events = (options.events ?? transport).events?.({ ...authentication, emit: emitter.emit.bind(emitter) });
  const leave = transport.onConnect?.(authentication.connect);

  const client: UntypedClient = {
    service,
    hooks(map) {
      addHooks(clientHooks, map);
      return client;
    },
    ...authentication.shown,
    on(event, listener) {
      emitter.on(event, listener);
      return client;
    },
    off(event, listener) {
      emitter.off(event, listener);
      return client;
    },
    close() {
      events?.close();
      leave?.();
      authentication.close();
    },
  };
  return client;
}

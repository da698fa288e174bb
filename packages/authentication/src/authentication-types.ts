import type { CredentialDescription, DescribedSchema, Params, Query } from '@framework/core';
import type { LoginIdentity } from './login/identity.ts';
import type { TokenOptions } from './tokens/token-options.ts';

/** Data to authenticate with: a strategy and what it needs (interface 2.2). */
export interface AuthenticationRequest {
  /** Name of a registered strategy. */
  strategy?: string;
  [name: string]: unknown;
}

/** What a strategy gives, and what `create` answers with (interface 2.2). */
export interface AuthenticationResult {
  /** The access token; set by `create`. */
  accessToken?: string;
  /** Strategy and token contents. */
  authentication?: { strategy: string; accessToken?: string; payload?: Record<string, unknown>; [name: string]: unknown };
  [name: string]: unknown;
}

declare module '@framework/core' {
  // The parameter must repeat the declaration that is added to.
  interface Params<Q = Query> {
    /** Authentication data to verify (interface 5.3). */
    authentication?: AuthenticationRequest | undefined;
    /** Whether authentication has succeeded; set by the authenticate hook. */
    authenticated?: boolean;
    /** Content of the token that `create` makes. */
    payload?: Record<string, unknown>;
    /** Network address of the caller; set by transports for services with `clientAddress`. */
    address?: string | undefined;
  }
}

/** Parameters of a call to the authentication service. Only the server can set them. */
export interface AuthenticationParams extends Params {
  /** Token options of this call. */
  jwtOptions?: TokenOptions;
  /** Options for verifying a token in this call. */
  jwt?: TokenOptions;
  /** Strategies that this call allows. Default: those of the configuration. */
  authStrategies?: readonly string[];
  /** Signing secret of this call. Default: that of the configuration. */
  secret?: unknown;
}

/** A real-time connection as strategies change it. */
export type Connection = Record<string, unknown>;

/** What happens to a real-time connection. */
export type ConnectionEvent = 'login' | 'logout' | 'disconnect';

/** A way to authenticate. All methods are optional; a strategy does what it can. */
export interface AuthenticationStrategy {
  /** Told its name when it is registered. */
  setName?(name: string): void;
  /** Told its application when it is registered. */
  setApplication?(app: AuthenticationApplication): void;
  /** Told its service when it is registered. */
  setAuthentication?(service: unknown): void;
  /** Checks the strategy's configuration; throws what is wrong. */
  verifyConfiguration?(): void;
  /** Called when the authentication service is set up. */
  setup?(service: unknown, name: string): unknown;
  /** Verifies authentication data. Rejects with NotAuthenticated (401). */
  authenticate?(data: AuthenticationRequest, params: AuthenticationParams): Promise<AuthenticationResult>;
  /** Reads authentication data from a request, or gives `null`. */
  parse?(req: HttpRequest, res: unknown): Promise<AuthenticationRequest | null>;
  /** Changes a real-time connection. */
  handleConnection?(event: ConnectionEvent, connection: Connection, result?: AuthenticationResult): Promise<unknown>;
  /**
   * Finds whom a login is for, before it is verified: logins are counted by the account as it was found. What it gives is in
   * the parameters of `authenticate` under {@link IDENTITY}. Without it, logins of the strategy are counted by their address.
   */
  identify?(data: AuthenticationRequest, params: AuthenticationParams): Promise<LoginIdentity>;
  /** The account that a login is for, in one spelling, for strategies that can not find it before they verify. */
  accountOf?(data: AuthenticationRequest): string | undefined;
  /** Whether credentials of the strategy can come with any call, so that failures count there too. Default: `false`. */
  readonly countsFailures?: boolean;
  /**
   * Whether nobody can guess what the strategy verifies, such as random tokens and keys: those that are right pass while others are held back. Logins with what can be guessed
   * are counted before they are verified. Default: that of `countsFailures`.
   */
  readonly unguessable?: boolean;
  /** Whether the strategy authenticates calls and gives no token. Default: `false`. */
  readonly callsOnly?: boolean;
  /** Properties of the entity that never leave the server, and with which its sessions end; dotted paths lead through lists too. */
  readonly protectedFields?: readonly string[];
  /** Tells tools what the strategy takes. Without it they know nothing but its name. */
  describe?(): StrategyDescription;
}

/** What a strategy takes, for tools that describe applications. */
export interface StrategyDescription {
  /** Data of a login beside the name of the strategy, as properties of JSON Schema. Default: the strategy logs nobody in. */
  readonly login?: { readonly properties: Readonly<Record<string, DescribedSchema>>; readonly required: readonly string[] };
  /** How its credentials come with any call. Default: they do not. */
  readonly credentials?: readonly CredentialDescription[];
  /** Whether logins take it from outside though `authStrategies` does not name it. Default: `false`. */
  readonly isOffered?: boolean;
}

/** What strategies read of an HTTP request. */
export interface HttpRequest {
  /** The application that takes the request. Default: the one of the authentication service. */
  readonly app?: unknown;
  readonly method?: string;
  /** Network address of the client, as the transport trusts it. */
  readonly ip?: string;
  /** Path without the query, relative to the application that takes the request. */
  readonly path?: string;
  /** The parsed body, when a parser has read it. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string | string[] | undefined>>;
}

/** What this package needs of an application; `framework()` and `express(framework())` both have it. */
export interface AuthenticationApplication {
  readonly services: object;
  get(name: string): unknown;
  set(name: string, value: unknown): unknown;
  service(path: string): unknown;
  emit(event: string, ...args: unknown[]): unknown;
  on(event: string, listener: (connection: Connection) => void): unknown;
  rawListeners(event: string): readonly unknown[];
  hooks?(map: object): unknown;
}

/** A service whose records are the entities, for example the users. */
export interface EntityService {
  readonly id?: string;
  find(params?: object): Promise<unknown>;
  get(id: unknown, params?: object): Promise<unknown>;
  patch(id: unknown, data: object, params?: object): Promise<unknown>;
}

import { loginResult, mountedApplications } from '@framework/core';
import { BadRequest, isFrameworkError } from '@framework/errors';
import { realTimeOf } from '../channels.ts';

/** What is needed of an authentication service; it is found by its setting. */
interface AuthenticationPort {
  readonly configuration: { readonly authStrategies?: readonly string[]; readonly parseStrategies?: readonly string[] };
  parse(request: object, response: null, ...strategies: string[]): Promise<Credentials | null>;
  create(data: Credentials, params: object): Promise<unknown>;
  authenticate(data: Credentials, params: object, ...strategies: string[]): Promise<unknown>;
  /** Services of others may have none. */
  getStrategy?(name: string): { readonly callsOnly?: boolean } | undefined;
}

interface Credentials {
  readonly strategy?: string;
}

/** Where an authentication service is looked for. */
export interface AuthenticationHost {
  defaultAuthentication(): object | null;
}

/** A real-time connection at its start: which transport it is of, and the headers of the request that opens it. */
export interface OpeningConnection {
  readonly provider: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  authentication?: unknown;
}

/** The request that opens a connection. */
export interface Opening {
  /** What strategies read credentials from. Its headers are those of the connection. */
  readonly request: object;
  /** Network address of the client. */
  readonly address: string | undefined;
  /** Credentials that middleware has set; `undefined` for none. */
  readonly given?: unknown;
  /** Whether calls come over the connection, each of which is authenticated by the credentials. Default: `false`. */
  readonly hasCalls?: boolean;
}

/** Credentials, and the service that they are for. */
interface Found {
  readonly service: AuthenticationPort;
  readonly credentials: Credentials;
}

/**
 * Logs a connection in by what the request that opens it carries; without credentials nothing happens. What the application's own authentication service finds
 * comes first; what it does not find is looked for by those of the applications that are mounted in it, as a connection is for the services of all of them.
 *
 * @param connection changed: gets the credentials, and what the login puts on it
 * @returns whether it is logged in, and so ends with its login
 * @throws BadRequest (400) for two credentials (security S33), and what the login fails with
 */
export async function authenticateConnection(
  app: AuthenticationHost,
  connection: OpeningConnection,
  { request, address, given, hasCalls = false }: Opening,
): Promise<boolean> {
  const { provider, headers } = connection;
  const found = await foundIn(app, request, given);
  const logins = found.filter((one) => givesLogin(one, hasCalls));
  const { service, credentials } = (logins.length > 1 ? await accepted(logins, headers) : (logins[0] ?? found[0])) ?? {};
  if (!service || !credentials) return false;
  connection.authentication = credentials;
  if (logins.length === 0) return false;
  // It is told of logins from now on, also where they are those of a mounted application.
  realTimeOf(app).hub.membership.announce(connection);
  await service.create(credentials, { provider, connection, headers, address });
  return true;
}

/** @returns what the first service has found; several where each of the mounted applications may be the one that is meant */
async function foundIn(app: AuthenticationHost, request: object, given: unknown): Promise<readonly Found[]> {
  const own = app.defaultAuthentication();
  if (isAuthentication(own)) {
    const credentials = await credentialsFor(own, request, given);
    if (credentials) return [{ service: own, credentials }];
  }
  const found: Found[] = [];
  for (const service of new Set(mountedApplications(app).map(defaultOf))) {
    const credentials = service && service !== own ? await credentialsFor(service, request, given) : undefined;
    if (service && credentials) found.push({ service, credentials });
  }
  return found;
}

/** @throws BadRequest (400) for two credentials */
async function credentialsFor(service: AuthenticationPort, request: object, given: unknown): Promise<Credentials | undefined> {
  const strategies = service.configuration.parseStrategies ?? loginStrategies(service);
  const parsed = strategies.length > 0 ? await service.parse(request, null, ...strategies) : null;
  if (parsed && given !== undefined) throw new BadRequest('The request has two credentials. Send one');
  return isCredentials(given) ? given : (parsed ?? undefined);
}

/** What gives no token, such as an API key, is verified with each call. */
function givesLogin({ service, credentials }: Found, hasCalls: boolean): boolean {
  const name = String(credentials.strategy);
  return loginStrategies(service).includes(name) && !(hasCalls && service.getStrategy?.(name)?.callsOnly === true);
}

/**
 * The application whose credentials they are: the path of a stream or a socket leads to none of them.
 *
 * @throws what they are refused with where all do, above all what says nothing of them
 */
async function accepted(found: readonly Found[], headers: OpeningConnection['headers']): Promise<Found> {
  let refusal: unknown;
  for (const one of found) {
    try {
      loginResult(one.service, await one.service.authenticate(one.credentials, { headers, query: {} }, String(one.credentials.strategy)));
      return one;
    } catch (error) {
      if (refusal === undefined || isRefusal(refusal)) refusal = error;
    }
  }
  throw refusal;
}

function isRefusal(error: unknown): boolean {
  return isFrameworkError(error) && error.code === 401;
}

function loginStrategies({ configuration: { authStrategies = [] } }: AuthenticationPort): readonly string[] {
  return authStrategies;
}

function defaultOf(app: object): AuthenticationPort | undefined {
  const service = 'defaultAuthentication' in app ? (app as AuthenticationHost).defaultAuthentication() : null;
  return isAuthentication(service) ? service : undefined;
}

function isAuthentication(service: object | null): service is AuthenticationPort {
  return service !== null && 'parse' in service && 'create' in service && 'configuration' in service;
}

function isCredentials(given: unknown): given is Credentials {
  return typeof given === 'object' && given !== null;
}

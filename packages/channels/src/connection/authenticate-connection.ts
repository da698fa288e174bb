import { BadRequest } from '@framework/errors';
import { realTimeOf } from '../channels.ts';

/** What is needed of an authentication service; it is found by its setting. */
interface AuthenticationPort {
  readonly configuration: { readonly authStrategies?: readonly string[]; readonly parseStrategies?: readonly string[] };
  parse(request: object, response: null, ...strategies: string[]): Promise<Credentials | null>;
  create(data: Credentials, params: object): Promise<unknown>;
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

/**
 * Logs a connection in by what the request that opens it carries; without credentials nothing happens.
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
  const service = app.defaultAuthentication();
  if (!isAuthentication(service)) return false;
  const { authStrategies = [], parseStrategies = authStrategies } = service.configuration;
  const parsed = parseStrategies.length > 0 ? await service.parse(request, null, ...parseStrategies) : null;
  if (parsed && given !== undefined) throw new BadRequest('The request has two credentials. Send one');
  const credentials = isCredentials(given) ? given : parsed;
  if (!credentials) return false;
  connection.authentication = credentials;
  // What gives no token, such as an API key, is verified with each call.
  const name = String(credentials.strategy);
  if (!authStrategies.includes(name) || (hasCalls && service.getStrategy?.(name)?.callsOnly === true)) return false;
  const { provider, headers } = connection;
  // It is told of logins from now on, also where they are those of a mounted application.
  realTimeOf(app).hub.membership.announce(connection);
  await service.create(credentials, { provider, connection, headers, address });
  return true;
}

function isAuthentication(service: object | null): service is AuthenticationPort {
  return service !== null && 'parse' in service && 'create' in service && 'configuration' in service;
}

function isCredentials(given: unknown): given is Credentials {
  return typeof given === 'object' && given !== null;
}

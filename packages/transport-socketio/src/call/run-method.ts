import {
  callerAnswer,
  checkJson,
  createContext,
  getServiceOptions,
  isRecordSource,
  stopRecords,
  type HookContext,
  type ServiceLookup,
} from '@framework/core';
import { BadRequest, MethodNotAllowed, NotAcceptable, NotFound } from '@framework/errors';
import { callArguments } from './call-arguments.ts';

/** Longest path, in letters: that of a URL over REST (security S12). */
const PATH_LIMIT = 8192;

/** Finds services. */
export interface CallApplication {
  lookup(path: unknown): ServiceLookup | null;
}

/** A call as a client has sent it: all of it is the client's. */
export interface SocketCall {
  readonly method: string;
  /** Path of the service, then id, data and query as the method takes them. */
  readonly args: readonly unknown[];
}

/** What the server knows of the caller. */
export interface Caller {
  readonly connection: object;
  /** Network address, for services that ask for it. */
  readonly address: string | undefined;
  /** Called with the parameters of a call before it begins. */
  prepare(params: object): void;
}

/**
 * Calls a service method for a client.
 *
 * @param maxBytes how large the arguments may be together
 * @returns what the client may see of the result
 * @throws NotFound (404) for a path without a service, MethodNotAllowed (405), BadRequest (400), PayloadTooLarge (413), and what the method
 *   throws
 * @see interface 4.1, 6, security S1, S11, S35
 */
export async function runMethod(app: CallApplication, caller: Caller, { method, args }: SocketCall, maxBytes: number): Promise<unknown> {
  const [path, ...rest] = args;
  const { service, params: found } = lookup(app, path);
  if (getServiceOptions(service)?.methods.includes(method) !== true) {
    throw new MethodNotAllowed(`Method '${method.slice(0, 100)}' not allowed on service '${String(path)}'`);
  }
  const { before, query } = callArguments(method, rest, maxBytes);
  const context = createContext(service, method);
  const params = callParams(caller, service, found, query);
  caller.prepare(params);
  const call: unknown = Reflect.get(service, method);
  if (typeof call !== 'function') throw new MethodNotAllowed(`Method '${method}' not allowed on service '${String(path)}'`);
  try {
    await Reflect.apply(call, service, [...before, params, context]);
    const result = callerAnswer(context);
    if (isRecordSource(result)) throw new NotAcceptable('What this method gives is a stream, which goes over REST alone');
    checkJson(result);
    return result;
  } catch (error) {
    dropRecords(context);
    throw error;
  }
}

/** Nobody reads the records of a call that ends with an error. What comes of letting go of them is told to nobody, since the error is. */
function dropRecords(context: HookContext): void {
  for (const source of new Set([context.result, callerAnswer(context)]))
    if (isRecordSource(source)) stopRecords(source).catch(() => undefined);
}

function lookup(app: CallApplication, path: unknown): ServiceLookup {
  if (typeof path !== 'string') throw new NotFound('Invalid service path');
  if (path.length > PATH_LIMIT) throw new BadRequest(`The path is longer than ${PATH_LIMIT} letters`);
  // Paths of URLs are encoded, those that come over sockets are not.
  const found = app.lookup(path.replaceAll('%', '%25'));
  // An id in the path is how REST names a record; over sockets it is an argument.
  if (!found || found.params.__id !== undefined) throw new NotFound(`Service '${path}' not found`);
  return found;
}

/** Only the query is the client's. */
function callParams({ connection, address }: Caller, service: object, route: object, query: object): object {
  const params: Record<string, unknown> = { query, route, connection };
  if (address !== undefined && 'clientAddress' in service && service.clientAddress === true) params.address = address;
  return Object.assign({}, connection, params);
}

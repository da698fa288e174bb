import { CORE } from '../package-copy.ts';
import type { DescribedSchema } from './described.ts';

/** What a transport answers beside the methods of services. */
export interface EndpointDescription {
  /** Path without outer slashes. */
  readonly path: string;
  readonly httpMethod: 'get';
  /** One line. */
  readonly summary: string;
  /** Text, in CommonMark. */
  readonly description?: string;
  /** Headers that a request may have, by name. Default: none. */
  readonly headers?: Readonly<Record<string, { readonly description: string }>>;
  /** Media type of the answer. */
  readonly type: string;
  /** One item of an answer that is a stream. */
  readonly item?: DescribedSchema;
  /** Statuses of errors. */
  readonly errors: readonly number[];
}

/** How a transport maps requests to calls, for tools that describe applications. */
export interface TransportDescription {
  /** Whether custom methods have paths of their own: `POST /<service>/<method>`. Default: `false`. */
  readonly methodPaths?: boolean;
  /** What is answered beside services. Default: nothing. */
  readonly endpoints?: readonly EndpointDescription[];
}

const transports = Symbol.for('@framework/transport-descriptions');

/**
 * Notes how a transport maps requests. Transports call it when they are configured.
 *
 * @param app the application that they are configured for
 * @throws Error for an application of another copy of this package
 */
export function describeTransport(app: object, description: TransportDescription): void {
  CORE.refuseOthers(app, 'an application');
  Object.defineProperty(app, transports, { value: [...transportsOf(app), description], configurable: true });
}

/** @returns what transports have noted of an application, in the order of their configuration */
export function transportsOf(app: object): readonly TransportDescription[] {
  const noted: unknown = Reflect.get(app, transports);
  return Array.isArray(noted) ? (noted as readonly TransportDescription[]) : [];
}

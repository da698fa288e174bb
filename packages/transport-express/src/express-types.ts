import type { HookContext, Params, ServiceLookup } from '@framework/core';
import type { AuthenticationRequest } from './authentication-port.ts';

/** Properties that become service parameters (interface 2.4), with the types that applications add to `Params`. */
export interface FrameworkRequest extends Omit<Params, 'provider' | 'authentication'> {
  /** `rest` for every request. */
  provider?: string;
  /** Authentication data to verify. */
  authentication?: AuthenticationRequest | undefined;
  [name: string]: unknown;
}

declare global {
  // Express declares its request and response types for additions in this namespace.
  // oxlint-disable-next-line typescript/no-namespace
  namespace Express {
    interface Request {
      /** Set by middleware; copied into the parameters of service calls. */
      framework?: FrameworkRequest;
      /** Authentication data set by a middleware of the application (interface 5.2). */
      authentication?: AuthenticationRequest | undefined;
      /** The service that the path leads to. */
      lookup?: ServiceLookup;
    }
    interface Response {
      /** What is sent: the result of the service call, or its `dispatch`. */
      data?: unknown;
      /** Context of the service call. */
      hook?: HookContext;
    }
  }
}

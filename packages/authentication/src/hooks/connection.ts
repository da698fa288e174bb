import type { HookContext, NextFunction } from '@framework/core';
import type { AuthenticationResult, Connection, ConnectionEvent } from '../authentication-types.ts';

/** What the hook needs of an authentication service. */
interface ConnectionHandler {
  handleConnection(event: ConnectionEvent, connection: Connection, result?: AuthenticationResult): Promise<void>;
}

/**
 * Around hook that keeps the real-time connection of a call current (interface 4.2).
 *
 * @param service the authentication service
 * @param name what happened
 */
export function connection(
  service: ConnectionHandler,
  name: 'login' | 'logout',
): (context: HookContext, next: NextFunction) => Promise<void> {
  return async function followLogin(context, next) {
    await next();
    const { params, result } = context;
    if (params.connection) await service.handleConnection(name, params.connection as Connection, result as AuthenticationResult);
  };
}

import type { HookContext, NextFunction } from '@framework/core';
import type { AuthenticationResult, Connection, ConnectionEvent } from '../authentication-types.ts';
import { loginIsOf, whenAnswered } from '../login/after-answer.ts';

/** What the hook needs of the authentication service that it is registered on. */
interface ConnectionHandler {
  handleConnection(event: ConnectionEvent, connection: Connection, result?: AuthenticationResult): Promise<void>;
}

/**
 * Around hook of an authentication service that keeps the real-time connection of a call current (interface 4.2). A logout that fails is told without a
 * result.
 *
 * @param name what happened
 */
export function connection(name: 'login' | 'logout'): (context: HookContext, next: NextFunction) => Promise<void> {
  return async function followLogin(context, next) {
    const service = context.service as unknown as ConnectionHandler;
    const { params: asked } = context;
    const follow = whenAnswered(asked, 'connection');
    try {
      await next();
    } catch (error) {
      const { connection: left } = context.params;
      // The token may have ended all the same.
      if (name === 'logout' && left) await Promise.resolve(service.handleConnection(name, left as Connection)).catch(() => undefined);
      throw error;
    }
    const { params, result } = context;
    if (!params.connection) return;
    // Hooks around this one may take something of it away.
    const given = { ...(result as AuthenticationResult) };
    const id = given.authentication?.payload?.sub;
    loginIsOf(asked, typeof id === 'string' ? { service, id } : undefined);
    await follow(() => service.handleConnection(name, params.connection as Connection, given));
  };
}

import { NotAuthenticated } from '@framework/errors';
import type { AuthenticationParams, AuthenticationStrategy } from '../authentication-types.ts';
import { innerParams } from '../inner-params.ts';
import { ownEntities, type EntityHost } from './entity-rules.ts';
import { entityServiceAt, isMissing, readEntity } from './entity-service.ts';
import { secretsOf } from './entity-state.ts';

const warned = new WeakSet<AuthenticationStrategy>();

/**
 * Whoever logs in, or has a token, is told nothing of a strategy whose service has other users, so that whoever has written the settings would look for the fault elsewhere.
 *
 * @param what begins the sentence: what was refused
 */
export function warnOfOtherUsers(host: EntityHost, strategy: AuthenticationStrategy | undefined, what: string): void {
  const path = ownEntities(host, strategy);
  if (strategy === undefined || path === undefined || warned.has(strategy)) return;
  warned.add(strategy);
  process.emitWarning(
    `${what} was refused: what it found in '${path}' is not what '${String(host.configuration.service)}' has under the same id, and a token names a user by the id alone. ` +
      'The service of a strategy has the same users; another list of users is an authentication service of its own',
    { code: 'OTHER_USERS' },
  );
}

/**
 * Looks whether a strategy that loads entities by the id in a token finds, in a service of its own, those that tokens are made for: both have the same secrets.
 * Where entities have none it can not be told, and counts as others.
 *
 * @param path of the strategy's own service
 * @throws NotAuthenticated (401) for somebody else, also where there is nobody; the errors of the services
 */
export async function refuseOtherUsers(
  host: EntityHost,
  strategy: AuthenticationStrategy & { readonly name?: string | undefined },
  path: string,
  id: string,
  params: AuthenticationParams,
): Promise<void> {
  const { service, entity } = host.configuration;
  if (service === undefined || entity === null) return;
  const read = (at: string): Promise<object | undefined> =>
    readEntity(entityServiceAt(host.app, at), id, innerParams(params, { query: {} })).catch((error: unknown) => {
      if (isMissing(error)) return undefined;
      throw error;
    });
  const [own, other] = await Promise.all([read(path), read(service)]);
  const fields = host.protectedFields;
  if (own && other && fields.length > 0 && secretsOf(own, fields) === secretsOf(other, fields)) return;
  warnOfOtherUsers(host, strategy, `A token for '${String(strategy.name)}'`);
  throw new NotAuthenticated('invalid token', { name: 'JsonWebTokenError' });
}

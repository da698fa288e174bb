import { NotFound } from '@framework/errors';
import type { AuthenticationApplication, EntityService } from '../authentication-types.ts';
import { codeOf } from '../sessions/store-call.ts';
import { isRecord } from '../values.ts';

/** @returns the service of the entities at a path */
export function entityServiceAt(app: AuthenticationApplication, path: string): EntityService {
  return app.service(path) as EntityService;
}

/**
 * Reads an entity.
 *
 * @throws NotFound (404) also where the service gives nothing in place of an error, and the errors of the service
 */
export async function readEntity(entities: EntityService, id: unknown, params?: object): Promise<Readonly<Record<string, unknown>>> {
  const found = await entities.get(id, params);
  if (!isRecord(found)) throw new NotFound(`No record found for id '${String(id)}'`);
  return found;
}

/** @returns whether an error of such a service says that there is no entity of an id: none, none any more, or that it is no id */
export function isMissing(error: unknown): boolean {
  const code = codeOf(error);
  return code === 404 || code === 410 || code === 400;
}

import type { AuthenticationApplication, EntityService } from '../authentication-types.ts';
import { codeOf } from '../sessions/store-call.ts';

/** @returns the service of the entities at a path */
export function entityServiceAt(app: AuthenticationApplication, path: string): EntityService {
  return app.service(path) as EntityService;
}

/** @returns whether an error of such a service says that there is no entity of an id: none, none any more, or that it is no id */
export function isMissing(error: unknown): boolean {
  const code = codeOf(error);
  return code === 404 || code === 410 || code === 400;
}

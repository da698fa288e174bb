import type { AuthenticationApplication, EntityService } from '../authentication-types.ts';

/** @returns the service of the entities at a path */
export function entityServiceAt(app: AuthenticationApplication, path: string): EntityService {
  return app.service(path) as EntityService;
}

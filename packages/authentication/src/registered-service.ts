import type { AuthenticationApplication } from './authentication-types.ts';

/** What this package uses of any service of an application. */
export interface RegisteredService {
  readonly id?: string;
  hooks?(map: object): unknown;
}

/** @returns the service at a path, which the application has */
export function registeredService(app: AuthenticationApplication, path: string): RegisteredService {
  return app.service(path) as RegisteredService;
}

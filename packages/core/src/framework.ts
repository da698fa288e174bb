import { Application } from './application/application.ts';
import type { NoServices } from './application/application-services.ts';

/**
 * Makes an application.
 *
 * @typeParam Services service types by path, when they are declared and not inferred from `use`
 * @typeParam Settings types of the settings by name
 */
export function framework<Services extends object = NoServices, Settings extends object = Record<string, unknown>>(): Application<
  Services,
  Settings
> {
  return new Application<Services, Settings>();
}

import { Application } from './application/application.ts';
import type { NoServices } from './application/application-services.ts';

/**
 * Makes an application.
 *
 * @typeParam Services service types by path, when they are declared and not inferred from `use`
 * @typeParam Settings types of the settings by name
 * @throws TypeError for options: it takes none, and they would silently do nothing
 */
export function framework<Services extends object = NoServices, Settings extends object = Record<string, unknown>>(): Application<
  Services,
  Settings
>;
export function framework(...given: readonly unknown[]): Application {
  if (given[0] !== undefined) {
    throw new TypeError(
      'framework() takes no options: settings are given by app.set(name, value), and parts of the application by app.configure(part)',
    );
  }
  return new Application();
}

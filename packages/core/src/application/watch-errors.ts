import type { ErrorWatcher } from '../service/error-watchers.ts';
import { registryOf } from './registry.ts';

/**
 * Tells of each error with which a call of a service of an application ends, after all error hooks. It costs a call that succeeds nothing, which an error
 * hook does. What the watcher throws is reported as errors in listeners are, and changes nothing.
 *
 * @param app an application
 * @param watcher gets the error as the caller gets it, and the context with the application's place
 * @throws TypeError when `app` is no application
 */
export function watchErrors(app: object, watcher: ErrorWatcher): void {
  const registry = registryOf(app);
  if (!registry) throw new TypeError('Only the errors of an application made by framework() can be watched');
  registry.errorWatchers.add(watcher);
}

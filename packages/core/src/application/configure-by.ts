import { isFunction } from '../is-function.ts';

/**
 * Runs what sets up a part of an application.
 *
 * @throws TypeError for what is no function, and for one that makes such functions and was not called: it would do nothing in silence
 */
export function configureBy<A extends object>(callback: (this: A, app: A) => unknown, app: A): void {
  // Callers without types may give anything.
  const given: unknown = callback;
  if (!isFunction(given)) {
    const what = given === null ? 'null' : typeof given;
    throw new TypeError(
      `configure() needs a function of the application, as rest() gives one, and got ${what}. Is what you pass exported?`,
    );
  }
  const made: unknown = callback.call(app, app);
  // Applications of Express are functions, and a callback may return the one that it got.
  if (isFunction(made) && !('services' in made)) {
    const name = given.name === '' ? 'the function' : `'${given.name}'`;
    throw new TypeError(`configure() got ${name}, which gives another function: call it first, configure(${given.name || 'made'}())`);
  }
}

import { isFunction } from '../is-function.ts';

/**
 * Runs what sets up a part of an application. One that gives a function may be meant to be called first, `configure(rest())` and not `configure(rest)`, which would
 * do nothing in silence: a warning says so, and no more, since plug-ins may return what they like.
 *
 * @throws TypeError for what is no function
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
    const call = `configure(${given.name || 'made'}())`;
    process.emitWarning(`configure() got ${name}, which gives another function: is it to be called first, ${call}?`);
  }
}

import { likelyMeant } from '../check-option-names.ts';
import type { ServiceOptions } from './service-types.ts';

/** What is checked of an option's value: what is wrong with it, to stand behind the option's name, or nothing. */
type ValueCheck = (value: unknown) => string | undefined;

const none: ValueCheck = () => undefined;

const isSchema: ValueCheck = (value) =>
  typeof value === 'object' && value !== null && ['outerHooks', 'inputHooks', 'innerHooks'].some((hooks) => hooks in value)
    ? undefined
    : 'has no hooks: make it with serviceSchema({ record }) of @framework/schema';

const isObject: ValueCheck = (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? undefined : 'has to be an object of values by name';

const known = new Map<string, ValueCheck>([
  ['methods', none],
  ['events', none],
  ['serviceEvents', none],
  ['routeParams', isObject],
  ['schema', isSchema],
  // What plug-ins and transports of the incumbent read.
  ['docs', none],
  ['koa', none],
]);

/**
 * Makes an option of `app.use` known, for packages and plug-ins that add one of their own. Options that nobody has declared are
 * refused: a misspelt one would silently drop what it was to restrict.
 *
 * @param name the option; its type is added to the interface `ServiceOptions`
 * @param check says what is wrong with a value, as `has to be true or false`, or `undefined`; values that are `undefined` are not asked about. Default:
 *   any value is taken
 */
export function declareServiceOption(name: string, check: (value: unknown) => string | undefined = none): void {
  if (!known.has(name)) known.set(name, check);
}

/**
 * Checks the options of a registration.
 *
 * @throws Error for an unknown option, or one of the wrong type
 */
export function checkServiceOptions(path: string, options: ServiceOptions): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw new TypeError(`The options of '${path}' have to be an object, and are ${Array.isArray(options) ? 'a list' : typeof options}`);
  }
  for (const [name, value] of Object.entries(options)) {
    const check = known.get(name);
    if (!check) throw new Error(`Unknown option '${name}' of service '${path}'${suggestion(name)}`);
    const problem = value === undefined ? undefined : check(value);
    if (problem !== undefined) throw new Error(`The option '${name}' of '${path}' ${problem}`);
  }
}

function suggestion(name: string): string {
  const near = likelyMeant(name, known.keys());
  if (near !== '') return `.${near}`;
  return `. Known are ${[...known.keys()].join(', ')}; a plug-in with one of its own declares it: declareServiceOption('${name}')`;
}

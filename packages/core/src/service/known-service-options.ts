import { likelyMeant } from '../check-option-names.ts';
import type { ServiceOptions } from './service-types.ts';

/** What is checked of an option's value: what is wrong with it, beside the other options, to stand behind the option's name, or nothing. */
type ValueCheck = (value: unknown, options: ServiceOptions) => string | undefined;

/** What an option needs that is not there when its service is set up, to stand behind the option's name, or nothing. */
type NeedCheck = (value: unknown, service: object) => string | undefined;

const none = (): undefined => undefined;

interface KnownOption {
  readonly check: ValueCheck;
  readonly missing: NeedCheck;
}

const taken: KnownOption = { check: none, missing: none };

const isSchema: ValueCheck = (value) =>
  typeof value === 'object' && value !== null && ['outerHooks', 'inputHooks', 'innerHooks'].some((hooks) => hooks in value)
    ? undefined
    : 'has no hooks: make it with serviceSchema({ record }) of @framework/schema';

const isObject: ValueCheck = (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? undefined : 'has to be an object of values by name';

/** A guard that nobody calls lets everybody through. Services that are made for both transports name their middleware for Express besides. */
const isOfBoth: ValueCheck = (value, options) => {
  const { before = [], after = [] } = (value ?? {}) as { readonly before?: unknown; readonly after?: unknown };
  const isEmpty = [before, after].every((middleware) => Array.isArray(middleware) && middleware.length === 0);
  return isEmpty || Reflect.get(options, 'express') !== undefined
    ? undefined
    : 'has middleware of Koa, which nobody calls here: write it for Express, and give it as express: { before, after }';
};

const known = new Map<string, KnownOption>([
  ['methods', taken],
  ['events', taken],
  ['serviceEvents', taken],
  ['routeParams', { check: isObject, missing: none }],
  ['schema', { check: isSchema, missing: none }],
  // What plug-ins and transports of the incumbent read.
  ['docs', taken],
  ['koa', { check: isOfBoth, missing: none }],
]);

/**
 * Makes an option of `app.use` known, for packages and plug-ins that add one of their own. Options that nobody has declared are
 * refused: a misspelt one would silently drop what it was to restrict.
 *
 * @param name the option; its type is added to the interface `ServiceOptions`
 * @param check says what is wrong with a value, as `has to be true or false`, or `undefined`; values that are `undefined` are not asked about. Default:
 *   any value is taken
 * @param missing says what a value needs that is not there, as `needs app.configure(audit())`, or `undefined`; asked when the application is set up. Default:
 *   nothing is needed
 */
export function declareServiceOption(
  name: string,
  check: (value: unknown) => string | undefined = none,
  missing: (value: unknown, service: object) => string | undefined = none,
): void {
  if (!known.has(name)) known.set(name, { check, missing });
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
    const option = known.get(name);
    if (!option) throw new Error(`Unknown option '${name}' of service '${path}'${suggestion(name)}`);
    const problem = value === undefined ? undefined : option.check(value, options);
    if (problem !== undefined) throw new Error(`The option '${name}' of '${path}' ${problem}`);
  }
}

/**
 * Checks that there is what the options of a service need, once its application is set up.
 *
 * @throws Error for an option that would do nothing
 */
export function checkOptionNeeds(path: string, service: object, options: ServiceOptions): void {
  for (const [name, value] of Object.entries(options)) {
    const problem = value === undefined ? undefined : known.get(name)?.missing(value, service);
    if (problem !== undefined) throw new Error(`The option '${name}' of '${path}' ${problem}`);
  }
}

function suggestion(name: string): string {
  const near = likelyMeant(name, known.keys());
  if (near !== '') return `.${near}`;
  return `. Known are ${[...known.keys()].join(', ')}; a plug-in with one of its own declares it: declareServiceOption('${name}')`;
}

import { checkOptions } from '../check-options.ts';
import { withoutSlashes } from '../service/service-path.ts';
import { hasParts } from './has-parts.ts';

/** Longest time that a timer of browsers keeps, in milliseconds: a longer one would be none. */
const MOST_GATHER = 2 ** 31 - 1;

/**
 * What `liveQuery` is given by callers without types. What it would not follow, it would keep wrong in silence.
 *
 * @throws TypeError that says what has to be given
 */
export function checkLiveQuery(client: unknown, queryClient: unknown, options: unknown): void {
  const shape = 'liveQuery(client, queryClient, { services: { notes: client.service("notes") } })';
  refuseUnless(hasMethods(client, 'on off'), `${shape} needs a client first`);
  refuseUnless(hasMethods(queryClient, 'getQueryCache invalidateQueries'), `${shape} needs a QueryClient of TanStack Query second`);
  refuseUnless(hasParts(options), `${shape} needs options third`);
  checkOptions('liveQuery()', options, 'services ids gather');
  const { services, ids = {}, gather = 0 } = options as Readonly<Record<string, unknown>>;
  refuseUnless(isPlainMap(services), `${shape} needs services by their paths`);
  for (const [path, service] of Object.entries(services))
    refuseUnless(hasMethods(service, 'on off'), `The service '${path}' of liveQuery() has to be client.service('${path}')`);
  refuseUnless(isPlainMap(ids), "The option 'ids' of liveQuery() has to be names by path: { notes: 'key' }");
  const paths = Object.keys(services).map(withoutSlashes);
  for (const [path, name] of Object.entries(ids)) {
    refuseUnless(name && typeof name === 'string', `The option 'ids' of liveQuery() has no name for '${path}'`);
    refuseUnless(paths.includes(withoutSlashes(path)), `The option 'ids' of liveQuery() has '${path}', and 'services' has not`);
  }
  refuseUnless(
    typeof gather === 'number' && gather >= 0 && gather <= MOST_GATHER,
    `The option 'gather' of liveQuery() has to be milliseconds, from 0 to ${MOST_GATHER}`,
  );
}

/**
 * What `findOptions` and `getOptions` are given: parameters that are none would ask for all records.
 *
 * @throws TypeError that says what has to be given
 */
export function checkCall(method: 'find' | 'get', path: unknown, service: unknown, params: unknown): void {
  const of = `${method}Options("notes", client.service("notes"), …)`;
  refuseUnless(typeof path === 'string', `${of} needs a path first`);
  refuseUnless(hasMethods(service, method), `${of} needs a service second`);
  refuseUnless(params === undefined || isPlainMap(params), `${of} needs parameters as { query: {} }`);
}

function refuseUnless(holds: unknown, text: string): asserts holds {
  if (!holds) throw new TypeError(text);
}

function hasMethods(value: unknown, names: string): boolean {
  return names.split(' ').every((name) => typeof (value as Readonly<Record<string, unknown>> | null | undefined)?.[name] === 'function');
}

function isPlainMap(value: unknown): value is object {
  return hasParts(value) && !Array.isArray(value);
}

import { ADAPTER_OPTIONS, checkOptionNames, checkOptionValues, givenOptions, type OptionKind } from '@framework/core/adapter';
import { checkSource, collectionIn, type Taken } from './driver-source.ts';
import { COMMAND_TIME } from './operations/call.ts';
import { FEATURES } from './server/features.ts';
import { checkIndexDescriptions } from './server/index-descriptions.ts';
import type { DocDbServiceOptions, ResolvedOptions } from './docdb-types.ts';

const DEFAULTS = {
  id: '_id',
  paginate: false,
  multi: false,
  maxTimeMS: COMMAND_TIME,
  maxMulti: 10_000,
  returning: 'records',
  total: 'exact',
  disabledOperators: ['$rename'],
  events: [],
} satisfies Partial<DocDbServiceOptions>;

const NAMES: ReadonlySet<string> = new Set<keyof DocDbServiceOptions>([
  'Model',
  'id',
  'paginate',
  'multi',
  'disableObjectify',
  'objectIds',
  'useEstimatedDocumentCount',
  'total',
  'operators',
  'filters',
  'updateOperators',
  'paths',
  'hidden',
  'maxTimeMS',
  'maxMulti',
  'maxSkip',
  'maxDepth',
  'maxKeys',
  'cursors',
  'returning',
  'disabledOperators',
  'version',
  'events',
  'requires',
  'indexes',
  'createIndexes',
  'slowMs',
]);

/** Options that tell what the service is when the application starts; one call can not have them otherwise. */
const AT_START: ReadonlySet<string> = new Set<keyof DocDbServiceOptions>(['hidden', 'events', 'requires', 'indexes', 'createIndexes']);
/** Options that one call may have otherwise. */
export const CALL_OPTIONS: ReadonlySet<string> = new Set([...NAMES].filter((name) => !AT_START.has(name)));

/** What options of older adapters are called here. */
const RENAMED: Readonly<Record<string, string>> = { whitelist: 'operators', pagination: 'paginate' };

/** What the options are that have no check of their own. */
const KINDS: Readonly<Record<string, OptionKind>> = {
  ...ADAPTER_OPTIONS,
  paths: 'names',
  objectIds: 'names',
  updateOperators: 'names',
  disabledOperators: 'names',
  requires: 'names',
  disableObjectify: 'flag',
  useEstimatedDocumentCount: 'flag',
  createIndexes: 'flag',
};

/** The option `Model`, in messages. */
export const MODEL: Taken = collectionIn("The option 'Model' of DocDbService is", 'users');

/**
 * The options of a service with their defaults.
 *
 * @param options callers without types may leave them out
 * @throws Error without a `Model`, for an option that there is not, and for options that are not what they have to be
 */
export function resolveOptions(options: DocDbServiceOptions | undefined): ResolvedOptions {
  if (options?.Model === undefined || options.Model === null)
    throw new Error("DocDbService needs options with a 'Model': a collection of the mongodb driver, or a promise of one");
  checkSource(options.Model, MODEL);
  const renamed = Object.keys(options).find((name) => Object.hasOwn(RENAMED, name));
  if (renamed !== undefined) throw new TypeError(`DocDbService has no option '${renamed}'. Here it is '${RENAMED[renamed] ?? ''}'`);
  checkOptionNames('DocDbService', options, NAMES, '; what a class of your own takes besides is not handed to super()');
  checkValues(options);
  for (const feature of options.requires ?? []) {
    if (!FEATURES.includes(feature))
      throw new Error(`The option 'requires' of DocDbService knows ${FEATURES.join(', ')}, and not '${feature}'`);
  }
  const { indexes, createIndexes } = options;
  if (createIndexes === true && indexes === undefined)
    throw new Error("The option 'createIndexes' of DocDbService needs 'indexes': which ones are to be created");
  const { cursors } = options;
  return { ...DEFAULTS, ...givenOptions(options), ...(typeof cursors === 'object' && cursors && { cursors: unseen(cursors) }) };
}

/**
 * Looks at the values of options, of a service or of one call.
 *
 * @throws Error for those that are not what they have to be
 */
export function checkValues(options: Partial<DocDbServiceOptions>): void {
  checkOptionValues('DocDbService', options, KINDS);
  checkChoices(options);
  checkTime(options);
  checkCursors(options.cursors);
  const { slowMs } = options;
  if (slowMs !== undefined && !(Number.isFinite(slowMs) && slowMs >= 0))
    throw new Error("The option 'slowMs' of DocDbService is a number of milliseconds");
}

/** @throws TypeError for a secret that is none: every process would have one of its own, or one that everybody knows */
function checkCursors(cursors: unknown): void {
  if (cursors === undefined || typeof cursors === 'boolean') return;
  if (typeof cursors !== 'object' || cursors === null)
    throw new TypeError("The option 'cursors' of DocDbService is true, false or { secret }");
  checkOptionNames("The option 'cursors' of DocDbService", cursors, new Set(['secret']));
  const secret: unknown = Reflect.get(cursors, 'secret');
  if (!(typeof secret === 'string' || secret instanceof Uint8Array) || secret.length === 0)
    throw new TypeError(
      "The 'secret' of the option 'cursors' of DocDbService is a text, or bytes, that all processes share: without one it is cursors: true, for one process",
    );
}

/** A secret that is read by a function: services are printed, with their options, and no inspection and no JSON shows it. */
function unseen({ secret }: { readonly secret: string | Uint8Array }): { readonly secret: string | Uint8Array } {
  return Object.defineProperty({ secret }, 'secret', { get: () => secret, enumerable: false });
}

/** Longest time that the database takes for a command, in milliseconds. */
const LONGEST = 2 ** 31 - 1;

/** @throws Error for what the database would refuse with each call, where its callers can not mend it */
function checkTime({ maxTimeMS = 0 }: Partial<DocDbServiceOptions>): void {
  if (!Number.isInteger(maxTimeMS) || maxTimeMS < 0 || maxTimeMS > LONGEST)
    throw new Error(
      `The option 'maxTimeMS' of DocDbService is a whole number of milliseconds up to ${String(LONGEST)}, or 0 for no limit, and not ${String(maxTimeMS)}`,
    );
}

/** @throws Error for values that would be taken for others in silence */
function checkChoices({
  total = 'exact',
  returning = 'records',
  operators = [],
  updateOperators = [],
  indexes = [],
}: Partial<DocDbServiceOptions>): void {
  const upTo: unknown = Reflect.get(Object(total) as object, 'upTo');
  const isTotal =
    typeof total === 'object' ? Number.isSafeInteger(upTo) && Number(upTo) >= 0 : ['exact', 'estimated', 'none'].includes(total);
  if (!isTotal) throw new Error("The option 'total' of DocDbService is exact, estimated, none or { upTo: a whole number }");
  if (!['records', 'ids', 'count'].includes(returning)) throw new Error("The option 'returning' of DocDbService is records, ids or count");
  const operator = [...operators, ...updateOperators].find((name) => !name.startsWith('$'));
  if (operator !== undefined)
    throw new Error(`'operators' and 'updateOperators' of DocDbService begin with a $, as in '$${operator}', and not '${operator}'`);
  checkIndexDescriptions("The option 'indexes' of DocDbService", indexes);
}

import { filterWith } from '../aggregation/filter-with.ts';
import { commandScope, compilePipeline, isOutput } from '../aggregation/pipeline.ts';
import { NO_COLLECTIONS } from '../aggregation/pipeline-types.ts';
import { stageName } from '../aggregation/stage-name.ts';
import { toNumber } from '../bson/arithmetic.ts';
import { type Collator, collatorFor, fullCollation, sameCollation } from '../bson/collation.ts';
import { equal } from '../bson/compare.ts';
import { wholeOption } from '../bson/rounding.ts';
import { Decimal128, type Doc, isDocument, isNumber, type Value } from '../bson/values.ts';
import { FUSIONS } from '../declarations/fusion-stages.ts';
import { clusteredIndex } from '../declarations/commands/catalog.ts';
import { checkValue, isOn } from '../declarations/field.ts';
import { checkIndexSpec, isIdKey } from '../declarations/index-spec.ts';
import { badValue, DocDbError } from '../errors.ts';
import { OWN_DATABASES } from '../storage/own-databases.ts';
import { checkNamespace, type Collection } from '../storage/collection.ts';
import type { CommandContext } from './command.ts';
import { collectionNow } from './query-command.ts';
import { checkViewDepth, namesIn } from './view-depth.ts';

/** Options of a collection, in the order in which they are shown. */
export const OPTIONS: readonly string[] = [
  'capped',
  'size',
  'max',
  'validator',
  'validationLevel',
  'validationAction',
  'viewOn',
  'pipeline',
  'changeStreamPreAndPostImages',
  'clusteredIndex',
  'expireAfterSeconds',
  'storageEngine',
  'indexOptionDefaults',
  'collation',
];

/** Options that an empty document says nothing by. */
const EMPTY: ReadonlySet<string> = new Set(['validator', 'storageEngine', 'indexOptionDefaults']);

/** @returns the options without those that ask for what a collection is anyway: they are not kept, so that nobody is shown them */
export function meaningful(options: Doc): Doc {
  const isMeant = ([name, value]: [string, Value]): boolean => {
    if (name === 'capped') return isOn(value);
    if (name === 'changeStreamPreAndPostImages') return isDocument(value) && value.enabled === true;
    return !EMPTY.has(name) || (isDocument(value) && Object.keys(value).length > 0);
  };
  return Object.fromEntries(Object.entries(options).filter(isMeant));
}

/** Options as they are compared. */
function given(options: Doc): Doc {
  const { collation, ...rest } = meaningful(options);
  return {
    ...rest,
    ...(isDocument(collation) && collation.locale !== 'simple' ? { collation: fullCollation(collation) } : {}),
    ...(isOn(rest.capped) ? { capped: true } : {}),
  };
}

/** @returns whether two collections would be the same */
export function sameOptions(a: Doc, b: Doc): boolean {
  return equal(given(a), given(b));
}

/** Options of collections that a view can not have. */
const NOT_OF_VIEWS = ['validator', 'validationLevel', 'validationAction', 'changeStreamPreAndPostImages'];

/** @throws DocDbError (2, 5, 72, 73, 165, 167, 40573, 6026500, and the codes of stages) for a view that could not be read */
export function checkView(context: CommandContext, ns: string, options: Doc): void {
  const { viewOn, pipeline } = options;
  if (viewOn === undefined) return;
  if (options.clusteredIndex !== undefined) throw new DocDbError(6026500, 'a view cannot be clustered');
  const { changeStreamPreAndPostImages: images } = options;
  if (isDocument(images) && images.enabled === true)
    throw new DocDbError(72, "the option 'changeStreamPreAndPostImages' is not supported on a view");
  if (viewOn === '') throw badValue("'viewOn' cannot be empty");
  if (ns.endsWith('.system.views')) throw new DocDbError(73, `a view cannot be called ${ns}: it is where views are kept`);
  const source = `${context.database}.${String(viewOn)}`;
  checkNamespace(source);
  const stages: readonly Value[] = Array.isArray(pipeline) ? pipeline : [];
  for (const [at, stage] of stages.entries()) {
    const name = stageName(stage);
    if (name === '$changeStream') throw new DocDbError(40573, `${name} is only valid as the first stage of a command's pipeline`);
    if (isOutput(name) || FUSIONS.has(name)) throw new DocDbError(167, `${name} is not allowed in the pipeline of a view`);
    if (at === 0 && OF_DATABASES.has(name)) throw new DocDbError(73, `${name} reads no collection, and a view is one`);
  }
  compilePipeline(stages, { host: { ...NO_COLLECTIONS, ns: source }, scope: commandScope(undefined, {}), depth: -1 });
  const names = [String(viewOn), ...namesIn(stages)];
  const prefix = `${context.database}.`;
  const others = (context.transaction?.reader ?? context.server.store.newest)
    .collections()
    .filter(({ ns: other }) => other.startsWith(prefix));
  checkViewDepth(ns.slice(prefix.length), names, others);
  const collator = options.collation === undefined ? undefined : collatorFor(options.collation);
  for (const name of names) checkViewCollation(collectionNow(context, `${context.database}.${name}`), collator);
}

/** @throws DocDbError (167) for a view whose texts are compared by another collation than its own */
export function checkViewCollation(view: Collection | undefined, collator: Collator | undefined): void {
  if (view?.isView === true && !sameCollation(view.collator, collator))
    throw new DocDbError(167, `Cannot override a view's default collation: ${view.ns}`);
}

/** Stages that begin a pipeline on a database. */
const OF_DATABASES: ReadonlySet<string> = new Set([
  '$documents',
  '$currentOp',
  '$listSessions',
  '$listLocalSessions',
  '$listClusterCatalog',
]);

/** @throws DocDbError (72, and those of {@link checkView}) for a change that its collection or view can not have */
export function checkViewChange(context: CommandContext, ns: string, changes: Doc): void {
  const known = collectionNow(context, ns);
  if (changes.validator !== undefined && (ns.endsWith('.system.views') || OWN_DATABASES.has(context.database)))
    throw new DocDbError(72, `Document validators are not allowed on ${ns}`);
  const { cappedSize: size, cappedMax: max } = context.command;
  if ((isNumber(size) || isNumber(max)) && known?.isCapped === false) throw new DocDbError(72, `the collection ${ns} is not capped`);
  const ofViews = ['viewOn', 'pipeline'].find((name) => changes[name] !== undefined);
  if (known?.isView === false && ofViews !== undefined) throw new DocDbError(72, `'${ofViews}' is only supported on a view`);
  if (known?.isView !== true) return;
  const { viewOn, pipeline, collation } = known.options;
  const wrong = NOT_OF_VIEWS.find((name) => changes[name] !== undefined);
  if (wrong !== undefined) throw new DocDbError(72, `the option '${wrong}' is not supported on a view`);
  checkView(context, ns, { viewOn, pipeline, collation, ...changes });
}

/** @throws DocDbError (14, 40414, 40415, 5979700, 5979703, 5979704, 6049200, 6049204) for what is no clustered index */
function checkClustered(options: Doc): void {
  const { clusteredIndex: spec, capped, max } = options;
  if (!isDocument(spec)) {
    if (isOn(capped)) throw new DocDbError(6049200, 'a collection that says whether it is clustered cannot be capped');
    if (isOn(spec)) throw new DocDbError(5979703, 'a clustered index of this form is for collections of the system only');
    delete options.clusteredIndex;
    return;
  }
  checkValue(spec, clusteredIndex, 'create.clusteredIndex');
  const { key, v, unique } = spec;
  if (v !== undefined && Math.trunc(toNumber(v)) !== 2 && !(v instanceof Decimal128 && Math.round(toNumber(v)) === 2))
    throw new DocDbError(5979704, "a clustered index needs 'v: 2'");
  if (!isOn(unique)) throw new DocDbError(5979700, "a clustered index needs 'unique: true'");
  if (Object.keys(key as Doc).length !== 1 || toNumber((key as Doc)._id) !== 1)
    throw new DocDbError(197, "a clustered index needs the key '{ _id: 1 }'");
  if (max !== undefined && !isOn(capped)) throw new DocDbError(6049204, "a clustered collection has no 'max'");
  if (isOn(capped)) throw new DocDbError(max === undefined ? 6049200 : 6049204, 'a clustered collection cannot be capped');
}

/** @throws DocDbError (72) for seconds that lead to before 1970, and for what are none */
function lifetime(value: Value): bigint {
  const seconds = isNumber(value) ? wholeOption(value) : Number.NaN;
  if (!(seconds >= 0 && seconds * 1000 <= Date.now()))
    throw new DocDbError(72, `'expireAfterSeconds' has to be from 0 to the seconds since 1970, and is ${String(value)}`);
  return BigInt(seconds);
}

/** @throws DocDbError for options of a collection that mean nothing */
export function checkOptions(options: Doc): void {
  if (options.clusteredIndex !== undefined) checkClustered(options);
  if (isDocument(options.collation) && Object.keys(options.collation).length === 0)
    throw new DocDbError(40414, "BSON field 'create.collation.locale' is missing but a required field");
  // Texts that are compared by their bytes need none.
  if (options.collation !== undefined && !collatorFor(options.collation)) delete options.collation;
  if (options.expireAfterSeconds !== undefined) options.expireAfterSeconds = lifetime(options.expireAfterSeconds);
  if (options.validator === undefined) return;
  if (!isDocument(options.validator)) throw new DocDbError(14, "BSON field 'create.validator' is the wrong type, expected type 'object'");
  for (const name of ['$text', '$where', '$near', '$nearSphere', '$geoNear'])
    if (JSON.stringify(Object.keys(options.validator)).includes(`"${name}"`)) throw badValue(`${name} is not allowed in a validator`);
  filterWith(options.validator, commandScope(options.collation, {}), {});
}

/** @throws DocDbError (2, 9, 14, 67, 72, 197) for a description of the index of ids that is not that of the collection's */
export function checkIdIndex(idIndex: Value, options: Doc): void {
  if (!isDocument(idIndex)) return;
  const apart = ['viewOn', 'clusteredIndex'].find((name) => options[name] !== undefined);
  if (apart !== undefined) throw new DocDbError(72, `'idIndex' is not allowed with '${apart}'`);
  const { key, collation, v } = checkIndexSpec(idIndex);
  if (!isDocument(key) || !isIdKey(key)) throw badValue("The field 'key' for an _id index must be {_id: 1}");
  if (isNumber(v) && toNumber(v) === 1) throw new DocDbError(72, "an 'idIndex' of version 1 is not supported by this database");
  const full = (given: Value): Value => (isDocument(given) && given.locale !== 'simple' ? fullCollation(given) : null);
  if (collation !== undefined && !equal(full(collation), full(options.collation)))
    throw badValue("'idIndex' must have the collation of the collection");
}

/** Stages of a view that are null are none. */
export function withoutNulls(options: Doc): void {
  const { pipeline } = options;
  if (Array.isArray(pipeline)) options.pipeline = pipeline.filter((stage) => stage !== null);
}

/** Collections of the system that anybody may make. */
const SYSTEM: ReadonlySet<string> = new Set(['system.views', 'system.profile', 'system.js', 'system.users']);

/** @throws DocDbError (20, 73) for a name that is the system's */
export function checkOwnName(ns: string): void {
  const name = ns.slice(ns.indexOf('.') + 1);
  if (name.startsWith('system.buckets.')) throw new DocDbError(20, `${ns} is for time series, which are not supported by this database`);
  if (name.startsWith('system.') && !SYSTEM.has(name)) throw new DocDbError(73, `Invalid system namespace: ${ns}`);
}

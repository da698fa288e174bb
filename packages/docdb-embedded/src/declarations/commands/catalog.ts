import { wholeOption } from '../../bson/rounding.ts';
import { type Doc, isDocument, isNumber, typeName, type Value } from '../../bson/values.ts';
import { badValue, DocDbError, failedToParse, typeMismatch } from '../../errors.ts';
import { type CommandDeclaration, declare } from '../command-declaration.ts';
import { commitQuorum } from '../commit-quorum.ts';
import { anything, array, bool, choice, type FieldDeclaration, number, object, oneOf, text, truth } from '../field.ts';
import { collation, collectionUuid } from '../shared-fields.ts';

const LEVELS = ['off', 'strict', 'moderate'];
const ACTIONS = ['error', 'warn', 'errorAndLog'];

/** Whether change streams can show documents as they were. */
const images = object({ fields: { enabled: bool({ required: true }) } });

const validation = {
  validator: object(),
  validationLevel: choice(LEVELS),
  validationAction: choice(ACTIONS),
};

const clustered = object({
  fields: {
    key: object({ required: true }),
    unique: truth({ required: true }),
    name: text(),
    v: number(),
  },
});

/** Options of a file of MongoDB's storage engine that its configuration may name. */
const FILE_OPTIONS: ReadonlySet<string> = new Set(
  `access_pattern_hint allocation_size block_allocation block_compressor cache_resident checksum dictionary ignore_in_memory_cache_size
  internal_item_max internal_key_max internal_page_max leaf_item_max leaf_key_max leaf_page_max leaf_value_max memory_page_image_max memory_page_max os_cache_dirty_max
  os_cache_max prefix_compression prefix_compression_min split_pct`.split(/\s+/),
);
const COMPRESSORS: ReadonlySet<string> = new Set(['', 'none', 'snappy', 'zlib', 'zstd']);

/** @throws DocDbError (2) for what the storage engine of MongoDB does not read, (9) for a text that it can not have */
function checkFileOptions(options: Value, path: string): void {
  if (typeof options !== 'string') throw badValue(`'${path}' must be a string`);
  if (options.includes('\0')) throw failedToParse(`'${path}' may not have a null byte`);
  for (const option of options.split(',').filter((part) => part !== '')) {
    const [name = '', value = ''] = option.split('=').map((part) => part.trim());
    if (!FILE_OPTIONS.has(name)) throw badValue(`'${path}' has an unknown option '${name}'`);
    if (!/^[\w.-]*$/.test(value)) throw badValue(`'${path}' has no value for '${name}': '${value}'`);
    if (name === 'block_compressor' && !COMPRESSORS.has(value)) throw badValue(`'${path}' has an unknown compressor '${value}'`);
  }
}

/** Options for another storage engine: they are kept and shown. */
const storageEngine = object({
  effect: 'without effect',
  check(value, path) {
    for (const [engine, options] of Object.entries(value as Doc)) {
      if (engine !== 'wiredTiger') throw new DocDbError(72, `${engine} is not a registered storage engine for this server`);
      if (!isDocument(options)) throw badValue(`'${path}.${engine}' has to be an embedded document`);
      if (options.configString !== undefined) checkFileOptions(options.configString, `${path}.${engine}.configString`);
      const unknown = Object.keys(options).find((name) => name !== 'configString');
      if (unknown !== undefined) throw new DocDbError(72, `'${path}.${engine}' has no field '${unknown}'`);
    }
  },
});

/** The pipeline of a view; null stands for no stage. */
const stages = array({
  check(value, path) {
    for (const [at, stage] of (Array.isArray(value) ? value : []).entries())
      if (stage !== null && !isDocument(stage))
        throw typeMismatch(`BSON field '${path}.${String(at)}' is the wrong type '${typeName(stage)}', expected type 'object'`);
  },
});

/** Time series are refused, mistakes in them before. */
const spanSeconds = number({
  check(value, path) {
    const span = isNumber(value) ? wholeOption(value) : 0;
    if (!(span >= 1 && span <= 31_536_000))
      throw badValue(`BSON field '${path}' value must be from 1 to 31536000, actual value '${String(value)}'`);
  },
});
const granularity = choice(['seconds', 'minutes', 'hours']);
const timeseries = object({
  effect: 'refused',
  fields: {
    timeField: text({ required: true }),
    metaField: text(),
    granularity,
    bucketMaxSpanSeconds: spanSeconds,
    bucketRoundingSeconds: spanSeconds,
  },
});
const timeseriesChange = object({
  effect: 'refused',
  fields: { granularity, bucketMaxSpanSeconds: spanSeconds, bucketRoundingSeconds: spanSeconds },
});

/** @throws DocDbError (72) */
function onlyTimeseries(_value: Value, path: string): void {
  throw new DocDbError(72, `'${path}' is for time series`);
}

const create = declare(
  'create',
  'collection',
  {
    ...validation,
    capped: truth(),
    size: number({ range: 'from 1 to 1 PB' }),
    max: number(),
    viewOn: text(),
    pipeline: stages,
    collation,
    changeStreamPreAndPostImages: images,
    clusteredIndex: oneOf(['object', 'bool', 'int', 'long', 'double', 'decimal'], { nullable: false }),
    expireAfterSeconds: number(),
    timeseries,
    encryptedFields: object({ effect: 'refused' }),
    storageEngine,
    indexOptionDefaults: object({ effect: 'without effect', fields: { storageEngine } }),
    autoIndexId: truth({ effect: 'without effect' }),
    idIndex: object(),
    temp: truth({ effect: 'refused' }),
    flags: number({ effect: 'without effect' }),
    collectionUUID: collectionUuid,
  },
  { writes: 'refused before', stable: true },
);

const index = object({
  fields: {
    name: text(),
    keyPattern: object(),
    expireAfterSeconds: number(),
    hidden: truth(),
    unique: truth(),
    prepareUnique: truth(),
    forceNonUnique: truth(),
  },
});

const collMod = declare(
  'collMod',
  'collection',
  {
    ...validation,
    index,
    viewOn: text(),
    pipeline: stages,
    changeStreamPreAndPostImages: images,
    cappedSize: number(),
    cappedMax: number(),
    expireAfterSeconds: oneOf(['string', 'long', 'int', 'decimal', 'double'], { nullable: false }),
    timeseries: timeseriesChange,
    dryRun: bool(),
    timeseriesBucketsMayHaveMixedSchemaData: bool({ effect: 'refused', check: onlyTimeseries }),
    collectionUUID: collectionUuid,
  },
  { writes: 'refused before', stable: true },
);

const drop = declare('drop', 'collection', { collectionUUID: collectionUuid }, { writes: 'refused before', stable: true });

/** `1`, whatever its type. */
const one: FieldDeclaration = number({
  required: true,
  range: '1',
  check(value) {
    if (!isNumber(value) || wholeOption(value) !== 1) throw new DocDbError(5255100, "Have to pass 1 as 'dropDatabase' parameter");
  },
});

const dropDatabase = declare('dropDatabase', one, {}, { writes: 'refused before', stable: true });

const renameCollection = declare(
  'renameCollection',
  text({ required: true }),
  {
    to: text({ required: true }),
    dropTarget: oneOf(['bool', 'binData'], { nullable: true }),
    stayTemp: bool({ effect: 'without effect' }),
    collectionUUID: collectionUuid,
  },
  { adminOnly: true, writes: 'refused before' },
);

const size = anything({
  nullable: false,
  range: 'from 1 to 1 PB',
  check(value: Value, path: string) {
    if (typeof value !== 'number' && typeof value !== 'bigint' && !isNumeric(value))
      throw new DocDbError(72, `'${path}' has to be a number`);
  },
});

function isNumeric(value: Value): boolean {
  return typeof value === 'object' && value !== null && ['Double', 'Decimal128'].includes(String((value as Doc)._bsontype));
}

const convertToCapped = declare('convertToCapped', 'collection', { size }, { writes: 'refused before', open: true });
const cloneCollectionAsCapped = declare(
  'cloneCollectionAsCapped',
  text({ nullable: false }),
  { toCollection: text({ nullable: false }), size },
  { writes: 'refused before', open: true },
);

const createIndexes = declare(
  'createIndexes',
  'collection',
  {
    indexes: array({ required: true, elements: object({ nullable: false }) }),
    commitQuorum,
    ignoreUnknownIndexOptions: truth(),
    collectionUUID: collectionUuid,
  },
  { writes: 'refused before', stable: true },
);

const dropIndexes = declare(
  'dropIndexes',
  'collection',
  { index: oneOf(['string', 'object', 'array'], { required: true, elements: text() }), collectionUUID: collectionUuid },
  { aliases: ['deleteIndexes'], writes: 'refused before', stable: true },
);

const validate = declare(
  'validate',
  'collection',
  {
    full: anything({ effect: 'without effect' }),
    checkBSONConformance: anything({ effect: 'without effect' }),
    background: anything({ effect: 'without effect' }),
    metadata: anything({ effect: 'without effect' }),
    enforceFastCount: anything({ effect: 'without effect' }),
    repair: anything({ effect: 'without effect' }),
    fixMultikey: anything({ effect: 'without effect' }),
    scandata: anything({ effect: 'without effect' }),
  },
  { open: true },
);

const validateDBMetadata = declare('validateDBMetadata', anything(), {
  apiParameters: object({
    required: true,
    fields: { version: text({ required: true }), strict: bool(), deprecationErrors: bool() },
  }),
  db: text(),
  collection: text(),
});

/** Commands on collections, databases and indexes. */
export const catalogCommands: readonly CommandDeclaration[] = [
  create,
  collMod,
  drop,
  dropDatabase,
  renameCollection,
  convertToCapped,
  cloneCollectionAsCapped,
  createIndexes,
  dropIndexes,
  validate,
  validateDBMetadata,
];

/** The description of a clustered index that is more than a flag. */
export const clusteredIndex: FieldDeclaration = clustered;

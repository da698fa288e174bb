import { toNumber } from '../bson/arithmetic.ts';
import { fieldPath } from '../aggregation/field-path.ts';
import { isDocument, type Value } from '../bson/values.ts';
import { badValue, DocDbError } from '../errors.ts';
import { checkDatabaseName } from '../storage/database-name.ts';
import { OWN_DATABASES } from '../storage/own-databases.ts';
import { NUMBERS, type StageDeclaration, type StageField } from './stage-declaration.ts';

const name: StageField = { types: ['string'], nullable: true };

function seconds(value: Value): void {
  const given = Math.round(toNumber(value));
  if (!(given >= 1 && given <= 31_536_000)) throw badValue('a span of a time series must be from 1 to 31536000 seconds');
}

function granularity(value: Value): void {
  if (value !== 'seconds' && value !== 'minutes' && value !== 'hours')
    throw badValue(`Enumeration value '${String(value)}' for field 'granularity' is not a valid value.`);
}

const timeseries: StageField = {
  types: ['object'],
  nullable: true,
  fields: {
    timeField: { ...name, missing: 40414 },
    metaField: name,
    granularity: { ...name, check: granularity },
    bucketMaxSpanSeconds: { types: NUMBERS, nullable: true, check: seconds },
    bucketRoundingSeconds: { types: NUMBERS, nullable: true, check: seconds },
  },
  check() {
    throw new DocDbError(72, "The option 'timeseries' is not supported by this database; write into a collection without it");
  },
};

/** Bytes of the name of a collection. */
const MOST_NAME = 255;

/** @throws DocDbError (17385, 20, 31321) for a collection that no pipeline may replace */
function checkOut(operand: Value): void {
  const [database, collection] = isDocument(operand) ? [operand.db, operand.coll] : [undefined, operand];
  if (typeof database === 'string' && OWN_DATABASES.has(database))
    throw new DocDbError(31321, `Can't $out to internal database: ${database}`);
  if (typeof database === 'string') checkDatabaseName(database);
  if (typeof collection !== 'string') return;
  if (collection === '' || collection.startsWith('.') || collection.includes('\0'))
    throw new DocDbError(73, `Invalid collection name '${collection}'`);
  if (Buffer.byteLength(collection) > MOST_NAME) throw new DocDbError(20, `the name of a collection may have ${String(MOST_NAME)} bytes`);
  if (collection.startsWith('$')) throw new DocDbError(20, `Cannot $out to the special collection: ${collection}`);
  if (collection.startsWith('system.')) throw new DocDbError(17385, `Can't $out to special collection: ${collection}`);
}

/** @throws DocDbError (31319, 31320) for a collection that no pipeline may write into */
function checkInto(into: Value): void {
  const [database, collection] = isDocument(into) ? [into.db, into.coll] : [undefined, into];
  if (typeof database === 'string' && OWN_DATABASES.has(database))
    throw new DocDbError(31320, `Cannot $merge to internal database: ${database}`);
  if (collection === '' && database === undefined) throw new DocDbError(5786800, 'a collection of $merge must have a name');
  if (typeof collection === 'string' && collection.startsWith('system.'))
    throw new DocDbError(31319, `Cannot $merge to special collection: ${collection}`);
}

/** @throws DocDbError (51187, 51134, 31465) for what names no fields to join by */
function checkOn(on: Value): void {
  const names = Array.isArray(on) ? (on as Value[]) : [on];
  if (names.length === 0) throw new DocDbError(51187, "If explicitly specifying $merge 'on', must include at least one field");
  for (const entry of names) {
    if (typeof entry !== 'string') throw new DocDbError(51134, `$merge 'on' array elements must be strings, found ${String(entry)}`);
    fieldPath(entry);
  }
  if (new Set(names).size < names.length) throw new DocDbError(31465, "Found a duplicate field in $merge 'on'");
}

/** @throws DocDbError (51273) for a variable that has the name of the document that is merged */
function checkLet(variables: Value): void {
  if (isDocument(variables) && 'new' in variables && variables.new !== '$$ROOT')
    throw new DocDbError(51273, "'let' may not define a value for the reserved 'new' variable other than '$$ROOT'");
}

/** What a router says of the collection. */
const ofRouter: StageField = {
  check() {
    throw new DocDbError(72, "'targetCollectionVersion' and 'allowMergeOnNullishValues' of $merge are for a router, and there is none");
  },
};

function checkMerge(operand: Value): void {
  if (operand === '') throw new DocDbError(73, 'a collection of $merge must have a name');
  if (typeof operand === 'string') checkInto(operand);
  if (!isDocument(operand)) return;
  const { whenMatched: matched, whenNotMatched: notMatched } = operand;
  if (matched === 'fail' && (notMatched === 'fail' || notMatched === 'discard'))
    throw new DocDbError(51181, "Combination of $merge modes 'whenMatched: fail' and 'whenNotMatched' is not supported");
  if (matched === 'keepExisting' && (notMatched === 'fail' || notMatched === 'discard'))
    throw new DocDbError(51181, "Combination of $merge modes 'whenMatched: keepExisting' and 'whenNotMatched' is not supported");
  if (!Array.isArray(matched) && operand.let !== undefined && operand.let !== null)
    throw new DocDbError(51199, "Cannot use 'let' variables with 'whenMatched' that is no pipeline");
}

/** Stages that write. */
export const outputStages: Readonly<Record<string, StageDeclaration>> = {
  $merge: {
    types: ['string', 'object'],
    wrongType: 14,
    unknown: 40415,
    fields: {
      into: {
        types: ['string', 'object'],
        wrongType: 51178,
        missing: 40414,
        fields: { db: name, coll: { ...name, missing: 5786801 } },
        check: checkInto,
      },
      on: { types: ['string', 'array'], wrongType: 51186, check: checkOn },
      let: { types: ['object', 'null'], wrongType: 14, check: checkLet },
      whenMatched: { types: ['string', 'array'], wrongType: 51191, elements: { types: ['object'] } },
      whenNotMatched: { types: ['string', 'null'], wrongType: 14 },
      targetCollectionVersion: ofRouter,
      allowMergeOnNullishValues: ofRouter,
    },
    check: checkMerge,
  },
  $out: {
    types: ['string', 'object'],
    wrongType: 16990,
    unknown: 40415,
    fields: { db: { ...name, missing: 40414 }, coll: { ...name, missing: 40414 }, timeseries },
    check: checkOut,
  },
};

import { toNumber } from '../bson/arithmetic.ts';
import { collatorFor } from '../bson/collation.ts';
import { type Doc, isDocument, isNumber, typeName, type Value } from '../bson/values.ts';
import { badValue, DocDbError, failedToParse } from '../errors.ts';
import { placeOperators } from '../geo/geo-tests.ts';
import { compileFilter } from '../query/matcher.ts';
import { TEXT_LANGUAGES, textLanguage } from '../query/text.ts';
import { hasOperators } from '../query/value-tests.ts';
import { collation } from './shared-fields.ts';
import { anything, bool, checkDocument, type Fields, isOn, number, object, text, truth } from './field.ts';
import { referenceFields } from '../query/element-tests.ts';
import { checkWildcard, checkWildcardKey, isWildcardName } from './wildcard-spec.ts';

/** Seconds after which documents go: as many as 32 bits hold. */
export const MOST_SECONDS = 2_147_483_647;

function checkSeconds(value: Value): void {
  const given = isNumber(value) ? Math.trunc(toNumber(value)) : Number.NaN;
  if (!(given >= 0 && given <= MOST_SECONDS))
    throw new DocDbError(67, `TTL index 'expireAfterSeconds' option must be a number from 0 to ${String(MOST_SECONDS)}`);
}

/** What a document that describes an index may have. */
const FIELDS: Fields = {
  v: number(),
  key: object({ nullable: false }),
  name: text({ nullable: false }),
  unique: truth({ nullable: false }),
  sparse: truth({ nullable: false }),
  background: anything({ effect: 'without effect' }),
  dropDups: anything({ effect: 'without effect' }),
  partialFilterExpression: object({ nullable: false }),
  collation: { ...collation, nullable: false },
  expireAfterSeconds: anything({ nullable: false, check: checkSeconds }),
  hidden: bool({ nullable: false }),
  prepareUnique: truth(),
  weights: anything(),
  default_language: text(),
  language_override: text(),
  textIndexVersion: number(),
  '2dsphereIndexVersion': number(),
  finestIndexedLevel: number({ effect: 'without effect' }),
  coarsestIndexedLevel: number({ effect: 'without effect' }),
  bits: number(),
  min: number(),
  max: number(),
  wildcardProjection: object({ nullable: false }),
  ns: anything({ effect: 'without effect' }),
  storageEngine: object({ effect: 'without effect' }),
  clustered: truth(),
};

const KINDS: ReadonlySet<Value> = new Set(['text', 'hashed', '2d', '2dsphere']);

/** Whether a part of a path can be a field: of those that begin with a dollar, only what references to documents have. */
function isFieldName(part: string, at: number): boolean {
  return part !== '' && (!part.startsWith('$') || (at > 0 && referenceFields.has(part)));
}

function checkKey(key: Doc): void {
  const names = Object.keys(key);
  if (names.length === 0) throw new DocDbError(67, 'Index keys cannot be empty.');
  if (names.length > 32) throw new DocDbError(13103, 'too many compound keys, at most 32 are allowed');
  for (const name of names) {
    const plain = isWildcardName(name) ? name.replace(/\.?\$\*\*$/, '') || 'all' : name;
    if (!plain.split('.').every(isFieldName)) throw new DocDbError(67, `Index key contains an illegal field name: '${name}'`);
    checkKind(name, key[name]);
  }
  if (Object.hasOwn(key, '_fts') && !(key._fts === 'text' && isNumber(key._ftsx)))
    throw new DocDbError(67, "'_fts' is that of the words of a text index, with '_ftsx' behind it");
  checkWildcardKey(key);
  if (names.filter((name) => key[name] === 'hashed').length > 1)
    throw new DocDbError(31303, 'A maximum of one index field is allowed to be hashed');
  if (names.filter((name) => key[name] === '2d').length > 0 && key[names[0] ?? ''] !== '2d')
    throw new DocDbError(67, 'the field of kind 2d must be the first of its index');
}

function checkKind(name: string, kind: Value): void {
  if (KINDS.has(kind) || (kind === 'wildcard' && isWildcardName(name))) {
    if (isWildcardName(name) && (kind !== 'text' || name !== '$**'))
      throw new DocDbError(67, `a wildcard can not be of the kind '${String(kind)}'`);
    return;
  }
  if (kind === 'wildcard') throw new DocDbError(7246202, "an index of the kind 'wildcard' is written as { '$**': 1 }");
  if (typeof kind === 'string') throw new DocDbError(67, `Unknown index plugin '${kind}'`);
  if (!isNumber(kind) || Number.isNaN(toNumber(kind)) || toNumber(kind) === 0)
    throw new DocDbError(67, `Values in the index key pattern must be non-zero numbers or strings: ${name}`);
}

/** @throws DocDbError (67) for sizes of cells that there are not, or that are the wrong way round */
function checkLevels({ coarsestIndexedLevel: coarsest, finestIndexedLevel: finest }: Doc): void {
  const [from, to] = [isNumber(coarsest) ? toNumber(coarsest) : 0, isNumber(finest) ? toNumber(finest) : MOST_LEVELS];
  if (!(from >= 0 && from <= to && to <= MOST_LEVELS))
    throw new DocDbError(67, `0 <= coarsestIndexedLevel <= finestIndexedLevel <= ${String(MOST_LEVELS)} is asked for`);
}

/** Sizes of cells that MongoDB divides the earth into; here their sizes are chosen for each place. */
const MOST_LEVELS = 30;

const PARTIAL: ReadonlySet<string> = new Set(['$eq', '$gt', '$gte', '$lt', '$lte', '$type', '$exists', '$in', ...placeOperators]);

/** @throws DocDbError (67) for a filter that decides by more than an index can */
function checkPartial(filter: Doc): void {
  for (const name of Object.keys(filter)) {
    const condition = filter[name];
    if (name === '$and' || name === '$or') {
      for (const branch of Array.isArray(condition) ? (condition as Value[]) : []) if (isDocument(branch)) checkPartial(branch);
    } else if (name.startsWith('$')) throw new DocDbError(67, `unsupported expression in partial index: ${name}`);
    else if (typeName(condition) === 'regex') throw new DocDbError(67, 'unsupported expression in partial index: a regular expression');
    else if (isDocument(condition) && hasOperators(condition)) {
      for (const operator of Object.keys(condition)) {
        if (!PARTIAL.has(operator)) throw new DocDbError(67, `unsupported expression in partial index: ${operator}`);
        if (operator === '$exists' && !isOn(condition.$exists))
          throw new DocDbError(67, 'unsupported expression in partial index: $exists: false');
      }
    }
  }
}

/** @throws DocDbError (67) for a text index that could not be searched */
function checkText({ default_language: language, language_override: override, weights }: Doc): void {
  if (typeof language === 'string' && !textLanguage(language))
    throw new DocDbError(67, `unsupported language: "${language}" for text index version 3; ${TEXT_LANGUAGES}`);
  if (override === '' || (typeof override === 'string' && override.startsWith('$')))
    throw new DocDbError(67, `'language_override' must be the name of a field`);
  if (weights === undefined || weights === 'wildcard') return;
  if (!isDocument(weights)) throw new DocDbError(67, "'weights' must be an object");
  for (const name of Object.keys(weights)) {
    const weight = weights[name];
    if (!isNumber(weight)) throw new DocDbError(67, `the weight of '${name}' must be a number`);
    if (!(toNumber(weight) > 0 && toNumber(weight) < 1_000_000_000))
      throw new DocDbError(67, `text index weight must be in the exclusive interval (0,1000000000) but found: ${String(weight)}`);
  }
}

function checkPlane({ bits, min, max }: Doc): void {
  const number = (value: Value, missing: number): number => (isNumber(value) ? toNumber(value) : missing);
  const count = number(bits, 26);
  if (!(count >= 1 && count <= 32)) throw new DocDbError(72, 'bits for hash must be > 0 and <= 32');
  if (!(number(min, -180) < number(max, 180))) throw new DocDbError(72, 'region for hash must be valid and have positive area');
}

/**
 * Checks the description of an index.
 *
 * @param ignoresUnknown whether fields that no index has are left out of it
 * @returns the description
 * @throws DocDbError (2, 9, 14, 67, 72, 197, …) with the codes of MongoDB
 */
export function checkIndexSpec(given: Value, ignoresUnknown = false): Doc {
  const spec = ignoresUnknown && isDocument(given) ? knownOf(given) : given;
  if (!isDocument(spec)) throw new DocDbError(14, 'The elements of the indexes array must be objects');
  for (const name of Object.keys(spec))
    if (!Object.hasOwn(FIELDS, name)) throw new DocDbError(197, `The field '${name}' is not valid for an index specification.`);
  checkDocument(spec, FIELDS, 'createIndexes.indexes');
  return checked(withFlags(spec));
}

/** Flags may be numbers; they are kept as what they mean. */
function withFlags(spec: Doc): Doc {
  const isFlag = (name: string): boolean => isNumber(spec[name]) && FLAGS.has(name);
  return Object.fromEntries(Object.entries(spec).map(([name, value]) => [name, isFlag(name) ? isOn(value) : value]));
}

const FLAGS: ReadonlySet<string> = new Set(['unique', 'sparse', 'prepareUnique']);

function checked(spec: Doc): Doc {
  const { key, name } = spec;
  if (!isDocument(key)) throw failedToParse("The 'key' field is a required property of an index specification");
  if (typeof name !== 'string') throw failedToParse("The 'name' field is a required property of an index specification");
  if (name === '') throw new DocDbError(67, 'the name of an index cannot be empty');
  if (name === '*') throw badValue("The index name '*' is not valid.");
  checkKey(key);
  checkWildcard(spec, key);
  if (isOn(spec.clustered) && !(Object.keys(key).length === 1 && isOn(key._id)))
    throw new DocDbError(67, 'a clustered index is of _id, and is made with its collection');
  if (Object.values(key).includes('2d')) checkPlane(spec);
  const isText = Object.values(key).includes('text');
  if (isText) checkText(spec);
  else if (spec.weights !== undefined) throw new DocDbError(67, "'weights' are for text indexes");
  const version = spec['2dsphereIndexVersion'];
  if (isNumber(version) && !(toNumber(version) >= 1 && toNumber(version) <= 3))
    throw new DocDbError(67, 'unsupported 2dsphere index version');
  checkLevels(spec);
  if (spec.collation !== undefined) {
    if (isDocument(spec.collation) && Object.keys(spec.collation).length === 0)
      throw badValue("The field 'collation' cannot be an empty object.");
    const flat = Object.values(key).find((kind) => kind === 'text' || kind === '2d');
    if (collatorFor(spec.collation) && flat !== undefined)
      throw new DocDbError(67, `Index type '${flat}' does not support collation: use { collation: { locale: 'simple' } }`);
  }
  if (spec.unique === true && Object.values(key).includes('hashed'))
    throw new DocDbError(16764, 'Currently hashed indexes cannot guarantee uniqueness');
  if (spec.unique === true && isOn(spec.prepareUnique))
    throw new DocDbError(67, "'prepareUnique' and 'unique' cannot both be true: an index that is unique need not become so");
  if (isNumber(spec.v) && ![1, 2].includes(Math.trunc(toNumber(spec.v))))
    throw new DocDbError(67, `an index cannot be created with v=${String(spec.v)}`);
  if (spec.expireAfterSeconds !== undefined && Object.keys(key).length > 1)
    throw new DocDbError(67, 'TTL indexes are single-field indexes, compound indexes do not support TTL.');
  if (isDocument(spec.partialFilterExpression)) {
    if (spec.sparse === true) throw new DocDbError(67, 'cannot mix "partialFilterExpression" and "sparse" options');
    compileFilter(spec.partialFilterExpression);
    checkPartial(spec.partialFilterExpression);
  }
  checkIdIndex(spec, key);
  return spec;
}

function knownOf(spec: Doc): Doc {
  return Object.fromEntries(Object.entries(spec).filter(([name]) => Object.hasOwn(FIELDS, name)));
}

const ID_OPTIONS: ReadonlySet<string> = new Set(['v', 'key', 'name', 'ns', 'collation', 'background']);
const CLUSTERED_OPTIONS: ReadonlySet<string> = new Set([...ID_OPTIONS, 'clustered', 'unique']);

/** @returns whether a key is that of the index of ids */
export function isIdKey(key: Doc): boolean {
  return Object.keys(key).length === 1 && isNumber(key._id) && toNumber(key._id) === 1;
}

function checkIdIndex(spec: Doc, key: Doc): void {
  const isId = isIdKey(key);
  if (!isId && spec.name === '_id_') throw badValue("The index name '_id_' is reserved for the _id index");
  if (Object.keys(key).length === 1 && isNumber(key._id) && toNumber(key._id) === -1)
    throw badValue("The field 'key' for an _id index must be {_id: 1}, but got {_id: -1}");
  if (!isId) return;
  const options = spec.clustered === undefined ? ID_OPTIONS : CLUSTERED_OPTIONS;
  const other = Object.keys(spec).find((name) => !options.has(name));
  if (other !== undefined) throw new DocDbError(197, `The field '${other}' is not valid for an _id index specification.`);
}

import { type Doc, isDocument, isNumber, typeName, type Value } from '../bson/values.ts';
import { isPositional } from '../query/path-values.ts';
import { hasOperators } from '../query/value-tests.ts';
import type { Collection } from '../storage/collection.ts';
import type { CollectionQuery } from '../storage/find-documents.ts';
import type { IndexDefinition } from '../storage/index-definition.ts';
import type { Plan } from '../storage/plan.ts';

/** Conditions that the values of a key decide as well as those of the document. */
const BY_KEY: ReadonlySet<string> = new Set(['$eq', '$in', '$gt', '$gte', '$lt', '$lte', '$regex', '$options', '$mod']);

/**
 * @returns whether a server sends what it is asked for from the keys of an index alone: they hold all fields that the
 *   projection, the filter and the sort name
 */
export function isCovered(plan: Plan, collection: Collection, query: CollectionQuery): boolean {
  const index = indexOf(plan, collection);
  const shown = shownFields(query.projection);
  if (!index || !shown || index.isDerived || index.facts.multikey || query.score) return false;
  const { key } = index.spec as { key: Doc };
  const held = new Set(index.fields.filter(({ name, path }) => key[name] !== 'hashed' && !isPositional(path)).map(({ name }) => name));
  const sorted = query.sort.map(({ name }) => name);
  if (![...shown, ...sorted].every((name) => held.has(name)) || !isByKeys(query.filter, held)) return false;
  return !index.collator || [...shown, ...sorted].every((name) => isNoText(query.filter[name]));
}

function indexOf(plan: Plan, collection: Collection): IndexDefinition | undefined {
  if (plan.kind === 'index') return collection.isClustered && plan.index.isId ? undefined : plan.index;
  return plan.kind === 'id' && !collection.isClustered ? collection.ids : undefined;
}

/** @returns the fields that a projection shows; `undefined` where it shows others too, or makes some */
function shownFields(projection: Doc | undefined): string[] | undefined {
  const { _id: id, ...fields } = projection ?? {};
  const names = Object.keys(fields);
  if (names.length === 0 && !isTrue(id)) return undefined;
  if (!names.every((name) => isTrue(fields[name]) && !name.split('.').includes('$'))) return undefined;
  if (id === undefined || isTrue(id)) return ['_id', ...names];
  return isFalse(id) ? names : undefined;
}

function isTrue(value: Value): boolean {
  return value === true || (isNumber(value) && Number(String(value)) !== 0);
}

function isFalse(value: Value): boolean {
  return value === false || (isNumber(value) && !isTrue(value));
}

function isByKeys(filter: Doc, held: ReadonlySet<string>): boolean {
  return Object.keys(filter).every((name) => {
    const condition = filter[name];
    if (name === '$and') return (condition as Doc[]).every((branch) => isByKeys(branch, held));
    return name === '$comment' || (held.has(name) && operandsOf(condition, BY_KEY)?.every(isInKey) === true);
  });
}

/** @returns what a condition compares with; `undefined` where it does something else */
function operandsOf(condition: Value, operators: ReadonlySet<string>): Value[] | undefined {
  if (!isDocument(condition) || !hasOperators(condition)) return [condition];
  const names = Object.keys(condition);
  if (!names.every((name) => operators.has(name))) return undefined;
  return names.flatMap((name) => (name === '$in' ? (condition.$in as Value[]) : name === '$mod' ? [] : [condition[name]]));
}

/** A key of null may be that of no field, and one of an element that of a list. */
function isInKey(value: Value): boolean {
  return value !== null && value !== undefined && !Array.isArray(value);
}

const COMPARISONS: ReadonlySet<string> = new Set(['$eq', '$in', '$gt', '$gte', '$lt', '$lte']);
const TEXTS: readonly string[] = ['string', 'object', 'array', 'symbol', 'regex'];

/** Keys of a collation do not hold the texts themselves. */
function isNoText(condition: Value): boolean {
  return condition !== undefined && operandsOf(condition, COMPARISONS)?.every((value) => !TEXTS.includes(typeName(value))) === true;
}

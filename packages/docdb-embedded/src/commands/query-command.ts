import { compileProjected, type ExpressionScope } from '../aggregation/expression.ts';
import { withMetadata } from '../aggregation/metadata.ts';
import { filterWith } from '../aggregation/filter-with.ts';
import { impliedConditions } from '../aggregation/implied-conditions.ts';
import { commandScope, commandVars } from '../aggregation/pipeline.ts';
import type { Vars } from '../aggregation/pipeline-types.ts';
import type { Collator } from '../bson/collation.ts';
import { type Doc, isDocument, toDouble, type Value } from '../bson/values.ts';
import { abortedTransaction, badValue, DocDbError } from '../errors.ts';
import { capOfNear } from '../geo/cells.ts';
import { measurer, type Near, splitNear } from '../geo/near.ts';
import { type IndexSearch, placeSearch, wordSearch } from '../storage/derived-plan.ts';
import { splitText, type Predicate } from '../query/matcher.ts';
import { parseQuerySort, type SortKey } from '../query/sort.ts';
import type { IndexDefinition } from '../storage/index-definition.ts';
import { equality } from '../query/any-of.ts';
import { compileText, type TextRules } from '../query/text.ts';
import { type TextBranch, textUnderOr } from '../query/text-under-or.ts';
import type { Collection } from '../storage/collection.ts';
import { isSearchable } from '../storage/searchable.ts';
import { isMeant, type Plan } from '../storage/plan.ts';
import type { Reader } from '../storage/reader.ts';
import type { CommandContext } from './command.ts';

/** A compiled filter over one collection. */
export interface CompiledFilter {
  readonly filter: Doc;
  readonly predicate: Predicate;
  readonly collator: Collator | undefined;
  readonly scope: ExpressionScope;
  readonly vars: Vars;
  /** Score of a text search, or how far away a document is. */
  readonly score: ((doc: Doc) => number) | undefined;
  /** The order that the filter asks for by itself: the nearest first. */
  readonly order: readonly SortKey[];
  /** Where an index of words or places has all that may match. */
  readonly within?: IndexSearch | undefined;
  /** What its expressions demand of fields. */
  readonly implied?: readonly Doc[];
}

/** What a command or statement says beside its filter. */
interface QuerySource {
  readonly collation?: Value;
  readonly let?: Value;
  readonly hint?: Value;
  readonly apiStrict?: Value;
}

/**
 * Compiles the filter of a command or statement.
 *
 * @param source the command or statement
 * @param now null for commands that have no `$$NOW`
 */
export function compileCommandFilter(filter: Doc, collection: Collection | undefined, source: QuerySource, now?: null): CompiledFilter {
  const vars = commandVars(source.let);
  const own = commandScope(source.collation ?? collection?.options.collation, vars);
  const scope = now === null ? { ...own, now } : own;
  const { near, rest: nearer } = splitNear(filter);
  const { text, rest } = splitText(nearer);
  const branch = text || near ? undefined : textUnderOr(rest);
  if (branch)
    return { filter: rest, collator: scope.collator, scope, vars, order: [], ...withWords(rest, branch, collection, scope, vars) };
  const match = filterWith(rest, scope, vars);
  const base = { filter: rest, collator: scope.collator, scope, vars, order: [], implied: impliedConditions(rest, scope, vars) };
  if (source.apiStrict === true) checkStableHint(source.hint, collection);
  if (near && text) throw badValue('text and geoNear not allowed in same query');
  if (near) return { ...base, ...nearest(near, match, collection, source.hint) };
  if (!text) return { ...base, predicate: match, score: undefined };
  const index = textIndexOf(collection);
  if (source.apiStrict === true)
    throw new DocDbError(291, 'need exactly one text index for $text query: indexes of this kind are not in API Version 1');
  checkPrefix(index.spec.key, rest);
  const search = compileText(text, index.text);
  const score = onceOf(search.score);
  const within = search.words && index.ready && !index.partial ? wordSearch(index, search.words) : undefined;
  return { ...base, predicate: (doc) => match(doc) && score(doc) > 0, score, within };
}

/** A search that no document can pass is not asked twice for the same document. */
function onceOf(score: (doc: Doc) => number): (doc: Doc) => number {
  const scores = new WeakMap<Doc, number>();
  return (doc) => {
    const known = scores.get(doc) ?? score(doc);
    scores.set(doc, known);
    return known;
  };
}

/** A search for words is one of several branches; what the others find has no score. */
function withWords(
  filter: Doc,
  { text, beside, around, others }: TextBranch,
  collection: Collection | undefined,
  scope: ExpressionScope,
  vars: Vars,
): Pick<CompiledFilter, 'predicate' | 'score'> {
  const index = textIndexOf(collection);
  checkPrefix(index.spec.key, { ...around, ...beside });
  if (!others.every((other) => isSearchable(collection, other)))
    throw new DocDbError(291, 'Failed to produce a solution for TEXT under OR: other branches of it would read all documents');
  const score = onceOf(compileText(text, index.text).score);
  const matchBeside = filterWith(beside, scope, vars);
  const predicate = filterWith(filter, scope, vars, (doc) => score(doc) > 0);
  return { predicate, score: (doc) => (matchBeside(doc) ? score(doc) : 0) };
}

/**
 * @returns the keys of the sort of a query
 * @throws DocDbError (40218) for the score of a search that there is not, and what {@link parseQuerySort} throws
 */
export function sortOf(sort: Doc | undefined, { score }: CompiledFilter): SortKey[] {
  const keys = parseQuerySort(sort);
  if (!score && keys.some(({ textScore }) => textScore))
    throw new DocDbError(40218, 'query requires metadata of a search, but there was none');
  return keys;
}

/** @returns a document, with what the search of a filter found out about it, or about the one that it was when it was found */
export function described({ score, order }: CompiledFilter, doc: Doc, found: Doc = doc): Doc {
  if (!score) return doc;
  const value = toDouble(score(found));
  if (order.length === 0 && Number(value) === 0) return withMetadata(doc, { textScore: undefined });
  return withMetadata(doc, order.length > 0 ? { geoNearDistance: value } : { textScore: value });
}

/** @returns what compares texts as a pipeline does, whatever the collection that it reads would choose */
export function collationOf(collator: Collator | undefined): Doc {
  return collator?.spec ?? SIMPLE;
}

const SIMPLE: Doc = { locale: 'simple' };

function nearest(
  near: Near,
  match: Predicate,
  collection: Collection | undefined,
  hint: Value,
): Pick<CompiledFilter, 'predicate' | 'score' | 'order' | 'within'> {
  const kinds = near.meters ? ['2dsphere'] : near.spherical ? ['2d', '2dsphere'] : ['2d'];
  const index = collection && geoIndex(collection, kinds, near.path);
  const wanted = typeof hint === 'string' || (isDocument(hint) && Object.keys(hint).length > 0) ? hint : undefined;
  if (collection && (!index || (wanted !== undefined && !isMeant(index, wanted)))) throw noPlaces(collection, near);
  const measure = measurer(near);
  return {
    predicate: (doc) => match(doc) && measure(doc) !== undefined,
    score: (doc) => measure(doc)?.distance ?? Infinity,
    order: [{ name: near.path, path: [], direction: 1, textScore: true }],
    within: nearSearch(collection, near),
  };
}

/**
 * @returns that no index finds what is near
 *
 * Applications read the field from the text, and make the index then (Parse Server).
 */
export function noPlaces({ ns }: Collection, { path, spherical, most }: Pick<Near, 'path' | 'spherical' | 'most'>): DocDbError {
  const distance = most === Infinity ? '1.79769e+308' : String(Number(most.toPrecision(6)));
  const query = `ns=${ns}Tree: GEONEAR  field=${path} maxdist=${distance} isNearSphere=${spherical ? '1' : '0'}`;
  const reason = 'planner returned error :: caused by :: unable to find index for $geoNear query';
  return new DocDbError(291, `error processing query: ${query}\nSort: {}\nProj: {}\n ${reason}`);
}

/** @returns the entries of an index of places that lead to what is near enough */
export function nearSearch(collection: Collection | undefined, near: Near): IndexSearch | undefined {
  const index = collection && geoIndex(collection, ['2dsphere'], near.path);
  const cap = capOfNear(near);
  const field = index?.geo.find(({ kind }) => kind === '2dsphere');
  return index && cap && !index.partial && field?.name === near.path ? placeSearch(index, cap) : undefined;
}

/** @returns the index of a kind on a field, or the only one of the kind */
export function geoIndex(collection: Collection, kinds: readonly string[], path: string | undefined): IndexDefinition | undefined {
  return [...collection.indexes.values()].find(
    (index) => index.ready && index.geo.some((field) => kinds.includes(field.kind) && (path === undefined || field.name === path)),
  );
}

function textIndexOf(collection: Collection | undefined): IndexDefinition & { readonly text: TextRules } {
  for (const index of collection?.indexes.values() ?? []) if (hasText(index) && index.spec.hidden !== true) return index;
  if ([...(collection?.indexes.values() ?? [])].some((index) => index.text))
    throw new DocDbError(291, 'need exactly one text index for $text query: the one of this collection is hidden');
  throw new DocDbError(27, 'text index required for $text query');
}

/**
 * Words are looked up behind the fields that stand in front of them in the index.
 *
 * @throws DocDbError (291) where a filter does not ask for one value of each
 */
function checkPrefix(key: Value, filter: Doc): void {
  const fields = Object.entries(isDocument(key) ? key : {});
  const words = fields.findIndex(([, kind]) => kind === 'text');
  if (fields.slice(0, words).every(([name]) => isFixed(filter, name))) return;
  throw new DocDbError(
    291,
    'failed to use text index to satisfy $text query (if text index is compound, are equality predicates given for all prefix fields?)',
  );
}

function isFixed(filter: Doc, name: string): boolean {
  if (Object.hasOwn(filter, name)) return equality(filter[name]) !== undefined;
  return Array.isArray(filter.$and) && filter.$and.some((part) => isDocument(part) && isFixed(part, name));
}

/** @throws BadValue (2) for an index that the stable API does not have, asked for by a client that wants nothing else */
function checkStableHint(hint: Value, collection: Collection | undefined): void {
  if (typeof hint !== 'string' && !isDocument(hint)) return;
  const index = [...(collection?.indexes.values() ?? [])].find((one) => isMeant(one, hint));
  if (index && (index.text || index.spec.sparse === true))
    throw badValue('error processing query: planner returned error :: caused by :: hint provided does not correspond to an existing index');
}

function hasText(index: IndexDefinition): index is IndexDefinition & { readonly text: TextRules } {
  return index.text !== undefined;
}

/** What a command reads, until it is released. */
export interface Reading {
  readonly reader: Reader;
  readonly release: () => void;
}

/**
 * @returns the state that a command reads: that of its transaction, one that the client asked for, or the present one
 * @throws DocDbError (251) for a transaction that has ended meanwhile, and (239) for a state that is no longer kept
 */
export function readingOf({ server, transaction, snapshot }: CommandContext): Reading {
  const held = transaction?.snapshot ?? snapshot;
  if (!held) return server.store.read();
  const release = held.retain();
  if (release) return { reader: transaction?.reader ?? held.reader, release };
  throw transaction ? abortedTransaction(transaction.number) : new DocDbError(239, 'The state that is to be read is no longer kept');
}

/** @returns the collection of a name as a command sees it; a transaction has used it then */
export function collectionIn({ server, transaction }: CommandContext, reader: Reader, ns: string): Collection | undefined {
  const collection = reader.collection(ns);
  if (collection && transaction && !transaction.created.has(ns)) server.store.touch(transaction, collection);
  return collection;
}

/**
 * @param plan by which it is read
 * @returns a check that a collection has not been dropped or renamed since a command began to read it, nor the index that it is read by; a state that is
 *   held has them
 */
export function presenceOf({ server, transaction, snapshot }: CommandContext, { ns, uuid }: Collection, plan: Plan): () => void {
  if (transaction || snapshot) return () => undefined;
  return () => {
    const now = server.store.newest.collection(ns);
    if (now?.uuid !== uuid) throw new DocDbError(175, `collection dropped or renamed: '${ns}', UUID ${uuid}`);
    if (plan.kind === 'index' && now.indexes.get(plan.index.name)?.number !== plan.index.number)
      throw new DocDbError(175, `query plan killed :: index '${plan.index.name}' dropped`);
  };
}

/** @returns the collection of a name as it is when a command begins, for what is checked before it is used */
export function collectionNow({ server, transaction }: CommandContext, ns: string): Collection | undefined {
  return (transaction?.reader ?? server.store.newest).collection(ns);
}

/** @returns a function that evaluates what a projection computes for a document */
export function computer(scope: ExpressionScope, vars: Vars): (expression: Value) => (doc: Doc) => Value {
  return (expression) => {
    const evaluate = compileProjected(expression, scope);
    return (doc) => evaluate({ root: doc, vars });
  };
}

import { fullCollation } from '../bson/collation.ts';
import { type Doc, isDocument, typeName, type Value } from '../bson/values.ts';
import { badValue, DocDbError } from '../errors.ts';
import { parseSort } from '../query/sort.ts';
import { checkNamespace, type Collection } from '../storage/collection.ts';
import type { FilteredQuery } from '../storage/index-filters.ts';
import { type Command, type CommandContext, namespace } from './command.ts';
import { collectionNow, compileCommandFilter } from './query-command.ts';

/** Parts of a query's shape beside its filter. */
const PARTS = ['sort', 'projection', 'collation'];

/** @throws DocDbError (73, 166) for a name that no collection has, and for a view */
function collectionOf(context: CommandContext): Collection | undefined {
  const ns = namespace(context);
  checkNamespace(ns);
  const collection = collectionNow(context, ns);
  if (collection?.isView === true) throw new DocDbError(166, `Namespace ${ns} is a view, not a collection`);
  return collection;
}

/** @throws BadValue (2), and the codes of filters, sorts and collations, for what describes no query */
function queryOf({ command }: CommandContext, collection: Collection): FilteredQuery & { readonly example: Doc } {
  const { query, sort = {}, projection = {}, collation } = command;
  const others = Object.entries({ sort, projection, ...(collation === undefined ? {} : { collation }) });
  if (!isDocument(query)) throw badValue(`required field query missing or not an object; it is ${typeName(query)}`);
  for (const [name, value] of others)
    if (!isDocument(value)) throw badValue(`the field ${name} has to be an object, and is ${typeName(value)}`);
  if (isDocument(collation) && Object.keys(collation).length === 0) throw badValue('a collation has a locale');
  if (isDocument(collation) && collation.locale === undefined)
    throw new DocDbError(40414, "BSON field 'collation.locale' is missing but a required field");
  const { filter, collator } = compileCommandFilter(query, collection, { collation });
  const shape = { filter, sort: parseSort(sort as Doc), projection: projection as Doc, collator };
  return { ...shape, example: { query, sort, projection, ...(collator ? { collation: fullCollation(collator.spec) } : {}) } };
}

/** @returns whether a command names one query; what only queries have is refused beside none */
function namesQuery({ command }: CommandContext): boolean {
  if (command.query !== undefined) return true;
  const part = PARTS.find((name) => command[name] !== undefined);
  if (part !== undefined) throw badValue(`${part} is for a query, and there is no query`);
  return false;
}

/** `planCacheClear`: plans are chosen anew for each query, and nothing is kept that could be cleared. */
export const planCacheClear: Command = (context) => {
  const collection = collectionOf(context);
  if (collection && namesQuery(context)) queryOf(context, collection);
  return {};
};

/** `planCacheSetFilter`: from here on queries of a shape use certain indexes only, whatever they ask for. */
export const planCacheSetFilter: Command = (context) => {
  const collection = collectionOf(context);
  if (!collection) throw badValue(`there is no collection ${namespace(context)}`);
  const query = queryOf(context, collection);
  const { indexes } = context.command;
  if (!Array.isArray(indexes) || indexes.length === 0) throw badValue("required field 'indexes' has to be a list of one index or more");
  for (const index of indexes as readonly Value[]) {
    if (typeof index === 'string') continue;
    if (!isDocument(index) || Object.keys(index).length === 0)
      throw badValue("each element of 'indexes' is the key of an index, or its name");
  }
  collection.indexFilters.set(query, { example: query.example, collator: query.collator, indexes: indexes as readonly Value[] });
  return {};
};

/** `planCacheClearFilters` */
export const planCacheClearFilters: Command = (context) => {
  const collection = collectionOf(context);
  if (!collection) return {};
  if (namesQuery(context)) collection.indexFilters.delete(queryOf(context, collection));
  else collection.indexFilters.clear();
  return {};
};

/** `planCacheListFilters` */
export const planCacheListFilters: Command = (context) => {
  const filters = collectionOf(context)?.indexFilters.list() ?? [];
  return { filters: filters.map(({ example, indexes }) => ({ ...example, indexes: [...indexes] })) };
};

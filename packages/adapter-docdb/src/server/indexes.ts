import { isDeepStrictEqual } from 'node:util';
import type { CollationOptions, Collection, Document, IndexDescription, IndexDescriptionInfo } from 'mongodb';
import { checkIndexDescriptions } from './index-descriptions.ts';

/** What was found when the indexes of a collection were compared with those that its service declares. */
export interface IndexReport {
  /** `database.collection` */
  readonly namespace: string;
  /** Declared, and not there. */
  readonly missing: readonly IndexDescription[];
  /** There with other options than declared; changing one means dropping it, which is never done here. */
  readonly different: readonly IndexDifference[];
  /** There, and not declared; that of `_id` is not told. */
  readonly undeclared: readonly IndexDescriptionInfo[];
}

/** An index that is not as it was declared. */
export interface IndexDifference {
  readonly declared: IndexDescription;
  readonly found: IndexDescriptionInfo;
  /** Options that differ. */
  readonly options: readonly string[];
}

/** Options that change what an index does, with what they are when they are left out. */
const MEANING: Readonly<Record<string, unknown>> = {
  unique: false,
  sparse: false,
  hidden: false,
  expireAfterSeconds: undefined,
  partialFilterExpression: undefined,
  wildcardProjection: undefined,
  weights: undefined,
  default_language: undefined,
  language_override: undefined,
};

/** No collection of that name: it has no indexes yet. */
const NAMESPACE_NOT_FOUND = 26;

/**
 * Compares the indexes of a collection with those that are declared; nothing is changed.
 *
 * @throws TypeError for a description that has no key, or an option that there is not; what the driver throws
 */
export async function compareIndexes(collection: Collection, declared: readonly IndexDescription[]): Promise<IndexReport> {
  checkIndexDescriptions('What compareIndexes() is given', declared);
  const found = await indexesOf(collection);
  const missing: IndexDescription[] = [];
  const different: IndexDifference[] = [];
  const known = new Set<IndexDescriptionInfo>();
  // The index of `_id` has always that of its collection.
  const ofCollection = collationOf(found.find(({ name }) => name === '_id_'));
  for (const index of declared) {
    const same = found.filter((each) => sameKey(each, index));
    const match = same.find((each) => sameCollation(each, index, ofCollection));
    if (!match) {
      missing.push(index);
      continue;
    }
    known.add(match);
    const options = differingOptions(index, match);
    if (options.length > 0) different.push({ declared: index, found: match, options });
  }
  const undeclared = found.filter((each) => !known.has(each) && each.name !== '_id_');
  return { namespace: collection.namespace, missing, different, undeclared };
}

/**
 * @param options for the driver. Default: none
 * @returns the indexes of a collection; none where there is no such collection
 * @throws what the driver throws
 */
export async function indexesOf(collection: Collection, options: object = {}): Promise<IndexDescriptionInfo[]> {
  try {
    // Not `toArray()`, whose type is not known.
    const found: IndexDescriptionInfo[] = [];
    for await (const index of collection.listIndexes(options)) found.push(index as IndexDescriptionInfo);
    return found;
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === NAMESPACE_NOT_FOUND) return [];
    throw error;
  }
}

/** @returns whether an index lets each value of a property be in one document at most */
export function isUniqueBy(found: readonly IndexDescriptionInfo[], name: string): boolean {
  return found.some(({ key, unique, partialFilterExpression }) => {
    return unique === true && partialFilterExpression === undefined && isDeepStrictEqual(Object.keys(key), [name]);
  });
}

/** The order of the keys counts, but in an index for text, which keeps its paths as weights. */
function sameKey(found: IndexDescriptionInfo, { key }: IndexDescription): boolean {
  const declared: [string, unknown][] = Object.entries(key instanceof Map ? Object.fromEntries(key) : key);
  const weights: unknown = Reflect.get(found, 'weights');
  if (typeof weights !== 'object' || weights === null) return isDeepStrictEqual(Object.entries(found.key), declared);
  const paths = declared.filter(([, kind]) => kind === 'text').map(([path]) => path);
  return paths.length > 0 && isDeepStrictEqual(Object.keys(weights).sort(), paths.sort());
}

/** What is left out of a collation is this, whatever its locale is; of what else is left out each locale has its own. */
const COLLATED: Document = { strength: 3, caseLevel: false, numericOrdering: false };

/**
 * Two indexes with the same key and another collation are two indexes.
 *
 * @param ofCollection the collation that an index has which declares none
 */
function sameCollation(found: IndexDescriptionInfo, declared: IndexDescription, ofCollection: CollationOptions | undefined): boolean {
  const [is, wanted] = [comparing(collationOf(found)), comparing(declared.collation ?? ofCollection)];
  if (is === undefined || wanted === undefined) return is === wanted;
  // The version is that of the server's rules.
  return Object.entries(wanted).every(([name, value]) => name === 'version' || is[name] === value);
}

function comparing(collation: CollationOptions | undefined): Document | undefined {
  return collation === undefined || collation.locale === 'simple' ? undefined : { ...COLLATED, ...collation };
}

/** The server tells it of each index; the driver does not declare it. */
function collationOf(found: IndexDescriptionInfo | undefined): CollationOptions | undefined {
  return (found as IndexDescription | undefined)?.collation;
}

function differingOptions(declared: IndexDescription, found: IndexDescriptionInfo): string[] {
  return Object.entries(MEANING)
    .filter(([name, absent]) => {
      const wanted: unknown = Reflect.get(declared, name);
      // What the server fills in by itself is not asked for.
      if (wanted === undefined && name !== 'unique' && name !== 'sparse' && name !== 'expireAfterSeconds' && name !== 'hidden') {
        return (name === 'partialFilterExpression' || name === 'wildcardProjection') && Reflect.get(found, name) !== undefined;
      }
      return !isDeepStrictEqual(wanted ?? absent, Reflect.get(found, name) ?? absent);
    })
    .map(([name]) => name);
}

/** Says in sentences what is not as declared, and how to mend it; none when all is. */
export function indexSentences({ namespace, missing, different, undeclared }: IndexReport): string[] {
  const keyOf = ({ key }: { readonly key: unknown }): string => JSON.stringify(key instanceof Map ? Object.fromEntries(key) : key);
  const sentences = [
    ...missing.map((index) => `${namespace} has no index ${keyOf(index)}: create it, or let the service do so with createIndexes: true.`),
    ...different.map(
      ({ declared, found, options }) =>
        `The index '${String(found.name)}' of ${namespace} is not as declared for ${keyOf(declared)} (${options.join(', ')}): drop it and create it again.`,
    ),
  ];
  if (undeclared.length > 0) {
    sentences.push(
      `${namespace} has indexes that its service does not declare: ${undeclared.map((index) => String(index.name)).join(', ')}. Each of them slows writes down.`,
    );
  }
  return sentences;
}

import { toNumber } from '../bson/arithmetic.ts';
import { collatorFor, type Collator } from '../bson/collation.ts';
import { sameValue } from '../bson/same-value.ts';
import { type Doc, isDocument, isNumber, own, type Value } from '../bson/values.ts';
import { DocDbError } from '../errors.ts';
import { type DocumentKeys, documentKeys } from '../query/document-keys.ts';
import { compileFilter, type Predicate } from '../query/matcher.ts';
import { pathValues } from '../query/path-values.ts';
import { beforeArrays, compareKeys } from '../query/sort.ts';
import { checkIndexedWords, indexedWords, TEXT_LANGUAGES, textLanguage, type TextRules } from '../query/text.ts';
import { checkPlaces, type GeoField, geoFields, placesOf } from './geo-fields.ts';
import { indexKey, type IndexKey, type KeyOrder } from './keys/index-key.ts';
import { isWildcard, pathsInWildcard } from './wildcard-fields.ts';
import { wildcardKeys } from './wildcard-keys.ts';

/** One field of an index. */
export interface IndexField {
  readonly name: string;
  readonly path: readonly string[];
  readonly direction: 1 | -1;
}

/** What is found out about an index while documents are written: never taken back. */
export interface IndexFacts {
  /** Whether some document has an array in an indexed field. */
  multikey: boolean;
  /** Whether some key does not tell its values apart. */
  coarse: boolean;
}

/** How often queries have used an index since the server knows it. */
export interface IndexUsage {
  operations: number;
  readonly since: Date;
}

/** An index of a collection: what it holds of a document, and how its keys are ordered. */
export class IndexDefinition implements KeyOrder {
  /** Begins its keys. */
  readonly number: number;
  readonly spec: Doc;
  readonly name: string;
  readonly fields: readonly IndexField[];
  readonly directions: readonly (1 | -1)[];
  readonly unique: boolean;
  readonly sparse: boolean;
  readonly partial: Predicate | undefined;
  readonly collator: Collator | undefined;
  /** What a text index holds. */
  readonly text: TextRules | undefined;
  /** Whether all documents are in it; before, it is written and not read. */
  readonly ready: boolean;
  readonly facts: IndexFacts;
  readonly usage: IndexUsage;
  /** Fields that hold places; such an index refuses what is none, and has no keys. */
  readonly geo: readonly GeoField[];
  /** Makes the keys of an index of places, words or all fields, which are not the values of fields of its own. */
  readonly #derived: ((doc: Doc) => DocumentKeys) | undefined;
  /** Whether an index of all fields has the values of a path. */
  readonly holdsPath: (path: string) => boolean;
  readonly #paths: readonly (readonly string[])[];
  /** The fields beside a wildcard. */
  readonly #beside: readonly (readonly string[])[];

  constructor(
    number: number,
    spec: Doc,
    ready = true,
    facts: IndexFacts = { multikey: false, coarse: false },
    usage: IndexUsage = { operations: 0, since: new Date() },
  ) {
    this.number = number;
    this.spec = spec;
    this.ready = ready;
    this.facts = facts;
    this.usage = usage;
    this.name = spec.name as string;
    const key = spec.key as Doc;
    this.text = textRules(key, spec);
    this.geo = geoFields(key, spec);
    const special = this.text !== undefined || this.geo.length > 0 || isWildcard(key);
    this.fields = special ? [] : Object.keys(key).map((name) => ({ name, path: name.split('.'), direction: direction(key[name]) }));
    this.collator = collatorFor(spec.collation);
    this.holdsPath = pathsInWildcard(spec);
    this.#derived = special ? this.#derivation() : undefined;
    this.directions = this.#derived ? DERIVED : this.fields.map((field) => field.direction);
    this.#paths = this.text ? textPaths(this.text) : (this.geo.length > 0 ? this.geo : this.fields).map((field) => field.path);
    this.#beside = isWildcard(key)
      ? Object.keys(key)
          .filter((name) => !isWildcard({ [name]: 1 }))
          .map((name) => name.split('.'))
      : [];
    this.unique = spec.unique === true || this.isId;
    this.sparse = spec.sparse === true;
    this.partial = isDocument(spec.partialFilterExpression)
      ? compileFilter(spec.partialFilterExpression, { collator: this.collator })
      : undefined;
  }

  #derivation(): ((doc: Doc) => DocumentKeys) | undefined {
    const { text } = this;
    const place = this.geo.find(({ kind }) => kind === '2dsphere');
    if (text) return (doc) => ({ keys: Array.from(indexedWords(doc, text), (word) => [word]), multikey: false });
    if (place) return (doc) => ({ keys: placesOf(doc, place).map((cell) => [cell]), multikey: false });
    // Collated paths would hide the values behind them.
    if (this.geo.length > 0 || this.collator) return undefined;
    return (doc) => wildcardKeys(doc, this.holdsPath);
  }

  /** Whether its keys are places, words or paths. */
  get isDerived(): boolean {
    return this.#derived !== undefined;
  }

  /**
   * The keys by which a document is found; for most indexes those that are its own.
   *
   * @throws DocDbError as {@link valuesOf}
   */
  keysOf(doc: Doc): readonly (readonly Value[])[] {
    const plain = this.valuesOf(doc);
    if (!this.#derived || (this.partial && !this.partial(doc))) return plain;
    const { keys, multikey } = this.#derived(doc);
    if (multikey) this.facts.multikey = true;
    return keys;
  }

  get isId(): boolean {
    return this.name === '_id_';
  }

  /** Whether its keys are the values of its fields. */
  get isOfValues(): boolean {
    return this.fields.length > 0 && !Object.values(this.spec.key as Doc).includes('hashed');
  }

  /** Whether no two documents may get the same key from now on. */
  get refusesDuplicates(): boolean {
    return this.unique || this.spec.prepareUnique === true;
  }

  /** Whether its order is the order of values. */
  get ordered(): boolean {
    return !this.facts.coarse && !this.facts.multikey;
  }

  /** @returns the same index with other options, or ready */
  with(spec: Doc, ready: boolean = this.ready): IndexDefinition {
    return new IndexDefinition(this.number, spec, ready, this.facts, this.usage);
  }

  /**
   * The keys of a document as values; none when the index leaves it out.
   *
   * @throws DocDbError (171, 17261, 17262, 7246301) for arrays in two fields, and what else it can not hold
   */
  valuesOf(doc: Doc): readonly (readonly Value[])[] {
    if (this.partial && !this.partial(doc)) return [];
    for (const field of this.geo) checkPlaces(doc, field);
    if (this.text) checkLanguage(doc, this.text);
    if (this.#beside.length > 0 && documentKeys(doc, this.#beside).multikey)
      throw new DocDbError(7246301, `The fields beside the wildcard of index ${this.name} may not hold arrays`);
    if (this.fields.length === 0) return [];
    const { keys, multikey } = documentKeys(doc, this.#paths);
    if (this.sparse && keys.every((key) => key.every((value) => value === undefined))) return [];
    if (multikey) this.facts.multikey = true;
    return keys;
  }

  /**
   * Looks at a document that it is to hold from now on; what it holds already stays.
   *
   * @throws DocDbError (16766) for a list on the way to a value of which it has the hash, and 16733 for too many words
   */
  admit(doc: Doc): void {
    const hashed = this.fields.find(({ name }) => (this.spec.key as Doc)[name] === 'hashed');
    if ((!hashed && !this.text) || (this.partial && !this.partial(doc))) return;
    if (this.text) checkIndexedWords(doc, this.text);
    if (hashed && Array.isArray(beforeArrays(doc, hashed.path)))
      throw new DocDbError(16766, `hashed indexes do not currently support array values: ${hashed.name} of index ${this.name}`);
  }

  /** @returns whether it has a document that is in its collection; of the keys of places, words and paths the filter decides */
  holds(doc: Doc): boolean {
    if (this.partial && !this.partial(doc)) return false;
    return !this.sparse || this.fields.length === 0 || this.valuesOf(doc).length > 0;
  }

  /** @returns whether an index of places has a document: those without any place are not in it */
  holdsPlace(doc: Doc): boolean {
    if (!this.holds(doc)) return false;
    return this.geo.some(({ path }) =>
      pathValues(doc, path).some((value) => value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0)),
    );
  }

  /** @returns whether a change of a document leaves its keys as they are, as far as that can be seen at once */
  isUntouched(before: Doc, after: Doc): boolean {
    return !this.partial && this.#paths.length > 0 && this.#paths.every(([first = '']) => sameValue(own(before, first), own(after, first)));
  }

  /** @returns the bytes of one key */
  keyOf(values: readonly Value[]): IndexKey {
    const key = indexKey(values, this);
    if (key.coarse) this.facts.coarse = true;
    return key;
  }

  /** @returns whether two keys are equal, text by the collation of the index */
  sameKey(a: readonly Value[], b: readonly Value[]): boolean {
    return this.fields.every((_field, at) => compareKeys(a[at], b[at], this.collator) === 0);
  }
}

/** Derived keys are one after the other in one direction. */
const DERIVED: readonly (1 | -1)[] = [1, 1];

/** Paths that the words of a document come from; none where they come from everywhere. */
function textPaths({ weights, override }: TextRules): readonly (readonly string[])[] {
  const names = Object.keys(weights);
  return names.includes('$**') ? [] : [...names, override].map((name) => name.split('.'));
}

function direction(value: Value): 1 | -1 {
  return value === 'hashed' || Number(String(value)) >= 0 ? 1 : -1;
}

/** The names of the fields of a text index are with their weights; its key says only where they are. */
function textRules(key: Doc, spec: Doc): TextRules | undefined {
  if (!Object.values(key).includes('text')) return undefined;
  const given = isDocument(spec.weights) ? spec.weights : {};
  const { default_language: language, language_override: override } = spec;
  return {
    weights: Object.fromEntries(Object.keys(given).map((name) => [name, isNumber(given[name]) ? toNumber(given[name]) : 1])),
    language: (typeof language === 'string' ? textLanguage(language) : undefined) ?? 'english',
    override: typeof override === 'string' ? override : 'language',
  };
}

/** @throws DocDbError (17261, 17262) for a document that names a language that is not offered */
function checkLanguage(doc: Doc, { override }: TextRules): void {
  const named = own(doc, override);
  if (named === undefined) return;
  if (typeof named !== 'string') throw new DocDbError(17261, 'found language override field in document with non-string type');
  if (!textLanguage(named)) throw new DocDbError(17262, `language override unsupported: ${named}; ${TEXT_LANGUAGES}`);
}

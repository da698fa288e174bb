import { OWN_DATABASES } from './own-databases.ts';
import { collatorFor, fullCollation, type Collator } from '../bson/collation.ts';
import { type Doc, isDocument } from '../bson/values.ts';
import { isOn } from '../declarations/field.ts';
import { DocDbError } from '../errors.ts';
import { filterWith } from '../aggregation/filter-with.ts';
import { explainFilter } from '../query/failed-filter.ts';
import type { Predicate } from '../query/matcher.ts';
import { roughSize } from '../spill/rough-size.ts';
import { checkDatabaseName } from './database-name.ts';
import { IndexDefinition } from './index-definition.ts';
import { IndexFilters } from './index-filters.ts';

/** Bytes of the reasons why a validator refuses a document. */
const MOST_DETAILS = 2 ** 20;

/** What a collection is, at a moment: frozen. A change of the catalogue makes another one. */
export class Collection {
  /** Begins the keys of its documents. */
  readonly number: number;
  /** Database and name. */
  readonly ns: string;
  readonly uuid: string;
  readonly options: Doc;
  readonly indexes: ReadonlyMap<string, IndexDefinition>;
  readonly collator: Collator | undefined;
  /** Which indexes queries may use; the same for all that the collection becomes. */
  readonly indexFilters: IndexFilters;
  readonly #validator: Predicate | undefined;

  constructor(
    number: number,
    ns: string,
    uuid: string,
    options: Doc,
    indexes: Iterable<IndexDefinition>,
    indexFilters: IndexFilters = new IndexFilters(),
  ) {
    this.number = number;
    this.ns = ns;
    this.uuid = uuid;
    this.options = options;
    this.indexes = new Map([...indexes].map((index) => [index.name, index]));
    this.collator = collatorFor(options.collation);
    this.indexFilters = indexFilters;
    const { validator, validationLevel } = options;
    if (isDocument(validator) && validationLevel !== 'off') this.#validator = this.#filter(validator);
  }

  #filter(filter: Doc): Predicate {
    return filterWith(filter, { collator: this.collator, names: new Set() }, {});
  }

  /** @returns the same collection, changed */
  with({ ns = this.ns, options = this.options, indexes = this.indexes.values() }: Partial<CollectionChange>): Collection {
    return new Collection(this.number, ns, this.uuid, options, indexes, this.indexFilters);
  }

  get isView(): boolean {
    return this.options.viewOn !== undefined;
  }

  /** Whether it is being filled to take the place of another: nobody is shown it, and a crash leaves it behind. */
  get isTemporary(): boolean {
    return this.options.temp === true;
  }

  /** Whether it has bounds, and gives up its oldest documents. */
  get isCapped(): boolean {
    return isOn(this.options.capped);
  }

  /** Whether change streams may show its documents as they were before and after a change. */
  get keepsImages(): boolean {
    const { changeStreamPreAndPostImages: images } = this.options;
    return isDocument(images) && images.enabled === true;
  }

  /** Whether its documents are in the order of their ids. */
  get isClustered(): boolean {
    return isDocument(this.options.clusteredIndex);
  }

  /** How many indexes it shows: the order of a clustered collection is none of them. */
  get indexCount(): number {
    return this.indexes.size - (this.isClustered ? 1 : 0);
  }

  /** The index of ids; every collection has it. */
  get ids(): IndexDefinition {
    return this.indexes.get('_id_') as IndexDefinition;
  }

  /**
   * Checks a document against the collection's validator.
   *
   * @param before the document that it takes the place of: a moderate validator leaves alone what did not fit before
   * @returns the error (121) of one that does not fit
   */
  refusal(doc: Doc, before?: Doc): DocDbError | undefined {
    if (!this.#validator || this.#validator(doc)) return undefined;
    if (before && this.options.validationLevel === 'moderate' && !this.#validator(before)) return undefined;
    const details = explainFilter(this.options.validator as Doc, doc, (filter) => this.#filter(filter)(doc));
    const { operatorName } = details;
    return new DocDbError(121, 'Document failed validation', {
      errInfo: {
        failingDocumentId: doc._id,
        details: roughSize(details) > MOST_DETAILS ? { operatorName, reason: 'the details are too large to be told' } : details,
      },
    });
  }
}

/** What of a collection may change. */
export interface CollectionChange {
  readonly ns: string;
  readonly options: Doc;
  readonly indexes: Iterable<IndexDefinition>;
}

/** @returns the specification of the index of ids */
export function idIndexSpec(options: Doc): Doc {
  const { collation } = options;
  const collated = isDocument(collation) && collatorFor(collation) !== undefined;
  return { v: 2, key: { _id: 1 }, name: '_id_', ...(collated ? { collation: fullCollation(collation) } : {}) };
}

/** Collections of the system that anybody may write to. */
const WRITABLE: ReadonlySet<string> = new Set(['system.users', 'system.js']);

/** @throws DocDbError (73) for collections that a client does not write to */
export function checkWritable(ns: string): void {
  const dot = ns.indexOf('.');
  const name = ns.slice(dot + 1);
  if (!name.startsWith('system.') || WRITABLE.has(name)) return;
  if (name === 'system.profile' || name === 'system.views' || !OWN_DATABASES.has(ns.slice(0, dot)))
    throw new DocDbError(73, `cannot write to ${ns}`);
}

/** @throws DocDbError (73) for names that a collection can not have */
export function checkNamespace(ns: string): void {
  const dot = ns.indexOf('.');
  const database = ns.slice(0, dot);
  const name = ns.slice(dot + 1);
  if (dot <= 0 || name === '' || name.startsWith('.') || name.includes('\0') || ns.includes('$'))
    throw new DocDbError(73, `Invalid namespace specified '${ns}'`);
  checkDatabaseName(database);
  if (Buffer.byteLength(ns) > 255)
    throw new DocDbError(73, `Fully qualified namespace is too long. Namespace: ${ns.slice(0, 60)}… Max: 255`);
}

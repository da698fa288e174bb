import { type Collator, sameCollation } from '../bson/collation.ts';
import type { Doc, Value } from '../bson/values.ts';
import { badValue } from '../errors.ts';
import { queryShape, type ShapedQuery } from '../query/query-shape.ts';

/** Shapes that a collection keeps filters for. */
const MOST_SHAPES = 1000;

/** Which indexes the queries of one shape may use. */
export interface IndexFilter {
  /** The query that the shape was given by. */
  readonly example: Doc;
  readonly collator: Collator | undefined;
  /** Keys of indexes, or their names. */
  readonly indexes: readonly Value[];
}

/** A query as index filters tell queries apart. */
export interface FilteredQuery extends ShapedQuery {
  readonly collator: Collator | undefined;
}

/** The index filters of one collection: kept in memory, and gone when the server ends, as MongoDB has them. */
export class IndexFilters {
  readonly #byShape = new Map<string, IndexFilter[]>();

  /** Whether there is none. */
  get isEmpty(): boolean {
    return this.#byShape.size === 0;
  }

  /** All of them, in the order in which their shapes came. */
  list(): IndexFilter[] {
    return [...this.#byShape.values()].flat();
  }

  /**
   * Puts a filter in the place of the one that its shape had.
   *
   * @throws BadValue (2) when there are too many
   */
  set(query: FilteredQuery, filter: IndexFilter): void {
    const shape = queryShape(query);
    if (this.#byShape.size >= MOST_SHAPES && !this.#byShape.has(shape))
      throw badValue(`a collection has index filters for ${String(MOST_SHAPES)} shapes of queries at most`);
    this.#byShape.set(shape, [...this.#others(shape, query.collator), filter]);
  }

  /** Takes the filter of a shape away, if it has one. */
  delete(query: FilteredQuery): void {
    const shape = queryShape(query);
    const others = this.#others(shape, query.collator);
    if (others.length === 0) this.#byShape.delete(shape);
    else this.#byShape.set(shape, others);
  }

  /** Takes all away. */
  clear(): void {
    this.#byShape.clear();
  }

  /** @returns the filter of a query's shape */
  of(query: FilteredQuery): IndexFilter | undefined {
    if (this.isEmpty) return undefined;
    return this.#byShape.get(queryShape(query))?.find(({ collator }) => sameCollation(collator, query.collator));
  }

  #others(shape: string, collator: Collator | undefined): IndexFilter[] {
    return (this.#byShape.get(shape) ?? []).filter((filter) => !sameCollation(filter.collator, collator));
  }
}

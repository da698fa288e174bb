import type { Collator } from '../bson/collation.ts';
import { compare } from '../bson/compare.ts';
import { copyOf } from '../bson/fields.ts';
import { hashKey } from '../bson/hash-key.ts';
import { toNumber } from '../bson/arithmetic.ts';
import { type Doc, isDocument, isNumber, toDouble, type Value } from '../bson/values.ts';
import { compareAll, parseSort, type SortKey, sortKeysOf } from '../query/sort.ts';
import { metadataOf, sortedMeta, withMetadata } from './metadata.ts';

/** What is added to each rank: the first documents of a ranking differ less by it. */
const RANK_CONSTANT = 60;
const BY_DISTANCE = parseSort({ distance: { $meta: 'geoNearDistance' } });
const HOW = `sum of weight / (${String(RANK_CONSTANT)} + rank), over the pipelines that the document is in`;

/** One of the pipelines whose documents are ranked. */
interface Ranking {
  readonly name: string;
  readonly stages: readonly Value[];
  readonly weight: number;
  /** What its documents are in the order of: those that are alike in it have one rank. */
  readonly keys: readonly SortKey[];
}

interface Place {
  readonly rank: number;
  /** What a search by words found out. */
  readonly score: Value;
}

interface Ranked {
  readonly doc: Doc;
  readonly places: Map<Ranking, Place>;
}

/** Rankings of documents, and the one that they are put together to. */
export class RankFusion {
  readonly rankings: readonly Ranking[];
  readonly #details: boolean;
  readonly #collator: Collator | undefined;

  /** @param operand that of the stage, whose pipelines were checked too */
  constructor(operand: Value, collator: Collator | undefined) {
    const { combination, scoreDetails } = operand as Doc;
    const weights = isDocument(combination) ? (combination.weights as Doc) : {};
    this.#collator = collator;
    this.#details = scoreDetails === true;
    // Sums of fractions depend on the order of what is added.
    this.rankings = pipelinesOf(operand)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, pipeline]) => {
        const stages = pipeline as readonly Value[];
        const weight = weights[name];
        return { name, stages, weight: isNumber(weight) ? toNumber(weight) : 1, keys: keysOf(stages) };
      });
  }

  /**
   * Puts rankings together.
   *
   * @param found the documents of each ranking, in its order
   * @returns each document once, those with the highest score first
   */
  fuse(found: readonly (readonly Doc[])[]): Doc[] {
    const all = new Map<string, Ranked>();
    for (const [at, ranking] of this.rankings.entries())
      for (const [doc, place] of this.#ranked(found[at] ?? [], ranking)) {
        const key = hashKey(doc._id);
        const known = all.get(key) ?? { doc, places: new Map() };
        if (!known.places.has(ranking)) known.places.set(ranking, place);
        all.set(key, known);
      }
    const scored = [...all.values()].map((ranked) => ({ ...ranked, score: this.#scoreOf(ranked) }));
    scored.sort((a, b) => compare(b.score, a.score) || compare(a.doc._id, b.doc._id, this.#collator));
    return scored.map(({ doc, places, score }) => {
      const value = toDouble(score);
      // What the pipelines found out says nothing of all of them.
      return withMetadata(copyOf(doc), { score: value, ...(this.#details ? { scoreDetails: this.#detailsOf(places, value) } : {}) });
    });
  }

  *#ranked(docs: readonly Doc[], { keys }: Ranking): Generator<[Doc, Place]> {
    let rank = 0;
    let before: readonly Value[] | undefined;
    for (const [at, doc] of docs.entries()) {
      const values = sortKeysOf(doc, keys, this.#collator, sortedMeta);
      if (!before || compareAll(before, values, keys, this.#collator) !== 0) rank = at + 1;
      before = values;
      yield [doc, { rank, score: metadataOf(doc)?.textScore }];
    }
  }

  #scoreOf({ places }: Ranked): number {
    let sum = 0;
    for (const ranking of this.rankings) {
      const place = places.get(ranking);
      if (place) sum += (1 / (place.rank + RANK_CONSTANT)) * ranking.weight;
    }
    return sum;
  }

  #detailsOf(places: ReadonlyMap<Ranking, Place>, value: Value): Doc {
    const details = this.rankings.map((ranking): Doc => {
      const place = places.get(ranking);
      const named = { inputPipelineName: ranking.name, rank: place?.rank ?? 'NA', weight: toDouble(ranking.weight) };
      if (!place) return named;
      return { ...named, ...(place.score === undefined ? {} : { value: place.score }), details: [] };
    });
    return { value, description: HOW, details };
  }
}

/** @returns the pipelines of a stage by their names */
export function pipelinesOf(operand: Value): [string, Value][] {
  const { input } = operand as Doc;
  return Object.entries((input as Doc).pipelines as Doc);
}

function keysOf(stages: readonly Value[]): readonly SortKey[] {
  const sort = stages.findLast((stage) => isDocument(stage) && isDocument(stage.$sort)) as Doc | undefined;
  return sort ? parseSort(sort.$sort as Doc) : BY_DISTANCE;
}

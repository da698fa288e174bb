import type { Collator } from '../bson/collation.ts';
import { compare } from '../bson/compare.ts';
import type { Doc, Value } from '../bson/values.ts';
import { DocDbError } from '../errors.ts';
import { compareAll, type SortKey } from '../query/sort.ts';
import { MEMORY } from '../spill/memory.ts';
import { roughSize } from '../spill/rough-size.ts';
import type { Evaluate } from './expression.ts';
import type { StageInSteps, Vars } from './pipeline-types.ts';

/** Documents that are looked at, made or passed on before others get their turn. */
export const STEP = 200;

/** A document, and what an expression made of it: that may be another thing each time. */
export interface Keyed {
  readonly doc: Doc;
  readonly key: Value;
}

/** Documents a few at a time; steps may be empty. */
export type Rows = Iterable<Doc[]>;

/** One run of a stage that needs its documents in an order. */
export interface OrderedRun {
  /** @returns nothing for a document that is passed on as it is, before all others */
  keyed(doc: Doc): Keyed | undefined;
  /**
   * What becomes of the documents, in their order.
   *
   * @param count of the documents
   */
  results(sorted: Iterable<Keyed>, count: number): Rows;
}

/** A stage that needs its documents in an order: by their keys, and then by values of the documents. */
export interface InOrder {
  readonly directions: readonly Pick<SortKey, 'direction'>[];
  readonly collator: Collator | undefined;
  /** How many of the first ones it needs. Default: all. */
  readonly most?: number;
  /** The values of a document that follow its key. */
  valuesOf(doc: Doc): readonly Value[];
  begin(vars: Vars): OrderedRun;
}

/** @returns what a document is sorted by */
export function orderOf(order: InOrder, { doc, key }: Keyed): readonly Value[] {
  return [key, ...order.valuesOf(doc)];
}

/** @returns the stage, which has all of its documents at once where it is inside of another one */
export function stageInOrder(inOrder: InOrder): StageInSteps {
  return {
    inOrder,
    run(docs, vars) {
      const run = inOrder.begin(vars);
      const passed: Doc[] = [];
      const rows: { readonly row: Keyed; readonly values: readonly Value[] }[] = [];
      for (const doc of docs) {
        const row = run.keyed(doc);
        if (row) rows.push({ row, values: orderOf(inOrder, row) });
        else passed.push(doc);
      }
      rows.sort((a, b) => compareAll(a.values, b.values, inOrder.directions, inOrder.collator));
      const needed = rows.slice(0, inOrder.most).map(({ row }) => row);
      const made = run.results(needed, rows.length);
      for (const step of made) for (const doc of step) passed.push(doc);
      return passed;
    },
  };
}

/** @returns the key by which documents are divided. @throws DocDbError (14) for a list */
export function divisionKey(root: Doc, vars: Vars, by: Evaluate): Value {
  const key = by({ root, vars });
  if (Array.isArray(key)) throw new DocDbError(14, 'An expression used to partition cannot evaluate to value of type array');
  return key ?? null;
}

/**
 * What becomes of the documents of each division: those with the same key.
 *
 * @param name of the stage
 * @throws DocDbError (292) for a division that memory has no room for
 */
export function* eachDivision(
  sorted: Iterable<Keyed>,
  { name, collator }: { readonly name: string; readonly collator: Collator | undefined },
  results: (members: readonly Doc[]) => Rows,
): Generator<Doc[], void> {
  let members: Doc[] = [];
  let bytes = 0;
  let before: Value;
  for (const { doc, key } of sorted) {
    if (members.length > 0 && compare(before, key, collator) !== 0) {
      yield* results(members);
      members = [];
      bytes = 0;
    }
    before = key;
    bytes += roughSize(doc);
    checkKept(name, bytes);
    if (members.push(doc) % STEP === 0) yield [];
  }
  if (members.length > 0) yield* results(members);
}

/** @throws DocDbError (292) for a stage that keeps more than memory has room for */
export function checkKept(name: string, bytes: number, most: number = MEMORY): void {
  if (bytes <= most) return;
  const mending = 'Put a $match or a $project before it';
  throw new DocDbError(292, `${name} would have to keep more than ${String(most)} bytes in memory. ${mending}`);
}

/** @returns documents that are made one by one, a few at a time */
export function* inSteps(docs: Iterable<Doc>): Generator<Doc[], void> {
  let step: Doc[] = [];
  for (const doc of docs) {
    if (step.push(doc) < STEP) continue;
    yield step;
    step = [];
  }
  if (step.length > 0) yield step;
}

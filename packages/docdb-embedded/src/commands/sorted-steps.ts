import { type InOrder, type Keyed, orderOf, STEP } from '../aggregation/in-order.ts';
import { metadataOf, shownSortKey, sortedMeta, withMetadata } from '../aggregation/metadata.ts';
import { decode } from '../bson/decode.ts';
import { encode } from '../bson/encode.ts';
import type { Doc, Value } from '../bson/values.ts';
import { type SortKey, sortKeysOf } from '../query/sort.ts';
import { MEMORY } from '../spill/memory.ts';
import { roughSize } from '../spill/rough-size.ts';
import { type Sortable, Sorter, type SortOrder } from '../spill/sorter.ts';
import type { PipelineRun, Steps } from './pipeline-steps.ts';

/** An order, and whether the values that documents are sorted by are noted. */
interface NotedOrder extends SortOrder {
  readonly keys: readonly SortKey[];
  readonly shown: boolean;
}

/** A document goes to the disk with what a search found out about it behind it. */
function writeDescribed(doc: Doc): Buffer {
  const metadata = metadataOf(doc);
  return metadata ? Buffer.concat([encode(doc), encode({ ...metadata })]) : encode(doc);
}

function readDescribed(bytes: Buffer): Doc {
  const end = bytes.readInt32LE(0);
  const doc = decode(bytes.subarray(0, end));
  return end === bytes.length ? doc : withMetadata(doc, decode(bytes.subarray(end)));
}

/** What a key is beside its document goes before it. */
function keyedForm(inOrder: InOrder): Sortable<Keyed> {
  return {
    keysOf: (row) => orderOf(inOrder, row),
    sizeOf: ({ doc, key }) => roughSize(doc) + roughSize(key),
    write: ({ doc, key }) => Buffer.concat([encode({ key }), writeDescribed(doc)]),
    read(bytes) {
      const end = bytes.readInt32LE(0);
      return { key: decode(bytes.subarray(0, end)).key, doc: readDescribed(bytes.subarray(end)) };
    },
  };
}

/** Documents for a stage that needs them in an order, and what that makes of them. */
export async function* ordered(steps: Steps, inOrder: InOrder, { vars, operation, memory }: PipelineRun): AsyncGenerator<Doc[], void> {
  const { directions: keys, collator, most = Infinity } = inOrder;
  const run = inOrder.begin(vars);
  // What becomes of them is worked out in memory anyway, mostly: the disk is for what would be refused otherwise.
  const sorter = new Sorter(keyedForm(inOrder), { keys, collator, most }, { limit: MEMORY, ...memory });
  let count = 0;
  try {
    for await (const docs of steps) {
      const passed: Doc[] = [];
      const rows: Keyed[] = [];
      operation.during(() => {
        for (const doc of docs) {
          const row = run.keyed(doc);
          if (row) rows.push(row);
          else passed.push(doc);
        }
      });
      count += rows.length;
      if (passed.length > 0) yield passed;
      for (const _turn of operation.stepping(sorter.add(rows))) await operation.turn();
      await operation.turn();
    }
    for (const made of operation.stepping(run.results(sorter.sorted(), count))) {
      if (made.length > 0) yield made;
      await operation.turn();
    }
  } finally {
    sorter.close();
  }
}

/** Documents in an order. */
export async function* sorted(steps: Steps, order: NotedOrder, { operation, memory }: PipelineRun): AsyncGenerator<Doc[], void> {
  const keysOf = (doc: Doc): readonly Value[] => sortKeysOf(doc, order.keys, order.collator, sortedMeta);
  const form: Sortable<Doc> = { keysOf, sizeOf: roughSize, write: writeDescribed, read: readDescribed };
  const sorter = new Sorter(form, order, memory);
  const noted = (doc: Doc): Doc => withMetadata(doc, { sortKey: shownSortKey(doc, order.keys, order.collator, sortedMeta) });
  try {
    for await (const docs of steps) {
      for (const _turn of operation.stepping(sorter.add(docs))) await operation.turn();
      await operation.turn();
    }
    let step: Doc[] = [];
    for (const doc of sorter.sorted()) {
      if (step.push(order.shown ? noted(doc) : doc) < STEP && !operation.isLong) continue;
      yield step;
      step = [];
      await operation.turn();
    }
    if (step.length > 0) yield step;
  } finally {
    sorter.close();
  }
}

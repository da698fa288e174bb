import { UUID } from 'bson';
import { isOn } from '../declarations/field.ts';
import { DocDbError } from '../errors.ts';
import type { Collection } from '../storage/collection.ts';
import { EntrySum } from '../storage/entry-sum.ts';
import type { IndexDefinition } from '../storage/index-definition.ts';
import type { Reader } from '../storage/reader.ts';
import { type Command, type CommandContext, namespace } from './command.ts';
import { readingOf } from './query-command.ts';

/** Options of `validate` of which only one may be on. */
const APART = [
  ['background', 'full'],
  ['background', 'enforceFastCount'],
  ['background', 'repair'],
  ['enforceFastCount', 'repair'],
] as const;
/** What is told of at most. */
const MOST_ERRORS = 100;
/** Documents that are looked for in indexes by one state. */
const STEP = 1000;

/** `validate`: looks whether each index leads to the documents and to nothing else. */
export const validate: Command = async (context) => {
  const ns = namespace(context);
  const { command } = context;
  for (const [one, other] of APART)
    if (isOn(command[one]) && isOn(command[other]))
      throw new DocDbError(72, `Running the validate command with both { ${one}: true } and { ${other}: true } is not supported.`);
  const reading = readingOf(context);
  try {
    const { reader } = reading;
    const collection = reader.collection(ns);
    if (!collection) throw new DocDbError(26, `Collection '${ns}' does not exist to validate.`);
    if (collection.isView) throw new DocDbError(166, `Cannot validate a view: ${ns} keeps no documents`);
    const { count, wanted } = await wantedEntries(context, reader, collection);
    const errors: string[] = [];
    let isMissed = false;
    for (const [index, keys] of wanted) {
      const found = new EntrySum();
      for (const { key, record } of reader.entriesOf(index)) {
        found.add(key, record);
        await context.operation.turn();
      }
      if (found.equals(keys)) continue;
      isMissed = true;
      errors.push(
        found.count === keys.count
          ? `${index.name} has entries that lead to no key of their documents`
          : `${index.name} has ${String(found.count)} entries for ${String(keys.count)} keys`,
      );
    }
    if (isMissed) errors.unshift(...(await documentsMissed(context, ns)));
    const { count: nrecords } = reader.sizeOf(collection);
    if (count !== nrecords) errors.push(`there are ${String(count)} documents, and ${String(nrecords)} were counted`);
    const indexes = [...collection.indexes.values()];
    const counts = {
      nInvalidDocuments: 0,
      nNonCompliantDocuments: 0,
      nrecords,
      keysPerIndex: Object.fromEntries(indexes.map((index) => [index.name, wanted.get(index)?.count ?? 0])),
    };
    return {
      ns,
      uuid: new UUID(collection.uuid),
      ...(isOn(command.metadata) ? {} : counts),
      nIndexes: collection.indexCount,
      indexDetails: Object.fromEntries(indexes.map(({ name, spec }) => [name, { valid: true, spec }])),
      valid: errors.length === 0,
      repaired: false,
      repairMode: 'None',
      warnings: [],
      errors: errors.slice(0, MOST_ERRORS),
      extraIndexEntries: [],
      missingIndexEntries: [],
      corruptRecords: [],
    };
  } finally {
    reading.release();
  }
};

/** One that is being built has some entries and lacks others. */
function builtIndexes(collection: Collection): IndexDefinition[] {
  return [...collection.indexes.values()].filter(({ ready }) => ready);
}

/** @returns how many documents there are, and the entries that each index should have for them */
async function wantedEntries(
  { operation }: CommandContext,
  reader: Reader,
  collection: Collection,
): Promise<{ readonly count: number; readonly wanted: ReadonlyMap<IndexDefinition, EntrySum> }> {
  const wanted = new Map(builtIndexes(collection).map((index) => [index, new EntrySum()]));
  let count = 0;
  for (const { doc, record } of reader.scan(collection, false)) {
    count += 1;
    for (const [index, sum] of wanted) {
      // Several keys of a document may be one entry.
      const keys = new Map(
        index
          .keysOf(doc)
          .map((key) => index.keyOf(key))
          .map(({ bytes }) => [bytes.toString('latin1'), bytes]),
      );
      for (const bytes of keys.values()) sum.add(bytes, record);
    }
    await operation.turn();
  }
  return { count, wanted };
}

/** A state keeps what is looked at in it: the documents are looked for in several, each of which has its documents and their entries. */
async function documentsMissed(context: CommandContext, ns: string): Promise<string[]> {
  const missed: string[] = [];
  for (let after: number | undefined = 0; after !== undefined && missed.length < MOST_ERRORS;) {
    const reading = readingOf(context);
    try {
      const collection = reading.reader.collection(ns);
      if (!collection) break;
      const indexes = builtIndexes(collection);
      let looked = 0;
      const from: number = after;
      after = undefined;
      for (const { doc, record } of reading.reader.scan(collection, false, from)) {
        for (const index of indexes)
          if (!index.keysOf(doc).every((key) => reading.reader.leadsTo(index, index.keyOf(key), record)))
            missed.push(`${index.name} does not lead to ${String(doc._id)}`);
        if (++looked < STEP) continue;
        after = record;
        break;
      }
    } finally {
      reading.release();
    }
    await context.operation.turn();
  }
  return missed;
}

import { randomUUID } from 'node:crypto';
import type { Doc } from '../bson/values.ts';
import { DocDbError, framed } from '../errors.ts';
import type { Change } from '../storage/change.ts';
import type { Collection } from '../storage/collection.ts';
import { enterSome } from '../storage/enter-some.ts';
import type { IndexDefinition } from '../storage/index-definition.ts';
import type { Reader } from '../storage/reader.ts';
import { ANY_TIME } from '../storage/write-lock.ts';
import type { Writer } from '../storage/writer.ts';
import type { CommandContext } from './command.ts';

/** @returns what change streams say of new indexes */
export function announceIndexes(collection: Collection, specs: readonly Doc[]): Change {
  return { kind: 'createIndexes', ns: collection.ns, uuid: collection.uuid, details: { specs } };
}

/** Fills new indexes with the documents that were there, a little at a time; then they are ready, or gone. */
export async function buildIndexes(context: CommandContext, collection: Collection, indexes: readonly IndexDefinition[]): Promise<void> {
  if (indexes.length === 0) return;
  try {
    await context.server.builds.during(indexes, () => fill(context, collection, indexes));
  } catch (error) {
    await takeBack(context, collection, indexes);
    throw framed(error, `Index build failed: ${randomUUID()}: Collection ${collection.ns} ( ${collection.uuid} )`);
  }
}

async function fill(context: CommandContext, { ns, uuid }: Collection, indexes: readonly IndexDefinition[]): Promise<void> {
  const { store } = context.server;
  const numbers = new Set(indexes.map((index) => index.number));
  const present = (reader: Reader): Collection => {
    const found = reader.withIdentity(uuid);
    if (!found) throw new DocDbError(276, `Index build aborted: the collection ${ns} was dropped`);
    const left = [...found.indexes.values()].filter(({ number }) => numbers.has(number));
    if (left.length < numbers.size) throw new DocDbError(276, `Index build aborted: an index of ${ns} that was built was dropped`);
    return found;
  };
  const read = <T>(work: (reader: Reader, collection: Collection) => T): T => {
    const reading = store.read();
    try {
      return work(reading.reader, present(reading.reader));
    } finally {
      reading.release();
    }
  };
  // What is inserted later is put into the index at once.
  const { source, last } = read((reader, collection) => ({ source: collection, last: reader.lastRecord(collection) }));
  for (let after = 0; after < last;) {
    // A state that is held for long keeps all pages that are written meanwhile from being used again.
    const records = read((reader, collection) => recordsBetween(reader, collection, after, last));
    for (let at = 0; at < records.length;) {
      const enter = (writer: Writer): number => {
        const collection = present(writer.reader);
        return enterSome(writer.reader, collection, records, at, (stored) => {
          for (const index of indexes) writer.addToIndex(collection, index, stored);
        });
      };
      at = await store.write(enter, false, context.operation);
      context.operation.check();
    }
    after = records.length < READ_STEP ? last : (records.at(-1) ?? last);
  }
  await store.ahead(source, () =>
    store.patiently(context.operation, (writer) => {
      const collection = present(writer.reader);
      for (const index of indexes) writer.uniqueKeys.checkSuspects(collection, index, store.suspects.take(index));
      const next = [...collection.indexes.values()].map((index) => (numbers.has(index.number) ? index.with(index.spec, true) : index));
      const changed = writer.collections.modify(collection, { indexes: next });
      // Indexes that are filled together are told of together.
      writer.publish(
        announceIndexes(
          changed,
          indexes.map(({ spec }) => spec),
        ),
      );
    }),
  );
}

/** Takes back what could not be built. Others may be in the way for longer than the command has time: then that goes on behind its back. */
async function takeBack({ server, operation }: CommandContext, { uuid }: Collection, indexes: readonly IndexDefinition[]): Promise<void> {
  const { store, builds } = server;
  if (store.engine.failure) return;
  const work = (writer: Writer): void => {
    const collection = writer.reader.withIdentity(uuid);
    for (const index of indexes) store.suspects.take(index);
    if (!collection) return;
    for (const index of indexes) writer.collections.discardIndex(collection, index);
    const numbers = new Set(indexes.map(({ number }) => number));
    writer.collections.modify(collection, { indexes: [...collection.indexes.values()].filter(({ number }) => !numbers.has(number)) });
  };
  const taken = builds.during(indexes, () => store.patiently(ANY_TIME, work, true));
  await operation.behind(taken);
}

/** Documents that are looked up by one state. */
const READ_STEP = 2000;

function recordsBetween(reader: Reader, collection: Collection, after: number, last: number): number[] {
  const records: number[] = [];
  for (const record of reader.recordsBehind(collection, after)) {
    if (record > last || records.push(record) >= READ_STEP) break;
  }
  return records;
}

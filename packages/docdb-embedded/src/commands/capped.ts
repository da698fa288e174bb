import { decode } from '../bson/decode.ts';
import { wholeOption } from '../bson/rounding.ts';
import { type Doc, isNumber, type Value } from '../bson/values.ts';
import { badValue, DocDbError } from '../errors.ts';
import { checkNamespace, type Collection } from '../storage/collection.ts';
import type { Writer } from '../storage/writer.ts';
import { checkOwnName } from './collection-options.ts';
import { type Command, type CommandContext, namespace } from './command.ts';
import { replaceCollection } from './output.ts';
import { type Reading, readingOf } from './query-command.ts';

/** Largest size of a capped collection. */
const MOST_BYTES = 2 ** 50;

/**
 * @returns the size of a capped collection
 * @throws DocDbError (2, 72) for one that no collection can have
 */
export function cappedSize(value: Value): number {
  const size = isNumber(value) ? wholeOption(value) : Number.NaN;
  if (Number.isNaN(size) || size < 1) throw new DocDbError(72, 'Capped collection size must be greater than zero');
  if (size > MOST_BYTES) throw badValue('Capped collection size must be at most 1 PB');
  return size;
}

function sourceOf(context: CommandContext, ns: string): Collection {
  if (/^[^.]+\.(?:$|\.)|\0/.test(ns)) throw new DocDbError(73, `Invalid namespace specified '${ns}'`);
  if (ns.slice(ns.indexOf('.') + 1).startsWith('system.'))
    throw new DocDbError(ns.endsWith('.system.views') ? 2 : 20, `a collection of the system cannot be capped: ${ns}`);
  const reading = readingOf(context);
  reading.release();
  const collection = reading.reader.collection(ns);
  if (!collection) throw new DocDbError(26, `Source collection ${ns} does not exist`);
  if (collection.isView) throw new DocDbError(166, `Namespace ${ns} is a view, not a collection`);
  return collection;
}

/** Documents that are copied with one write, and their bytes: all of them are in memory until then. */
const STEP = 200;
const STEP_BYTES = 4 * 1024 * 1024;

/** The newest documents that have room. */
async function* newest(
  { operation }: CommandContext,
  { reader }: Reading,
  collection: Collection,
  size: number,
): AsyncGenerator<Doc[], void> {
  let skipped = Math.max(0, reader.sizeOf(collection).bytes - size);
  let step: Doc[] = [];
  let bytes = 0;
  for (const document of reader.scan(collection, false)) {
    const { size: length } = document;
    if (skipped > 0) skipped -= length;
    else {
      bytes += length;
      if (step.push(document.doc) === STEP || bytes >= STEP_BYTES) {
        yield step;
        step = [];
        bytes = 0;
      }
    }
    await operation.turn();
  }
  if (step.length > 0) yield step;
}

/**
 * @param since the number of the last change that a copy has
 * @returns what makes the same changes to a copy that were made to its source meanwhile
 */
function follower({ server: { store } }: CommandContext, source: Collection, since: number): (writer: Writer, copy: Collection) => void {
  let last = since;
  return (writer, copy) => {
    if (last < store.logStart)
      throw new DocDbError(117, `more was written to ${source.ns} while it was copied than the log of changes has: try it again`);
    for (const { seq, kind, uuid, id, after } of store.log.after(last)) {
      last = seq;
      if (uuid !== source.uuid || !DOCUMENT_CHANGES.has(kind)) continue;
      if (kind === 'insert') writer.insert(copy, decode(after as Buffer), undefined, false);
      else follow(writer, copy, id, after);
    }
  };
}

const DOCUMENT_CHANGES: ReadonlySet<string> = new Set(['insert', 'update', 'replace', 'delete']);

/** A document that had no room is not in the copy. */
function follow(writer: Writer, copy: Collection, id: Value, after: Buffer | undefined): void {
  const record = writer.reader.recordOf(copy, id);
  const before = record === undefined ? undefined : writer.reader.at(copy, record);
  if (!before) return;
  if (after) writer.replace(copy, before, decode(after), { kind: 'replace' }, undefined, false);
  else writer.remove(copy, before, undefined, false);
}

/** `convertToCapped` */
export const convertToCapped: Command = async (context) => {
  const ns = namespace(context);
  const size = cappedSize(context.command.size);
  const source = sourceOf(context, ns);
  if (source.isClustered) throw new DocDbError(6049200, `a clustered collection cannot be capped: ${ns}`);
  const reading = readingOf(context);
  const catchUp = follower(context, source, reading.reader.seq);
  try {
    await replaceCollection(context, ns, newest(context, reading, source, size), {
      options: { ...source.options, capped: true, size },
      validated: false,
      // What is changed meanwhile is read in the log of changes, which need not have room for all documents.
      published: false,
      settle(writer, made, old) {
        if (old?.uuid !== source.uuid) throw new DocDbError(26, `${ns} was dropped or renamed while it was converted`);
        catchUp(writer, made);
      },
    });
  } finally {
    reading.release();
  }
  return {};
};

/** `cloneCollectionAsCapped` */
export const cloneCollectionAsCapped: Command = async (context) => {
  const { command, database, server } = context;
  const ns = namespace(context);
  checkNamespace(ns);
  const target = `${database}.${command.toCollection as string}`;
  if (typeof command.toCollection !== 'string') throw new DocDbError(14, "'toCollection' has to be a string");
  checkNamespace(target);
  checkOwnName(target);
  const size = cappedSize(command.size);
  const source = sourceOf(context, ns);
  const checkFree = (known: Collection | undefined): void => {
    if (known?.isView === true) throw new DocDbError(166, `Namespace ${target} is a view`);
    if (known) throw new DocDbError(48, `Collection ${target} already exists`);
  };
  checkFree(server.store.newest.collection(target));
  const reading = readingOf(context);
  try {
    await replaceCollection(context, target, newest(context, reading, source, size), {
      options: { capped: true, size },
      validated: false,
      published: true,
      settle: (_writer, _made, known) => {
        checkFree(known);
      },
    });
  } finally {
    reading.release();
  }
  return {};
};

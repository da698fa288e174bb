import { wholeOption } from '../bson/rounding.ts';
import { type Doc, isNumber, type Value } from '../bson/values.ts';
import { badValue, DocDbError } from '../errors.ts';
import { checkNamespace, type Collection } from '../storage/collection.ts';
import { checkOwnName } from './collection-options.ts';
import { type Command, type CommandContext, namespace } from './command.ts';
import { replaceCollection } from './output.ts';
import { readingOf } from './query-command.ts';

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

/** The newest documents that have room. */
async function* newest(context: CommandContext, collection: Collection, size: number): AsyncGenerator<Doc[], void> {
  const reading = readingOf(context);
  try {
    let skipped = Math.max(0, reading.reader.sizeOf(collection).bytes - size);
    for (const document of reading.reader.scan(collection, false)) {
      if (skipped > 0) skipped -= document.bytes.length;
      else yield [document.doc];
      await context.operation.turn();
    }
  } finally {
    reading.release();
  }
}

/** `convertToCapped` */
export const convertToCapped: Command = async (context) => {
  const ns = namespace(context);
  const size = cappedSize(context.command.size);
  const source = sourceOf(context, ns);
  if (source.isClustered) throw new DocDbError(6049200, `a clustered collection cannot be capped: ${ns}`);
  await replaceCollection(context, ns, newest(context, source, size), {
    options: { ...source.options, capped: true, size },
    validated: false,
  });
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
  const known = server.store.newest.collection(target);
  if (known)
    throw known.isView ? new DocDbError(166, `Namespace ${target} is a view`) : new DocDbError(48, `Collection ${target} already exists`);
  await replaceCollection(context, target, newest(context, source, size), { options: { capped: true, size }, validated: false });
  return {};
};

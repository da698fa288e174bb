import type { AbstractCursor, ChangeStream, ChangeStreamDocument, Collection, Db, Document, MongoClient } from 'mongodb';
import { Unsupported } from './unsupported.ts';

/** Longest wait for a change, in milliseconds. */
const PATIENCE = 5000;

/** Something that is read document by document. */
export type Readable = Pick<AbstractCursor<Document> | ChangeStream, 'next' | 'tryNext' | 'close'>;

/** @returns whether an entity of a test is a cursor or a change stream */
export function isReadable(value: unknown): value is Readable {
  return typeof (value as Partial<Readable> | undefined)?.tryNext === 'function';
}

/** Opens a change stream; the first question goes to the server at once, so that errors come now. */
export async function createChangeStream(target: MongoClient | Db | Collection, options: Document): Promise<Readable> {
  const { pipeline = [], ...rest } = options;
  const stream = (target as Db).watch(pipeline as Document[], rest);
  const { cursor } = stream as unknown as { readonly cursor: { cursorInit?(): Promise<unknown> } };
  await cursor.cursorInit?.();
  return stream as Readable;
}

/** Runs a step on a cursor or a change stream. */
export async function onReadable(name: string, target: Readable): Promise<unknown> {
  switch (name) {
    case 'iterateUntilDocumentOrError': {
      const end = Date.now() + PATIENCE;
      for (;;) {
        const found = (await target.tryNext()) as ChangeStreamDocument | Document | null;
        if (found) return found;
        if (Date.now() > end) throw new Error('nothing came');
      }
    }
    case 'iterateOnce':
      return target.tryNext();
    case 'close':
      await target.close();
      return undefined;
    default:
      throw new Unsupported(`${name} on a cursor`);
  }
}

/** Opens the cursor of a command that the test writes itself. */
export function commandCursor(
  db: Db,
  { command, commandName: _name, cursorType: _type, batchSize, maxTimeMS, comment, ...rest }: Document,
): AbstractCursor<Document> {
  const cursor = db.runCursorCommand(command as Document, rest);
  if (batchSize !== undefined) cursor.setBatchSize(batchSize as number);
  if (maxTimeMS !== undefined) cursor.setMaxTimeMS(maxTimeMS as number);
  if (comment !== undefined) cursor.setComment(comment);
  return cursor as unknown as AbstractCursor<Document>;
}

import { setTimeout as wait } from 'node:timers/promises';
import { ObjectId, type Collection } from 'mongodb';
import { isDuplicate, toFrameworkError } from '../driver-error.ts';
import { ownOptions } from '../operations/call.ts';
import type { LogDocument } from './changes.ts';

/** Milliseconds before it is tried again. */
const RETRY = 200;

/**
 * Stores documents of a log in their order, each once; tried again while the database can not be reached, or can take nothing.
 *
 * @param signal ends that
 * @throws what the database refuses them with, and what it can not be reached by once the log or its client has ended
 */
export async function storeDocuments(log: Collection<LogDocument>, given: readonly LogDocument[], signal: AbortSignal): Promise<void> {
  const documents = given.map((document) => ({ ...document, _id: new ObjectId() }));
  try {
    await log.insertMany(documents, ownOptions(log));
  } catch (error) {
    if (!passes(error, signal)) throw error;
    for (const document of documents) await storeAgain(log, document, signal);
  }
}

/** What was stored before without an answer is known by its id. */
async function storeAgain(log: Collection<LogDocument>, document: LogDocument, signal: AbortSignal): Promise<void> {
  for (;;) {
    await wait(RETRY, undefined, { signal, ref: false }).catch(() => undefined);
    try {
      await log.insertOne(document, ownOptions(log));
      return;
    } catch (error) {
      if (isDuplicate(error)) return;
      if (!passes(error, signal)) throw error;
    }
  }
}

/** A client that was closed would be opened again. */
function passes(error: unknown, { aborted }: AbortSignal): boolean {
  if (aborted || (error instanceof Error && /^Mongo(TopologyClosed|NotConnected|ClientClosed)/.test(error.name))) return false;
  return toFrameworkError(error).code === 503;
}

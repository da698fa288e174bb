import { encode } from '../bson/encode.ts';
import { type Doc, isDocument, type Value } from '../bson/values.ts';
import { DocDbError } from '../errors.ts';

/** Bytes that drivers cut it to; it is kept for as long as the connection, also of those who have not logged in. */
const MOST_BYTES = 512;

/**
 * Reads what a driver and its application tell of themselves in a greeting.
 *
 * @throws DocDbError (185) for more than is kept
 */
export function clientMetadata({ client }: Doc): Doc | undefined {
  if (!isDocument(client)) return undefined;
  if (encode(client).length > MOST_BYTES)
    throw new DocDbError(185, `The client metadata document must be less than or equal to ${String(MOST_BYTES)} bytes`);
  return client;
}

/** @returns the name of an application that has told it */
export function applicationOf(client: Value): string | undefined {
  const application = isDocument(client) ? client.application : undefined;
  return isDocument(application) && typeof application.name === 'string' ? application.name : undefined;
}

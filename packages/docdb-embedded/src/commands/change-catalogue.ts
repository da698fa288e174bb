import type { Writer } from '../storage/writer.ts';
import type { CommandContext } from './command.ts';
import { collectionNow } from './query-command.ts';

/** Changes the catalogue when no transaction uses the collection; transactions that come later do not get ahead. One changes it for itself. */
export function changeCatalogue<T>(context: CommandContext, ns: string, work: (writer: Writer) => T, frees = false): Promise<T> {
  const { server, operation, transaction } = context;
  return server.store.ahead(transaction ? undefined : collectionNow(context, ns), () => server.store.patiently(operation, work, frees));
}

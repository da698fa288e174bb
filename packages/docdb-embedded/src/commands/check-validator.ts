import type { Doc } from '../bson/values.ts';
import { isOn } from '../declarations/field.ts';
import type { Collection } from '../storage/collection.ts';
import type { CommandContext } from './command.ts';

/**
 * Checks a document against the validator of its collection; what becomes of one that does not fit, its `validationAction` says.
 *
 * @param before the document that it takes the place of
 * @throws DocDbError (121)
 */
export function checkValidator(
  { command, server, connection, operation }: CommandContext,
  collection: Collection,
  doc: Doc,
  before?: Doc,
): void {
  const refused = isOn(command.bypassDocumentValidation) ? undefined : operation.during(() => collection.refusal(doc, before));
  if (!refused) return;
  const { validationAction: action } = collection.options;
  if (action === 'warn' || action === 'errorAndLog')
    server.log.writeMisfit(connection.id, action === 'warn' ? 'Document would fail validation' : refused.message, {
      namespace: collection.ns,
      document: doc,
      errInfo: refused.extra.errInfo,
    });
  if (action !== 'warn') throw refused;
}

import { Binary, type Value } from '../../bson/values.ts';
import { DocDbError, typeMismatch } from '../../errors.ts';
import { type CommandDeclaration, declare } from '../command-declaration.ts';
import { anything, array, object, oneOf, text } from '../field.ts';

/** @throws DocDbError (14, 207) for what is no UUID */
function checkId(value: Value): void {
  if (!(value instanceof Binary)) return;
  if (value.sub_type !== Binary.SUBTYPE_UUID) throw typeMismatch('the id of a session has to be a UUID');
  if (value.position !== 16) throw new DocDbError(207, 'a UUID has 16 bytes');
}

const sessionIds = array({
  required: true,
  elements: object({
    nullable: false,
    fields: { id: oneOf(['binData'], { required: true, check: checkId }), uid: oneOf(['binData']) },
  }),
});

const startSession = declare('startSession', anything(), {}, { open: true });
const endSessions = declare('endSessions', sessionIds, {}, { open: true, stable: true });
const refreshSessions = declare('refreshSessions', sessionIds, {}, { open: true, stable: true });
const killSessions = declare('killSessions', sessionIds, {}, { open: true });
const killAllSessions = declare(
  'killAllSessions',
  array({
    required: true,
    elements: object({ nullable: false, fields: { user: text({ required: true }), db: text({ required: true }) } }),
  }),
  {},
  { open: true },
);
const killAllSessionsByPattern = declare(
  'killAllSessionsByPattern',
  array({ required: true, elements: object({ nullable: false }) }),
  {},
  { open: true },
);
const commitTransaction = declare('commitTransaction', anything(), {}, { adminOnly: true, writes: true, stable: true });
const abortTransaction = declare('abortTransaction', anything(), {}, { adminOnly: true, writes: true, stable: true });

/** Commands on sessions and transactions. */
export const sessionCommands: readonly CommandDeclaration[] = [
  startSession,
  endSessions,
  refreshSessions,
  killSessions,
  killAllSessions,
  killAllSessionsByPattern,
  commitTransaction,
  abortTransaction,
];

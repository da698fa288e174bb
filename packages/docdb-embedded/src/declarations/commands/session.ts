import { type CommandDeclaration, declare } from '../command-declaration.ts';
import { anything, array, object, oneOf, text } from '../field.ts';
import { userDigest, uuid } from '../shared-fields.ts';

const sessionIds = array({
  required: true,
  elements: object({
    nullable: false,
    fields: { id: uuid, uid: userDigest },
  }),
});

const startSession = declare('startSession', anything(), {}, { open: true });
const endSessions = declare('endSessions', sessionIds, {}, { open: true, stable: true });
const refreshSessions = declare('refreshSessions', sessionIds, {}, { open: true, stable: true });
const killSessions = declare('killSessions', { ...sessionIds, skipsNull: true }, {}, { open: true });
const users = array({
  elements: object({ nullable: false, fields: { user: text({ required: true }), db: text({ required: true }) } }),
});
const killAllSessions = declare('killAllSessions', { ...users, required: true }, {}, { open: true });
const killAllSessionsByPattern = declare(
  'killAllSessionsByPattern',
  array({
    required: true,
    elements: object({
      nullable: false,
      fields: {
        lsid: object({ fields: { id: uuid, uid: { ...userDigest, required: true } } }),
        users,
        uid: oneOf(['binData'], { effect: 'refused' }),
        roles: array({ effect: 'refused' }),
      },
    }),
  }),
  {},
  { open: true },
);
const commitTransaction = declare('commitTransaction', anything(), {}, { adminOnly: true, writes: 'told behind', stable: true });
const abortTransaction = declare('abortTransaction', anything(), {}, { adminOnly: true, writes: 'told behind', stable: true });

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

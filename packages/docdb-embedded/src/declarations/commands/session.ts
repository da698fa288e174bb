import { type CommandDeclaration, declare } from '../command-declaration.ts';
import { anything, array, object, oneOf, text } from '../field.ts';

const sessionIds = array({
  required: true,
  elements: object({ nullable: false, fields: { id: oneOf(['binData'], { required: true }), uid: oneOf(['binData']) } }),
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

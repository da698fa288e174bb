import { Binary, UUID } from 'bson';
import { type Doc, isDocument } from '../bson/values.ts';
import { isOn } from '../declarations/field.ts';
import { DocDbError } from '../errors.ts';
import { privilegesOf } from '../security/roles.ts';
import { loginFailed } from '../security/scram.ts';
import type { LoginStep } from '../security/security.ts';
import type { Command, CommandContext, ServerState } from './command.ts';

/** There is one login at a time on a connection. */
const CONVERSATION = 1;

/** @throws DocDbError (18) where clients need no password, and there is nobody who has one */
function demandUsers({ server }: CommandContext): void {
  if (!server.security.takesLogins)
    throw new DocDbError(18, 'Authentication is off here: leave user and password out of the URL. The server knows no users');
}

function payloadOf(payload: unknown): Buffer {
  if (payload instanceof Binary) return Buffer.from(payload.value());
  if (typeof payload === 'string') return Buffer.from(payload, 'base64');
  throw loginFailed();
}

function answerOf({ done, payload }: LoginStep): Doc {
  return { conversationId: CONVERSATION, done, payload: new Binary(payload) };
}

/** `saslStart` */
export const saslStart: Command = (context) => {
  demandUsers(context);
  const { command, connection, server, database } = context;
  const short = isDocument(command.options) && command.options.skipEmptyExchange === true;
  return answerOf(server.security.begin(connection, database, command.mechanism as string, payloadOf(command.payload), short));
};

/** `saslContinue` */
export const saslContinue: Command = (context) => {
  demandUsers(context);
  const { command, connection, server } = context;
  if (Number(command.conversationId) !== CONVERSATION) {
    server.security.forget(connection);
    throw new DocDbError(17, 'sasl: Mismatched conversation id');
  }
  return answerOf(server.security.go(connection, payloadOf(command.payload)));
};

/** `logout` */
export const logout: Command = ({ server, connection }) => {
  server.security.leave(connection);
  return {};
};

/** What `hello` says of logging in: the mechanisms, the same for names without a user, and the first step of a login that came with it. */
export function greetingOfLogin({ command, connection, server }: CommandContext): Doc {
  if (!server.security.takesLogins) return {};
  const { saslSupportedMechs, speculativeAuthenticate: given } = command;
  const mechanisms = typeof saslSupportedMechs === 'string' ? mechanismsOf(saslSupportedMechs, server) : {};
  if (!isDocument(given) || typeof given.mechanism !== 'string' || typeof given.db !== 'string') return mechanisms;
  const short = isDocument(given.options) && given.options.skipEmptyExchange === true;
  try {
    const step = server.security.begin(connection, given.db, given.mechanism, payloadOf(given.payload), short);
    return { ...mechanisms, speculativeAuthenticate: answerOf(step) };
  } catch (error) {
    // Who guessed wrong begins again with a command of its own.
    if (error instanceof DocDbError) return mechanisms;
    throw error;
  }
}

/** A user is named after the database, as in `admin.ann`. */
function mechanismsOf(name: string, { security }: ServerState): Doc {
  const dot = name.indexOf('.');
  return { saslSupportedMechs: [...security.mechanismsOf(name.slice(dot + 1), name.slice(0, dot))] };
}

/** `connectionStatus` */
export const connectionStatus: Command = ({ command, connection, server }) => {
  const user = server.security.userOf(connection);
  const roles = user?.roles ?? [];
  return {
    authInfo: {
      authenticatedUsers: user ? [{ user: user.user, db: user.db }] : [],
      authenticatedUserRoles: roles.map(({ role, db }) => ({ role, db })),
      ...(isOn(command.showPrivileges) ? { authenticatedUserPrivileges: privilegesOf(roles) } : {}),
    },
    uuid: new UUID(connection.uuid),
  };
};

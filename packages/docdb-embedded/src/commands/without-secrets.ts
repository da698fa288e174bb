import type { Doc } from '../bson/values.ts';

/** Commands that carry what proves who somebody is. */
const SECRET_COMMANDS: ReadonlySet<string> = new Set(['saslStart', 'saslContinue', 'authenticate', 'createUser', 'updateUser']);
const SECRET_FIELDS: ReadonlySet<string> = new Set(['payload', 'pwd', 'key', 'nonce']);

/** @returns a command as it may be shown to others than its sender */
export function withoutSecrets(command: Doc): Doc {
  const [name = ''] = Object.keys(command);
  if (command.speculativeAuthenticate === undefined && !SECRET_COMMANDS.has(name)) return command;
  const isSecret = (field: string): boolean =>
    field === 'speculativeAuthenticate' || (SECRET_COMMANDS.has(name) && SECRET_FIELDS.has(field));
  return Object.fromEntries(Object.keys(command).map((field) => [field, isSecret(field) ? 'xxx' : command[field]]));
}

import type { CommandDeclaration } from './command-declaration.ts';
import { catalogCommands } from './commands/catalog.ts';
import { diagnosticCommands } from './commands/diagnostic.ts';
import { readCommands } from './commands/read.ts';
import { sessionCommands } from './commands/session.ts';
import { userCommands } from './commands/users.ts';
import { writeCommands } from './commands/write.ts';

/** Every command that this server has, in groups. */
export const commandGroups: Readonly<Record<string, readonly CommandDeclaration[]>> = {
  'Reading documents': readCommands,
  'Writing documents': writeCommands,
  'Collections, databases and indexes': catalogCommands,
  'Sessions and transactions': sessionCommands,
  Users: userCommands,
  'About the server': diagnosticCommands,
};

/** Declarations by the names that commands are called by. */
export const declaredCommands: ReadonlyMap<string, CommandDeclaration> = new Map(
  Object.values(commandGroups).flatMap((group) =>
    group.flatMap((declared) => [declared.name, ...declared.aliases].map((name) => [name, declared] as const)),
  ),
);

import { Binary } from 'bson';
import { filterWith } from '../aggregation/filter-with.ts';
import { type Doc, isDocument, type Value } from '../bson/values.ts';
import { isOn } from '../declarations/field.ts';
import { badValue, DocDbError } from '../errors.ts';
import { checkRole, privilegesOf, type RoleName, rolesIn } from '../security/roles.ts';
import { type Credentials, makeCredentials, type Mechanism, MECHANISMS } from '../security/scram.ts';
import type { User } from '../security/users.ts';
import { type Command, type CommandContext, documentField } from './command.ts';
import { commandScope } from '../aggregation/pipeline.ts';

/** @throws DocDbError (13) when who asks may not do something with the users of a database */
function demand({ server, connection, name }: CommandContext, action: string, db: string): void {
  server.security.demand(connection, { action, db, collection: '' }, name);
}

/** @throws DocDbError (2, 31) */
function rolesOf({ command, database }: CommandContext): RoleName[] {
  const roles = ((command.roles ?? []) as Value[]).map((given) => roleNamed(given, database));
  for (const role of roles) checkRole(role);
  return roles;
}

/** @throws DocDbError (2) */
function roleNamed(given: Value, database: string): RoleName {
  if (typeof given === 'string') return { role: given, db: database };
  if (!isDocument(given) || typeof given.role !== 'string' || typeof given.db !== 'string')
    throw badValue("A role is a text, or a document with the texts 'role' and 'db'");
  return { role: given.role, db: given.db };
}

const sameRole = (a: RoleName, b: RoleName): boolean => a.role === b.role && a.db === b.db;
const unlike = (roles: readonly RoleName[], others: readonly RoleName[]): RoleName[] =>
  roles.filter((role) => !others.some((other) => sameRole(role, other)));

/** @throws DocDbError (2) */
async function credentialsOf(context: CommandContext): Promise<Credentials | undefined> {
  const { command, name } = context;
  const isDigest = command.digestPassword === false;
  const mechanisms = mechanismsOf(context);
  if (isDigest && mechanisms?.includes('SCRAM-SHA-256')) throw badValue('Use of SCRAM-SHA-256 requires undigested passwords');
  if (typeof command.pwd !== 'string') return undefined;
  const given = { user: String(command[name]), password: command.pwd, isDigest };
  return makeCredentials(given, mechanisms ?? (isDigest ? ['SCRAM-SHA-1'] : MECHANISMS));
}

/** @throws DocDbError (2) */
function mechanismsOf({ command }: CommandContext): Mechanism[] | undefined {
  if (!Array.isArray(command.mechanisms)) return undefined;
  if (command.mechanisms.length === 0) throw badValue('mechanisms field must not be empty');
  const named: ReadonlySet<unknown> = new Set(command.mechanisms);
  return MECHANISMS.filter((mechanism) => named.has(mechanism));
}

/**
 * What is left of credentials where only some mechanisms are to be.
 *
 * @throws DocDbError (2) for one that there was no password for
 */
function fewerCredentials(known: Credentials, mechanisms: readonly Mechanism[]): Credentials {
  if (!mechanisms.every((mechanism) => known[mechanism])) throw badValue('mechanisms field must be a subset of previously set mechanisms');
  return Object.fromEntries(mechanisms.map((mechanism) => [mechanism, known[mechanism]]));
}

/** Whoever is not what they were before has to open cursors and sessions again. */
async function forget({ server }: CommandContext, owners: readonly string[]): Promise<void> {
  for (const owner of owners) {
    server.sessions.endOf(owner);
    await server.cursors.killOf(owner);
  }
}

/** `createUser`; the first one may be made by anybody, in the database `admin`. */
export const createUser: Command = async (context) => {
  const { command, database, server, connection } = context;
  const { security } = server;
  const isFirst = security.on && !security.userOf(connection);
  const roles = rolesOf(context);
  if (!isFirst) {
    demand(context, 'createUser', database);
    for (const { db } of roles) demand(context, 'grantRole', db);
  }
  if (database === 'local') throw badValue('Cannot create users in the local database');
  if (command.pwd === undefined || command.pwd === null)
    throw badValue("Must provide a 'pwd' field for all user documents, except those with '$external' as the user's source db");
  const credentials = await credentialsOf(context);
  if (!credentials) throw badValue("Must provide a 'pwd' field");
  const customData = isDocument(command.customData) ? command.customData : undefined;
  await security.users.add(
    { user: command.createUser as string, db: database, roles, credentials, customData },
    isFirst,
    context.operation,
  );
  return {};
};

/** `updateUser` */
export const updateUser: Command = async (context) => {
  const { command, database, server } = context;
  const user = command.updateUser as string;
  const { pwd, customData, roles: given, mechanisms } = command;
  if ([pwd, customData, given, mechanisms].every((value) => value === undefined || value === null))
    throw badValue('Must specify at least one field to update in updateUser');
  const known = server.security.users.find(user, database);
  if (pwd !== undefined || mechanisms !== undefined) demand(context, 'changePassword', database);
  if (customData !== undefined) demand(context, 'changeCustomData', database);
  const roles = given === undefined || given === null ? undefined : rolesOf(context);
  for (const { db } of roles ?? []) demand(context, 'grantRole', db);
  // Whoever may not take a role away may not replace them either.
  if (roles) for (const { db } of [...(known?.roles ?? []), { db: database }]) demand(context, 'revokeRole', db);
  const credentials = await credentialsOf(context);
  const kept = mechanismsOf(context);
  await server.security.users.change(
    user,
    database,
    (before) => ({
      ...(credentials || kept ? { credentials: credentials ?? fewerCredentials(before.credentials, kept ?? []) } : {}),
      ...(roles ? { roles } : {}),
      ...(isDocument(customData) ? { customData } : {}),
    }),
    context.operation,
  );
  await forget(context, known ? [server.security.ownerNameOf(known)] : []);
  return {};
};

/** `dropUser` */
export const dropUser: Command = async (context) => {
  const { command, database, server, operation } = context;
  demand(context, 'dropUser', database);
  const removed = await server.security.users.remove(({ user, db }) => user === command.dropUser && db === database, operation);
  if (removed.length === 0) throw new DocDbError(11, `User '${String(command.dropUser)}@${database}' not found`);
  await forget(
    context,
    removed.map((user) => server.security.ownerNameOf(user)),
  );
  return {};
};

/** `dropAllUsersFromDatabase` */
export const dropAllUsersFromDatabase: Command = async (context) => {
  const { database, server, operation } = context;
  demand(context, 'dropUser', database);
  const removed = await server.security.users.remove(({ db }) => db === database, operation);
  await forget(
    context,
    removed.map((user) => server.security.ownerNameOf(user)),
  );
  return { n: removed.length };
};

/** `grantRolesToUser` and `revokeRolesFromUser` */
export const changeRoles: Command = async (context) => {
  const { command, name, database, server } = context;
  const user = command[name] as string;
  const roles = rolesOf(context);
  if (roles.length === 0) throw badValue(`${name} command requires a non-empty "roles" array`);
  const grants = name === 'grantRolesToUser';
  for (const { db } of roles) demand(context, grants ? 'grantRole' : 'revokeRole', db);
  await server.security.users.change(
    user,
    database,
    (known) => ({
      roles: grants ? [...known.roles, ...unlike(roles, known.roles)] : unlike(known.roles, roles),
    }),
    context.operation,
  );
  const known = server.security.users.find(user, database);
  await forget(context, known && !grants ? [server.security.ownerNameOf(known)] : []);
  return {};
};

/** `usersInfo` */
export const usersInfo: Command = (context) => {
  const { command, server, connection } = context;
  const { users } = server.security;
  const wanted = wantedUsers(context);
  const own = server.security.userOf(connection);
  const detailed = isOn(command.showCredentials) || isOn(command.showPrivileges);
  if (isOn(command.showCredentials)) demand(context, 'viewUser', '');
  for (const { user, db } of wanted ?? [])
    if (detailed || own === undefined || user !== own.user || db !== own.db) demand(context, 'viewUser', db);
  const filter = filterWith(documentField(command, 'filter'), commandScope(undefined, {}), {});
  const found = users
    .all()
    .filter((known) => !wanted || wanted.some(({ user, db }) => (user ?? known.user) === known.user && (db || known.db) === known.db));
  return { users: found.map((user) => shown(user, command)).filter(filter) };
};

/** The users that are asked for; those of a database, or of all where it is empty, have no name. */
function wantedUsers({ command, database }: CommandContext): { readonly user: string | undefined; readonly db: string }[] {
  const given: Value = command.usersInfo;
  if (isDocument(given) && given.forAllDBs !== undefined) return [{ user: undefined, db: '' }];
  if (typeof given !== 'string' && !isDocument(given) && !Array.isArray(given)) return [{ user: undefined, db: database }];
  return (Array.isArray(given) ? (given as Value[]) : [given]).map((one) => {
    if (typeof one === 'string') return { user: one, db: database };
    if (isDocument(one) && typeof one.user === 'string' && typeof one.db === 'string') return { user: one.user, db: one.db };
    throw badValue("A user is a text, or a document with the texts 'user' and 'db'");
  });
}

function shown({ userId, user, db, roles, credentials, customData }: User, command: Doc): Doc {
  const showPrivileges = isOn(command.showPrivileges);
  return {
    _id: `${db}.${user}`,
    userId: new Binary(userId.buffer, 4),
    user,
    db,
    ...(isOn(command.showCredentials) ? { credentials: { ...credentials } } : {}),
    ...(customData && (command.showCustomData === undefined || isOn(command.showCustomData)) ? { customData } : {}),
    roles: roles.map(({ role, db: of }) => ({ role, db: of })),
    mechanisms: Object.keys(credentials),
    ...(isOn(command.showAuthenticationRestrictions) || showPrivileges ? { authenticationRestrictions: [] } : {}),
    ...(showPrivileges
      ? { inheritedRoles: roles.map(({ role, db: of }) => ({ role, db: of })), inheritedPrivileges: privilegesOf(roles) }
      : {}),
  };
}

/** `rolesInfo`: a role that there is not is left out. Without a name it is about those that somebody has made, and nobody has. */
export const rolesInfo: Command = (context) => {
  const { command, database, server, connection } = context;
  const given: Value = command.rolesInfo;
  const asked = typeof given === 'string' || isDocument(given) ? [given] : Array.isArray(given) ? (given as Value[]) : undefined;
  const wanted = asked?.map((one) => roleNamed(one, database));
  const own = server.security.userOf(connection)?.roles ?? [];
  for (const { db } of wanted ? unlike(wanted, own) : [{ db: database }]) demand(context, 'viewRole', db);
  const found = wanted
    ? wanted.filter((role) => rolesIn(role.db).some((known) => sameRole(known, role)))
    : rolesIn(database).filter(() => isOn(command.showBuiltinRoles));
  return { roles: found.map((role) => shownRole(role, command)) };
};

function shownRole(role: RoleName, command: Doc): Doc {
  const privileges = isOn(command.showPrivileges) ? privilegesOf([role]) : undefined;
  return {
    ...role,
    isBuiltin: true,
    roles: [],
    inheritedRoles: [],
    ...(privileges ? { privileges, inheritedPrivileges: privileges } : {}),
    ...(isOn(command.showAuthenticationRestrictions) ? { authenticationRestrictions: [], inheritedAuthenticationRestrictions: [] } : {}),
  };
}

import { MECHANISMS } from '../../security/scram.ts';
import { type CommandDeclaration, declare } from '../command-declaration.ts';
import { anything, array, bool, choice, object, oneOf, text, truth } from '../field.ts';

const user = text({ required: true });
const role = oneOf(['string', 'object'], { nullable: false });
const roles = array({ elements: role, range: 'built-in roles' });
const passwords = {
  pwd: text(),
  customData: object(),
  digestPassword: bool(),
  mechanisms: array({ elements: choice(MECHANISMS, { nullable: false }) }),
  authenticationRestrictions: array({ effect: 'refused' }),
};

const createUser = declare('createUser', user, { ...passwords, roles: { ...roles, required: true } }, { writes: 'refused before' });
const updateUser = declare('updateUser', user, { ...passwords, roles }, { writes: 'refused before' });
const dropUser = declare('dropUser', user, {}, { writes: 'refused before' });
const dropAllUsersFromDatabase = declare('dropAllUsersFromDatabase', anything(), {}, { writes: 'refused before' });
const grantRolesToUser = declare('grantRolesToUser', user, { roles: { ...roles, required: true } }, { writes: 'refused before' });
const revokeRolesFromUser = declare('revokeRolesFromUser', user, { roles: { ...roles, required: true } }, { writes: 'refused before' });
const usersInfo = declare('usersInfo', anything(), {
  showCredentials: truth(),
  showPrivileges: truth(),
  showCustomData: truth(),
  showAuthenticationRestrictions: truth(),
  filter: object(),
});

const rolesInfo = declare('rolesInfo', anything(), {
  showPrivileges: truth(),
  showBuiltinRoles: truth(),
  showAuthenticationRestrictions: truth(),
});

/** Commands on users and on what they may do. */
export const userCommands: readonly CommandDeclaration[] = [
  createUser,
  updateUser,
  dropUser,
  dropAllUsersFromDatabase,
  grantRolesToUser,
  revokeRolesFromUser,
  usersInfo,
  rolesInfo,
];

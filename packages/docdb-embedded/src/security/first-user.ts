import { DocDbError } from '../errors.ts';
import { isPassword, makeCredentials, MECHANISMS } from './scram.ts';
import type { FirstUser } from './start-options.ts';
import type { Users } from './users.ts';

/**
 * Makes the user that a server is started with, unless there is that user already.
 *
 * @throws Error when there is, with another password
 */
export async function makeFirstUser(users: Users, { user, password }: FirstUser): Promise<void> {
  const given = { user, password, isDigest: false };
  const known = users.find(user, 'admin');
  if (known) {
    if (await isPassword(given, known.credentials)) return;
    throw new Error(`The user '${user}' is in the folder already, with another password than the server was started with`);
  }
  try {
    const credentials = await makeCredentials(given, MECHANISMS);
    await users.add({ user, db: 'admin', roles: [{ role: 'root', db: 'admin' }], credentials, customData: undefined });
  } catch (error) {
    throw error instanceof DocDbError ? new Error(`The first user: ${error.message}`, { cause: error }) : error;
  }
}

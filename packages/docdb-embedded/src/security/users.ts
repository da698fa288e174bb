import { randomBytes } from 'node:crypto';
import { Binary, UUID } from 'bson';
import { decode } from '../bson/decode.ts';
import type { Doc } from '../bson/values.ts';
import { DocDbError } from '../errors.ts';
import type { Store } from '../storage/store.ts';
import type { Waiting } from '../storage/write-lock.ts';
import type { RoleName } from './roles.ts';
import type { Credentials, ScramCredentials } from './scram.ts';

/** Who may log in. */
export interface User {
  /** Another one for each user that was made, also of the same name. */
  readonly userId: UUID;
  readonly user: string;
  readonly db: string;
  readonly roles: readonly RoleName[];
  readonly credentials: Credentials;
  readonly customData: Doc | undefined;
}

/** Key of what makes up the salts of names without a user. */
const SECRET = Buffer.from('secret');
/** Bytes that a name may have; a key of the table has fewer than 1,978. */
const MAX_NAME = 512;

/**
 * The users of a server. They are in a table of their own and in no collection: no command that reads documents reaches
 * them, and no change stream tells of them.
 */
export class Users {
  readonly #store: Store;
  /** As they are on the disk. */
  readonly #users = new Map<string, User>();
  /** Of the names that there are no users of. */
  secret: Buffer = randomBytes(32);

  constructor(store: Store) {
    this.#store = store;
  }

  /** Reads the users that were kept. */
  async load(): Promise<void> {
    const { users } = this.#store.engine;
    const kept = users.get(SECRET);
    if (kept) this.secret = Buffer.from(kept);
    else
      await this.#store.write(() => {
        void users.put(SECRET, this.secret);
      }, true);
    for (const user of this.#kept()) this.#users.set(nameOf(user.user, user.db), user);
  }

  /** Those that are kept; within a write as it leaves them so far. Whether it holds is known when it has ended. */
  #kept(): User[] {
    const { users } = this.#store.engine;
    return [...users.getRange({})].flatMap(({ key, value }) => (SECRET.equals(key) ? [] : [readUser(decode(value))]));
  }

  #keptAs(name: string): User | undefined {
    const value = this.#store.engine.users.get(Buffer.from(name));
    return value && readUser(decode(value));
  }

  get size(): number {
    return this.#users.size;
  }

  /** @returns all users, by their names */
  all(): User[] {
    return [...this.#users.values()].sort((a, b) => (nameOf(a.user, a.db) < nameOf(b.user, b.db) ? -1 : 1));
  }

  find(user: string, db: string): User | undefined {
    return this.#users.get(nameOf(user, db));
  }

  /**
   * Adds a user.
   *
   * @param first whether there may be no other
   * @param waiting who waits while writers are kept out
   * @throws DocDbError (2, 13, 51003)
   */
  async add(given: Omit<User, 'userId'>, first = false, waiting?: Waiting): Promise<User> {
    const name = nameOf(given.user, given.db);
    if (given.user === '') throw new DocDbError(2, "User document needs 'user' field to be non-empty");
    if (given.user.includes('\0') || Buffer.byteLength(name) > MAX_NAME)
      throw new DocDbError(2, 'The name of the user is too long or has a null byte');
    const added: User = { ...given, userId: new UUID() };
    await this.#store.write(
      (writer) => {
        if (this.#keptAs(name)) throw new DocDbError(51003, `User "${given.user}@${given.db}" already exists`);
        if (first && this.#kept().length > 0) throw new DocDbError(13, 'there is a first user already');
        writer.keepUser(Buffer.from(name), { ...added });
      },
      false,
      waiting,
    );
    this.#users.set(name, added);
    return added;
  }

  /**
   * Changes a user.
   *
   * @param change says what is to be different, of the user as it is then
   * @param waiting who waits while writers are kept out
   * @throws DocDbError (11)
   */
  async change(user: string, db: string, change: (known: User) => Partial<Omit<User, 'user' | 'db'>>, waiting?: Waiting): Promise<void> {
    const name = nameOf(user, db);
    const changed = await this.#store.write(
      (writer) => {
        const known = this.#keptAs(name);
        if (!known) throw new DocDbError(11, `Could not find user "${user}" for db "${db}"`);
        const next = { ...known, ...change(known) };
        writer.keepUser(Buffer.from(name), { ...next });
        return next;
      },
      false,
      waiting,
    );
    this.#users.set(name, changed);
  }

  /**
   * @param waiting who waits while writers are kept out
   * @returns the users that were removed, of those that are asked for
   */
  async remove(which: (user: User) => boolean, waiting?: Waiting): Promise<User[]> {
    const removed = await this.#store.write(
      (writer) => {
        const found = this.#kept().filter(which);
        for (const { user, db } of found) writer.forgetUser(Buffer.from(nameOf(user, db)));
        return found;
      },
      true,
      waiting,
    );
    for (const { user, db } of removed) this.#users.delete(nameOf(user, db));
    return removed;
  }
}

/** Databases have no null byte in their names. */
function nameOf(user: string, db: string): string {
  return `user:${db}\0${user}`;
}

function readUser(doc: Doc): User {
  const kept = doc as unknown as Omit<User, 'userId' | 'credentials'> & {
    readonly userId: Binary;
    readonly credentials: Credentials | ScramCredentials;
  };
  const { credentials } = kept;
  return {
    ...kept,
    userId: new UUID(kept.userId.buffer),
    customData: kept.customData ?? undefined,
    // Folders of before have those of the one mechanism that there was.
    credentials: 'storedKey' in credentials ? { 'SCRAM-SHA-256': credentials } : credentials,
  };
}

import { DocDbService, type DocDbParams } from '@framework/adapter-docdb';
import { hashPassword } from '@framework/authentication-local';
import type { HookContext, HookMap } from '@framework/core';
import { Forbidden } from '@framework/errors';
import { serviceSchema, Type, WriteOnly, type DataType, type PatchType, type QueryType, type RecordType } from '@framework/schema';
import type { Collection, Db } from 'mongodb';

/** A user; the password is hashed and never leaves the server. */
export const userSchema = serviceSchema({
  record: Type.Object({
    _id: Type.String(),
    email: Type.String({ format: 'email', maxLength: 254 }),
    password: WriteOnly(Type.String({ minLength: 8, maxLength: 200 })),
  }),
});

/** A user. */
export type User = RecordType<typeof userSchema>;

/** Data of a new user. */
export type UserData = DataType<typeof userSchema>;

declare module '@framework/core' {
  interface Params {
    /** Who is logged in, for calls from outside: the entity of the authentication service. */
    user?: User;
  }
}

/** People who may log in. */
export class UsersService extends DocDbService<User, UserData, DocDbParams<QueryType<typeof userSchema>>, PatchType<typeof userSchema>> {}

/** Makes the service and, before its first use, the index that keeps e-mail addresses apart. */
export function createUsersService(db: Db): UsersService {
  const prepare = async (): Promise<Collection> => {
    const users = db.collection('users');
    await users.createIndexes([{ key: { email: 1 }, unique: true }]);
    return users;
  };
  return new UsersService({ Model: prepare, paginate: { default: 10, max: 50 } });
}

/** Addresses are the same in any case. */
function lowerCaseEmail(context: HookContext<unknown, UsersService>): void {
  const { data } = context as { data?: Partial<UserData> };
  if (typeof data?.email === 'string') context.data = { ...data, email: data.email.toLowerCase() };
}

/** From outside everyone sees and changes only themselves. */
function onlyOneself(context: HookContext<unknown, UsersService>): void {
  const { params } = context;
  const { user, provider } = params;
  if (provider === undefined) return;
  if (!user) throw new Forbidden('Log in first');
  context.params = { ...params, query: { ...params.query, _id: user._id } };
}

/** Who is logged in at all is the matter of `loginRequired`; here everyone is kept to themselves. */
export const usersHooks: HookMap<unknown, UsersService> = {
  before: {
    find: [onlyOneself],
    get: [onlyOneself],
    create: [lowerCaseEmail, hashPassword('password')],
    update: [onlyOneself, lowerCaseEmail, hashPassword('password')],
    patch: [onlyOneself, lowerCaseEmail, hashPassword('password')],
    remove: [onlyOneself],
  },
};

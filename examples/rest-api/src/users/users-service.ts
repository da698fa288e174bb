import { DocDbService } from '@framework/adapter-docdb';
import { authenticate } from '@framework/authentication';
import { hashPassword, protect } from '@framework/authentication-local';
import type { HookContext, HookMap } from '@framework/core';
import { Forbidden } from '@framework/errors';
import { getDataValidator, getValidator, querySyntax, Type, validateData, validateQuery, type Static } from '@framework/schema';
import type { Collection, Db } from 'mongodb';

const userDataSchema = Type.Object(
  {
    email: Type.String({ format: 'email', maxLength: 254 }),
    password: Type.String({ minLength: 8, maxLength: 200 }),
  },
  { additionalProperties: false },
);

const userQuerySchema = Type.Object({ _id: Type.String(), email: userDataSchema.properties.email });

/** Data of a new user. */
export type UserData = Static<typeof userDataSchema>;

/** A user. */
export type User = UserData & { _id: string };

/** People who may log in. */
export class UsersService extends DocDbService<User, UserData> {}

/** Makes the service and, before its first use, the index that keeps e-mail addresses apart. */
export function createUsersService(db: Db): UsersService {
  const prepare = async (): Promise<Collection> => {
    const users = db.collection('users');
    await users.createIndexes([{ key: { email: 1 }, unique: true }]);
    return users;
  };
  return new UsersService({ Model: prepare, hidden: ['password'], paginate: { default: 10, max: 50 } });
}

/** Addresses are the same in any case. */
function lowerCaseEmail(context: HookContext<unknown, UsersService>): void {
  const { data } = context as { data?: Partial<UserData> };
  if (typeof data?.email === 'string') context.data = { ...data, email: data.email.toLowerCase() };
}

/** From outside everyone sees and changes only themselves. */
function onlyOneself(context: HookContext<unknown, UsersService>): void {
  const { params } = context;
  const user = (params as { user?: User }).user;
  if (params.provider === undefined) return;
  if (!user) throw new Forbidden('Log in first');
  context.params = { ...params, query: { ...params.query, _id: user._id } };
}

const validate = validateData(getDataValidator(userDataSchema));
const checkQuery = validateQuery(getValidator(querySyntax(userQuerySchema)));

/** Anyone may register; everything else needs a login. */
export const usersHooks: HookMap<unknown, UsersService> = {
  around: { all: [protect('password')] },
  before: {
    find: [authenticate('jwt'), externally(checkQuery), onlyOneself],
    get: [authenticate('jwt'), externally(checkQuery), onlyOneself],
    create: [validate, lowerCaseEmail, hashPassword('password')],
    update: [authenticate('jwt'), onlyOneself, validate, lowerCaseEmail, hashPassword('password')],
    patch: [authenticate('jwt'), onlyOneself, externally(validate), lowerCaseEmail, hashPassword('password')],
    remove: [authenticate('jwt'), onlyOneself],
  },
};

/** Runs a hook for calls from outside only. */
function externally(hook: (context: HookContext) => Promise<void>): (context: HookContext) => Promise<void> {
  return async (context) => {
    if (context.params.provider !== undefined) await hook(context);
  };
}

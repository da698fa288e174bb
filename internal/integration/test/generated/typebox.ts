import { passwordHash } from '@framework/authentication-local';
import type { HookContext } from '@framework/core';
import { defaultAppConfiguration, getValidator, ObjectIdSchema, querySyntax, resolve, Type, virtual, type Static } from '@framework/schema';
import { dataValidator, queryValidator } from './validators.ts';

export const configurationSchema = Type.Intersect([
  defaultAppConfiguration,
  Type.Object({ host: Type.String(), port: Type.Number(), public: Type.String() }),
]);
export const configurationValidator = getValidator(configurationSchema, dataValidator);

export const userSchema = Type.Object(
  { _id: ObjectIdSchema(), email: Type.String(), password: Type.Optional(Type.String()) },
  { $id: 'TypeBoxUser', additionalProperties: false },
);
export type User = Static<typeof userSchema>;
export const userValidator = getValidator(userSchema, dataValidator);
export const userResolver = resolve<User, HookContext>({});
export const userExternalResolver = resolve<User, HookContext>({
  password: async () => undefined,
});

export const userDataSchema = Type.Pick(userSchema, ['email', 'password'], { $id: 'TypeBoxUserData' });
export const userDataValidator = getValidator(userDataSchema, dataValidator);
export const userDataResolver = resolve<Static<typeof userDataSchema>, HookContext>({ password: passwordHash({ strategy: 'local' }) });

export const userPatchSchema = Type.Partial(userSchema, { $id: 'TypeBoxUserPatch' });
export const userPatchValidator = getValidator(userPatchSchema, dataValidator);
export const userPatchResolver = resolve<Static<typeof userPatchSchema>, HookContext>({ password: passwordHash({ strategy: 'local' }) });

export const userQueryProperties = Type.Pick(userSchema, ['_id', 'email']);
export const userQuerySchema = Type.Intersect([querySyntax(userQueryProperties), Type.Object({}, { additionalProperties: false })], {
  additionalProperties: false,
});
export const userQueryValidator = getValidator(userQuerySchema, queryValidator);
export const userQueryResolver = resolve<{ _id?: unknown }, HookContext>({
  _id: async (value, _query, context) => (context.params as { user?: User }).user?._id ?? value,
});

export const messageSchema = Type.Object(
  { _id: ObjectIdSchema(), text: Type.String(), userId: ObjectIdSchema(), user: Type.Optional(Type.Ref(userSchema)) },
  { $id: 'TypeBoxMessage', additionalProperties: false },
);
export const messageValidator = getValidator(messageSchema, dataValidator);
export const messageResolver = resolve<Record<string, unknown>, HookContext>({
  user: virtual(async (message: Record<string, unknown>, context: HookContext) => author(message, context)),
});
export const messageExternalResolver = resolve<Record<string, unknown>, HookContext>({});
export const messageDataSchema = Type.Pick(messageSchema, ['text'], { $id: 'TypeBoxMessageData' });
export const messageDataValidator = getValidator(messageDataSchema, dataValidator);
export const messageDataResolver = resolve<Record<string, unknown>, HookContext>({
  userId: async (_value, _message, context) => (context.params as { user?: User }).user?._id,
});
export const messagePatchSchema = Type.Partial(messageDataSchema, { $id: 'TypeBoxMessagePatch' });
export const messagePatchValidator = getValidator(messagePatchSchema, dataValidator);
export const messagePatchResolver = resolve<Record<string, unknown>, HookContext>({});
export const messageQueryProperties = Type.Pick(messageSchema, ['_id', 'text', 'userId']);
export const messageQuerySchema = Type.Intersect([querySyntax(messageQueryProperties), Type.Object({}, { additionalProperties: false })], {
  additionalProperties: false,
});
export const messageQueryValidator = getValidator(messageQuerySchema, queryValidator);
export const messageQueryResolver = resolve<Record<string, unknown>, HookContext>({});

async function author({ userId }: Record<string, unknown>, { app }: HookContext): Promise<unknown> {
  return (app as { service(path: string): { get(id: unknown): Promise<unknown> } }).service('users').get(userId);
}

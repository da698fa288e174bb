import { passwordHash } from '@framework/authentication-local';
import type { HookContext } from '@framework/core';
import { defaultAppSettings, getValidator, ObjectIdSchema, querySyntax, resolve, virtual } from '@framework/schema';
import { dataValidator, queryValidator } from './validators.ts';

interface User {
  readonly _id?: unknown;
  readonly email?: string;
  readonly password?: string;
}

export const configurationSchema = {
  $id: 'configuration',
  type: 'object',
  additionalProperties: false,
  required: ['host', 'port', 'public'],
  properties: { ...defaultAppSettings, host: { type: 'string' }, port: { type: 'number' }, public: { type: 'string' } },
} as const;
export const configurationValidator = getValidator(configurationSchema, dataValidator);

export const userSchema = {
  $id: 'JsonUser',
  type: 'object',
  additionalProperties: false,
  required: ['_id', 'email'],
  properties: { _id: ObjectIdSchema(), email: { type: 'string' }, password: { type: 'string' } },
} as const;
export const userValidator = getValidator(userSchema, dataValidator);
export const userResolver = resolve<User, HookContext>({});
export const userExternalResolver = resolve<User, HookContext>({
  password: async () => undefined,
});
export const userDataSchema = {
  $id: 'JsonUserData',
  type: 'object',
  additionalProperties: false,
  required: ['email'],
  properties: { ...userSchema.properties },
} as const;
export const userDataValidator = getValidator(userDataSchema, dataValidator);
export const userDataResolver = resolve<User, HookContext>({ password: passwordHash({ strategy: 'local' }) });
export const userPatchSchema = { ...userDataSchema, $id: 'JsonUserPatch', required: [] } as const;
export const userPatchValidator = getValidator(userPatchSchema, dataValidator);
export const userPatchResolver = resolve<User, HookContext>({ password: passwordHash({ strategy: 'local' }) });
export const userQuerySchema = {
  $id: 'JsonUserQuery',
  type: 'object',
  additionalProperties: false,
  properties: { ...querySyntax(userSchema.properties) },
} as const;
export const userQueryValidator = getValidator(userQuerySchema, queryValidator);
export const userQueryResolver = resolve<User, HookContext>({
  _id: async (value, _query, context) => (context.params as { user?: User }).user?._id ?? value,
});

export const messageSchema = {
  $id: 'JsonMessage',
  type: 'object',
  additionalProperties: false,
  required: ['_id', 'text', 'userId'],
  properties: { _id: ObjectIdSchema(), text: { type: 'string' }, userId: ObjectIdSchema(), user: { $ref: 'JsonUser' } },
} as const;
export const messageValidator = getValidator(messageSchema, dataValidator);
export const messageResolver = resolve<Record<string, unknown>, HookContext>({
  user: virtual(async ({ userId }: Record<string, unknown>, { app }: HookContext) =>
    (app as { service(path: string): { get(id: unknown): Promise<unknown> } }).service('users').get(userId),
  ),
});
export const messageExternalResolver = resolve<Record<string, unknown>, HookContext>({});
export const messageDataSchema = {
  $id: 'JsonMessageData',
  type: 'object',
  additionalProperties: false,
  required: ['text'],
  properties: { text: messageSchema.properties.text },
} as const;
export const messageDataValidator = getValidator(messageDataSchema, dataValidator);
export const messageDataResolver = resolve<Record<string, unknown>, HookContext>({
  userId: async (_value, _message, context) => (context.params as { user?: User }).user?._id,
});
export const messagePatchSchema = { ...messageDataSchema, $id: 'JsonMessagePatch', required: [] } as const;
export const messagePatchValidator = getValidator(messagePatchSchema, dataValidator);
export const messagePatchResolver = resolve<Record<string, unknown>, HookContext>({});
const { user: _user, ...messageQueryProperties } = messageSchema.properties;
export const messageQuerySchema = {
  $id: 'JsonMessageQuery',
  type: 'object',
  additionalProperties: false,
  properties: { ...querySyntax(messageQueryProperties) },
} as const;
export const messageQueryValidator = getValidator(messageQuerySchema, queryValidator);
export const messageQueryResolver = resolve<Record<string, unknown>, HookContext>({});

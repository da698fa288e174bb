import type { HookContext, NextFunction } from '@framework/core';
import { BadRequest } from '@framework/errors';
import { valueAt, withValue } from '../field-path.ts';
import { findPasswordHasher } from '../find-local-strategy.ts';
import { isHashed } from '../password/is-hashed.ts';

/** Options of {@link hashPassword}. */
export interface HashPasswordOptions {
  /** Path of the authentication service. Default: the default one. */
  authentication?: string;
  /** Name of the strategy. Default: `local`. */
  strategy?: string;
}

/**
 * Hook that replaces a password in the data by its hash; a record without the field stays as it is.
 *
 * @param field property of the data; dotted paths are allowed
 * @throws Error without a field
 * @throws BadRequest (400) when the hook runs and the password is no text
 */
export function hashPassword(
  field: string,
  options: HashPasswordOptions = {},
): (context: HookContext, next?: NextFunction) => Promise<void> {
  if (!field) throw new Error('The hashPassword hook requires a field name option');
  return async (context, next) => {
    if (context.data !== undefined && context.data !== null && !isHashed(context.params)) {
      const hasher = findPasswordHasher(context.app, options.strategy ?? 'local', options.authentication);
      const hashRecord = async (record: Record<string, unknown>): Promise<Record<string, unknown>> => {
        const password = valueAt(record, field);
        if (password === undefined) return record;
        if (typeof password !== 'string') throw new BadRequest(`'${field}' must be text`);
        return withValue(record, field, await hasher.hashPassword(password, context.params));
      };
      const { data } = context;
      context.data = Array.isArray(data) ? await Promise.all(data.map(hashRecord)) : await hashRecord(data as Record<string, unknown>);
    }
    if (context.type === 'around') await next?.();
  };
}

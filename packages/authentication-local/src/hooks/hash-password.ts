import { isSameSecret } from '@framework/authentication';
import {
  checkOptionNames,
  checkOptionValues,
  contributing,
  partsOf,
  type HookContext,
  type NextFunction,
  type OptionKind,
} from '@framework/core';
import { BadRequest } from '@framework/errors';
import { findPasswordHasher } from '../find-local-strategy.ts';
import { oneByOne } from '../password/one-by-one.ts';

/** Options of {@link hashPassword}. */
export interface HashPasswordOptions {
  /** Path of the authentication service. Default: the default one. */
  authentication?: string;
  /** Name of the strategy. Default: `local`. */
  strategy?: string;
}

const KINDS: Readonly<Record<keyof HashPasswordOptions, OptionKind>> = { authentication: 'name', strategy: 'name' };
const OPTIONS: ReadonlySet<string> = new Set(Object.keys(KINDS));

type Hash = (password: string) => Promise<string>;

/** Operators that store what they are given. */
const SETTING: ReadonlySet<string> = new Set(['$set', '$setOnInsert']);

/**
 * Hook that replaces a password in the data by its hash, however its place is written: nested, with dots, in lists, and below `$set`. A record
 * without the field stays as it is. Registered on a service it says of the field that callers write it and nobody sees it.
 *
 * @param field property of the data; dotted paths are allowed
 * @throws TypeError for an unknown option, or one that is of another kind
 * @throws Error without a field; also when it runs as a hook itself, since it was not called
 * @throws BadRequest (400) when the hook runs and the password is no text, is set by an operator that would store it as it is, or is one of too many
 */
export function hashPassword(
  field: string,
  options: HashPasswordOptions = {},
): (context: HookContext, next?: NextFunction) => Promise<void> {
  // Listed as it is, and not called, it gets the context: the hook that it would give is never run, and the password stored as it came.
  if (typeof field !== 'string' || field === '')
    throw new Error("The hashPassword hook requires a field name option: list it called, as hashPassword('password')");
  checkOptionNames('hashPassword()', options, OPTIONS);
  checkOptionValues('hashPassword()', options, KINDS);
  const hook = async (context: HookContext, next?: NextFunction): Promise<void> => {
    if (context.data !== undefined && context.data !== null) {
      const hasher = findPasswordHasher(context.app, options.strategy ?? 'local', options.authentication);
      const hash: Hash = async (password) =>
        isSameSecret(password, context.params) ? password : oneByOne(context, async () => hasher.hashPassword(password, context.params));
      context.data = await hashedRecord(context.data, field, hash);
    }
    if (context.type === 'around') await next?.();
  };
  Object.defineProperty(hook, 'name', { value: `hashPassword(${field})` });
  return contributing(hook, { writeOnly: [field] });
}

async function hashedRecord(data: unknown, field: string, hash: Hash): Promise<unknown> {
  if (Array.isArray(data)) return Promise.all(data.map(async (record) => hashedRecord(record, field, hash)));
  return mapped(data, async (name, value) => {
    if (!name.startsWith('$')) return hashedProperty(name, value, partsOf(field), field, hash);
    if (SETTING.has(name)) return hashedAt(value, partsOf(field), field, hash);
    if (name !== '$unset') refuseOperator(name, value, partsOf(field), field);
    return value;
  });
}

/** @param parts what is left of the path */
async function hashedAt(value: unknown, parts: readonly string[], field: string, hash: Hash): Promise<unknown> {
  if (parts.length === 0) {
    if (value === undefined) return value;
    if (typeof value !== 'string') throw new BadRequest(`'${field}' must be text`);
    return hash(value);
  }
  if (Array.isArray(value)) return Promise.all(value.map(async (element) => hashedAt(element, parts, field, hash)));
  return mapped(value, async (name, inner) => hashedProperty(name, inner, parts, field, hash));
}

async function hashedProperty(name: string, value: unknown, parts: readonly string[], field: string, hash: Hash): Promise<unknown> {
  const left = leftOf(parts, name);
  return left === undefined ? value : hashedAt(value, left, field, hash);
}

/** What a path has left behind a name, which may have dots and positions of lists; `undefined` when it does not lead there. */
function leftOf(parts: readonly string[], name: string): readonly string[] | undefined {
  const steps = partsOf(name).filter((step) => !/^(?:\d+|\$|\$\[.*\])$/.test(step));
  return steps.length <= parts.length && steps.every((step, index) => step === parts[index]) ? parts.slice(steps.length) : undefined;
}

function refuseOperator(operator: string, operands: unknown, parts: readonly string[], field: string): void {
  if (typeof operands !== 'object' || operands === null) return;
  const concerned = Object.entries(operands).some(([path, operand]) => {
    const names = operator === '$rename' && typeof operand === 'string' ? [path, operand] : [path];
    return names.some((name) => leftOf(parts, name) !== undefined);
  });
  if (concerned) throw new BadRequest(`'${field}' can not be changed by ${operator}: set it`);
}

/** @returns the object itself when nothing has changed */
async function mapped(value: unknown, of: (name: string, inner: unknown) => Promise<unknown>): Promise<unknown> {
  if (typeof value !== 'object' || value === null) return value;
  const given = Object.entries(value);
  const made = await Promise.all(given.map(async ([name, inner]) => [name, await of(name, inner)] as const));
  return made.every(([, inner], index) => inner === given[index]?.[1]) ? value : Object.fromEntries(made);
}

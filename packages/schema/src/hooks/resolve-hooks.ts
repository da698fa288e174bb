import {
  checkOptionNames,
  checkSpelling,
  copyParams,
  eachRecordAsync,
  isAnswered,
  rememberOrigin,
  usingCore,
  type HookContext,
  type NextFunction,
} from '@framework/core';
import { selectFields } from '@framework/query';
import { getDispatch } from '../record-shape/dispatch.ts';
import { isAskedFor, isRecord, propertiesOf } from '../resolvers/record-properties.ts';
import type { Resolver } from '../resolvers/resolver.ts';
import { refuseNoObject } from '../refuse-nothing.ts';
import { askedOf, askForWhole, withIds } from './asked-for.ts';
import { eachEntry } from './each-entry.ts';
import { beforeHook, type BeforeHook, type ResultHook } from './hook-form.ts';
import { byWhole } from './whole-records.ts';
import { givesNoRecords } from './written-records.ts';

/** A resolver of any record and context; each states its own types. */
export type AnyResolver = Pick<Resolver<unknown, never>, 'virtualNames' | 'resolve' | 'resolveData'> &
  Partial<Pick<Resolver<unknown, never>, 'concerns' | 'resolveQuery'>>;

async function runAll(
  resolvers: readonly AnyResolver[],
  record: unknown,
  context: HookContext,
  properties?: readonly string[],
): Promise<unknown> {
  let current = record;
  for (const resolver of resolvers) current = await resolver.resolve(current, context as never, properties);
  return current;
}

async function runOnQuery(resolvers: readonly AnyResolver[], context: HookContext): Promise<Record<string, unknown>> {
  let current: unknown = context.params.query ?? {};
  for (const resolver of resolvers)
    current = await (resolver.resolveQuery
      ? resolver.resolveQuery(current, context as never)
      : resolver.resolve(current, context as never));
  return current as Record<string, unknown>;
}

async function runOnData(resolvers: readonly AnyResolver[], data: unknown, context: HookContext): Promise<unknown> {
  let current = data;
  for (const resolver of resolvers) current = await resolver.resolveData(current, context as never);
  return current;
}

/**
 * One that is missing may be the one that hides a password: it is not passed over.
 *
 * @param of who takes it, as messages name it
 * @throws TypeError for what is no resolver
 */
function checkResolver(of: string, resolver: unknown): void {
  refuseNoObject(`${of} takes a resolver, as resolve({ … }) makes it`, resolver);
  if (typeof Reflect.get(resolver, 'resolve') !== 'function')
    throw new TypeError(`${of} takes a resolver, and not an object without 'resolve': write resolve({ … }) around it`);
}

function checkEach(hook: string, resolvers: readonly unknown[]): void {
  refuseNone(hook, resolvers);
  for (const resolver of resolvers) checkResolver(hook, resolver);
}

/** A hook that does nothing shows what it was to hide. */
function refuseNone(hook: string, resolvers: readonly unknown[]): void {
  if (resolvers.length === 0) throw new TypeError(`${hook} takes at least one resolver, as resolve({ … }) makes it, and got none`);
}

/**
 * Hook that resolves the data of a call, each record of a list, and what `$set` and `$setOnInsert` set.
 *
 * @throws TypeError at once without a resolver, and for what is none
 */
export function resolveData(...resolvers: readonly AnyResolver[]): BeforeHook {
  checkEach('resolveData()', resolvers);
  return beforeHook(async (context) => {
    if (context.data !== undefined) context.data = await eachEntry(context.data, (entry) => runOnData(resolvers, entry, context));
  });
}

/**
 * Hook that resolves `params.query`, for example to restrict it to the user's own records.
 *
 * @throws TypeError at once without a resolver, and for what is none
 */
export function resolveQuery(...resolvers: readonly AnyResolver[]): BeforeHook {
  checkEach('resolveQuery()', resolvers);
  return beforeHook(async (context) => {
    context.params = copyParams(context.params, { query: await runOnQuery(resolvers, context) });
  });
}

/** What a call asks for. When virtual properties are asked for, which may need any other, the record is read whole, to be cut afterwards. */
function selection(context: HookContext, resolvers: readonly AnyResolver[]): readonly string[] | undefined {
  const select = askedOf(context);
  const virtual = resolvers.flatMap((resolver) => resolver.virtualNames);
  if (select && virtual.some((name) => isAskedFor(name, select))) askForWhole(context, select);
  return select;
}

/**
 * Around hook that resolves each record of the result.
 *
 * @throws TypeError at once without a resolver, and for what is none; Error when it is not used as an around hook
 */
export function resolveResult(...resolvers: readonly AnyResolver[]): (context: HookContext, next?: NextFunction) => Promise<void> {
  checkEach('resolveResult()', resolvers);
  return usingCore(async (context: HookContext, next?: NextFunction) => {
    if (!next || context.type !== 'around') throw new Error('The resolveResult hook must be used as an around hook');
    const isCut = context.params.query?.$select !== undefined;
    const select = selection(context, resolvers);
    const whole = isCut && select !== undefined && context.params.query?.$select === undefined;
    await next();
    if (isAnswered(context) || givesNoRecords(context, context.result)) return;
    context.result = await eachRecordAsync(context, context.result, async (record) => {
      const resolved = await runAll(resolvers, record, context, select);
      return whole && isRecord(resolved) ? selectFields(resolved, withIds(context, select)) : resolved;
    });
  });
}

/**
 * Hook that makes what callers from outside get: it sets `context.dispatch`.
 *
 * @throws TypeError at once without a resolver, and for what is none; Error when it is not used as an around hook
 */
export function resolveExternal(...resolvers: readonly AnyResolver[]): ResultHook {
  checkEach('resolveExternal()', resolvers);
  return usingCore(async (context: HookContext, next?: NextFunction) => {
    if (!next || context.type !== 'around') throw new Error('The resolveExternal hook must be used as an around hook');
    await next();
    const shown = context.dispatch ?? context.result;
    if (isAnswered(context) || givesNoRecords(context, shown)) return;
    const asked = askedOf(context);
    context.dispatch = await eachRecordAsync(context, shown, async (record) => {
      const names = asked && [...asked, ...hiding(resolvers, record)];
      const resolved = await byWhole(record, asked, (source) => runAll(resolvers, source, context, names));
      const dispatch = getDispatch(resolved, { params: context.params });
      // Wherever the record is put later, this is what others see of it.
      if (dispatch !== record) rememberOrigin(record, { dispatch });
      return dispatch;
    });
  });
}

/** Stored properties that are there are resolved even when they were not asked for: a resolver may hide them. */
function hiding(resolvers: readonly AnyResolver[], record: unknown): string[] {
  const virtual = new Set(resolvers.flatMap((resolver) => resolver.virtualNames));
  const names = isRecord(record) ? Object.keys(propertiesOf(record)) : [];
  return names.filter((name) => !virtual.has(name));
}

/** Resolvers of a service, by what they resolve. */
export interface AllResolvers {
  data?: { create?: AnyResolver; update?: AnyResolver; patch?: AnyResolver };
  query?: AnyResolver;
  result?: AnyResolver;
  dispatch?: AnyResolver;
}

const KINDS: ReadonlySet<string> = new Set<keyof AllResolvers>(['data', 'query', 'result', 'dispatch']);
const DATA_METHODS: ReadonlySet<string> = new Set<keyof NonNullable<AllResolvers['data']>>(['create', 'update', 'patch']);

/**
 * Refuses kinds of resolvers that there are not: a misspelt `dispatch` would show what it was to hide.
 *
 * @throws TypeError
 */
export function checkResolvers(of: string, map: AllResolvers): void {
  checkOptionNames(of, map, KINDS);
  // Methods of one's own may have data too.
  const { data = {}, ...others } = map;
  refuseNoObject(`${of} takes for 'data' resolvers by method`, data);
  checkSpelling(`${of} for 'data'`, data, DATA_METHODS);
  for (const [kind, resolver] of Object.entries(others)) checkResolver(`${of} for '${kind}'`, resolver);
  for (const [method, resolver] of Object.entries(data)) checkResolver(`${of} for 'data.${method}'`, resolver);
}

/**
 * One around hook for the query, data, result and dispatch of a service.
 *
 * @throws TypeError for a kind of resolver that there is not, and without any
 */
export function resolveAll(map: AllResolvers): (context: HookContext, next?: NextFunction) => Promise<void> {
  checkResolvers('resolveAll()', map);
  const { data = {}, ...others } = map;
  refuseNone('resolveAll()', [...Object.keys(data), ...Object.keys(others)]);
  const { result, dispatch } = map;
  const resolving = result && resolveResult(result);
  const showing = dispatch && resolveExternal(dispatch);
  return usingCore(async (context: HookContext, next?: NextFunction) => {
    if (!next) throw new Error('The resolveAll hook must be used as an around hook');
    if (map.query) context.params = copyParams(context.params, { query: await runOnQuery([map.query], context) });
    const data = map.data?.[context.method as keyof NonNullable<AllResolvers['data']>];
    if (data && context.data !== undefined) context.data = await eachEntry(context.data, (entry) => runOnData([data], entry, context));
    const inner: NextFunction = resolving ? () => resolving(context, next) : next;
    if (showing) await showing(context, inner);
    else await inner();
  });
}

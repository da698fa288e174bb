import { checkOptionNames, convertsConditions } from '@framework/core';
import { BadRequest, toFrameworkError } from '@framework/errors';
import { isPlainObject } from '@framework/query';
import { refuseNoObject } from '../refuse-nothing.ts';
import { isAskedFor, isRecord, propertiesOf } from './record-properties.ts';

/** What a resolver run knows. */
export interface ResolverStatus {
  /** Path of the property. */
  readonly path: readonly string[];
  /** Properties that are asked for; `undefined` for all. */
  readonly properties: readonly string[] | undefined;
}

/**
 * Works out one property; `undefined` leaves it out.
 *
 * @typeParam Stored the value that the record has. `unknown` for a resolver that takes any
 */
export type PropertyResolver<V, T, C, Stored = V | undefined> = ((
  value: Stored,
  record: T,
  context: C,
  status: ResolverStatus,
) => V | undefined | Promise<V | undefined>) & {
  readonly [VIRTUAL]?: true;
  readonly [convertsConditions]?: true;
};

/** Resolvers by property. */
export type PropertyResolvers<T, C> = { [K in keyof T]?: PropertyResolver<T[K], T, C> };

/** Operators that store what they are given. */
const SETTING: readonly string[] = ['$set', '$setOnInsert'];

/** Operators whose conditions are those of the whole record. */
const BRANCHING: readonly string[] = ['$or', '$and', '$nor'];

/** The same in every copy of this package: resolvers of a shared module may be made by another one. */
const VIRTUAL: unique symbol = Symbol.for('@framework/schema/virtual@1') as never;

/** Options of {@link resolve}. */
export interface ResolveOptions<T, C> {
  /** Changes the record before its properties are resolved. What it adds and nobody asks for, a `$select` of other properties, is left out again. */
  converter?: (record: unknown, context: C) => Promise<T> | T;
}

const OPTIONS: ReadonlySet<string> = new Set<keyof ResolveOptions<unknown, unknown>>(['converter']);

const DEFINITION: ReadonlySet<string> = new Set<keyof ResolverDefinition<unknown, unknown>>(['properties', 'converter', 'schema']);

/** Resolves the properties of a record. */
export class Resolver<T, C> {
  readonly #properties: readonly (readonly [string, PropertyResolver<unknown, T, C>])[];
  readonly #converter: ResolveOptions<T, C>['converter'];

  constructor(properties: PropertyResolvers<T, C>, options: ResolveOptions<T, C>) {
    this.#properties = Object.entries(properties) as [string, PropertyResolver<unknown, T, C>][];
    this.#converter = options.converter;
  }

  /** Names of the properties that are worked out and not stored. */
  get virtualNames(): readonly string[] {
    return this.#properties.filter(([, resolver]) => resolver[VIRTUAL]).map(([name]) => name);
  }

  /** Whether it has something to say of what is asked for: by a property, or by a part of one. */
  concerns(paths: readonly string[]): boolean {
    return this.#converter !== undefined || this.#properties.some(([name]) => isAskedFor(name, paths));
  }

  /**
   * Resolves a record; all properties see the record as it came and run side by side. What is no record, such as a text in a list, stays as it is.
   *
   * @param properties properties that are asked for; `address.city` asks for `address` too. What else is in the record stays, and what else the converter
   *   adds is left out. Default: all
   * @returns the resolved copy
   * @throws BadRequest (400) with the errors by property; its `cause` is the first that is a fault of the server
   * @throws TypeError for `properties` that are no list of names
   */
  async resolve(source: unknown, context: C, properties?: readonly string[]): Promise<T> {
    refuseNoNames(properties);
    if (!this.#converter) return this.#resolved(source as T & Record<string, unknown>, context, properties, isAskedFor);
    const converted = (await this.#converter(source, context)) as T & Record<string, unknown>;
    const resolved = await this.#resolved(converted, context, properties, isAskedFor);
    return properties ? withoutUnasked(resolved, source, properties) : resolved;
  }

  /**
   * Resolves data, and also what `$set` and `$setOnInsert` in it set: of that the properties that are there.
   *
   * @returns the resolved copy
   * @throws BadRequest (400) with the errors by property
   */
  async resolveData(source: unknown, context: C): Promise<T> {
    const data = (await this.resolve(source, context)) as T & Record<string, unknown>;
    if (!isRecord(data)) return data;
    const operators = SETTING.filter((name) => isPlainObject(data[name]));
    const set = operators.map(async (name) => {
      const values = data[name] as T & Record<string, unknown>;
      return [name, await this.#resolved(values, context, Object.keys(values), isNamed)] as const;
    });
    return operators.length === 0 ? data : { ...data, ...Object.fromEntries(await Promise.all(set)) };
  }

  /**
   * Resolves a query, and within `$or`, `$and` and `$nor` of it the conditions that are there on properties whose resolver only converts. Other resolvers say what may be asked
   * for, which is said once for the whole query.
   *
   * @returns the resolved copy
   * @throws BadRequest (400) with the errors by property
   */
  async resolveQuery(source: unknown, context: C): Promise<T> {
    const query = (await this.resolve(source, context)) as T & Record<string, unknown>;
    const converting = this.#properties.filter(([, resolver]) => resolver[convertsConditions] === true).map(([name]) => name);
    return converting.length === 0 ? query : this.#inBranches(query, context, converting);
  }

  async #inBranches(query: T & Record<string, unknown>, context: C, converting: readonly string[]): Promise<T & Record<string, unknown>> {
    if (!isRecord(query)) return query;
    const branching = BRANCHING.filter((name) => Array.isArray(query[name]));
    const resolved = branching.map(async (name) => {
      const branches = (query[name] as (T & Record<string, unknown>)[]).map(async (branch) => {
        if (!isRecord(branch)) return branch;
        const names = converting.filter((property) => Object.hasOwn(branch, property));
        return this.#inBranches(
          (await this.#resolved(branch, context, names, isNamed)) as T & Record<string, unknown>,
          context,
          converting,
        );
      });
      return [name, await Promise.all(branches)] as const;
    });
    return branching.length === 0 ? query : { ...query, ...Object.fromEntries(await Promise.all(resolved)) };
  }

  async #resolved(
    record: T & Record<string, unknown>,
    context: C,
    properties: readonly string[] | undefined,
    isAsked: (name: string, properties: readonly string[]) => boolean,
  ): Promise<T> {
    if (this.#properties.length === 0 || !isRecord(record)) return record;
    const asked = properties ? this.#properties.filter(([name]) => isAsked(name, properties)) : this.#properties;
    const result: Record<string, unknown> = { ...propertiesOf(record) };
    const errors: Record<string, unknown> = {};
    const faults: unknown[] = [];
    await Promise.all(
      asked.map(async ([name, resolver]) => {
        try {
          const value = await resolver(record[name], record, context, { path: [name], properties });
          if (value === undefined) Reflect.deleteProperty(result, name);
          else result[name] = value;
        } catch (error) {
          const told = toFrameworkError(error);
          errors[name] = told.toJSON();
          if (told.code >= 500) faults.push(error);
        }
      }),
    );
    if (Object.keys(errors).length > 0) throw failed(errors, faults);
    return result as T;
  }
}

/** FeathersJS has an object in this place, `{ properties }`: who asks for some has to get no others. */
function refuseNoNames(properties: unknown): void {
  if (properties === undefined) return;
  if (Array.isArray(properties) && properties.every((name) => typeof name === 'string')) return;
  throw new TypeError("resolver.resolve() takes a list of names behind the context: ['name', 'email']");
}

/** Resolvers may need what a converter has added to the record; whoever asks for other properties does not get it. */
function withoutUnasked<T>(resolved: T, source: unknown, properties: readonly string[]): T {
  if (!isRecord(resolved)) return resolved;
  const before = isRecord(source) ? propertiesOf(source) : {};
  const all = Object.entries(propertiesOf(resolved));
  const kept = all.filter(([name]) => Object.hasOwn(before, name) || isAskedFor(name, properties));
  return kept.length === all.length ? resolved : (Object.fromEntries(kept) as T);
}

/** The caller is told of each property, and those who look for the reason find the first fault of the server. */
function failed(errors: Readonly<Record<string, unknown>>, faults: readonly unknown[]): BadRequest {
  const error = new BadRequest('Error resolving data', { errors });
  if (faults.length > 0) Object.defineProperty(error, 'cause', { value: faults[0], writable: true, configurable: true });
  return error;
}

/** What operators set at a path is not the whole property. */
function isNamed(name: string, properties: readonly string[]): boolean {
  return properties.includes(name);
}

/** The one-argument form of {@link resolve}. */
export interface ResolverDefinition<T, C> extends ResolveOptions<T, C> {
  /** Resolvers by property. */
  readonly properties: PropertyResolvers<T, C>;
  /** Describes the record; not used. */
  readonly schema?: unknown;
}

/**
 * Describes how properties of a record are worked out.
 *
 * @typeParam T the record
 * @typeParam C the hook context
 * @param properties a function for each property: `(value, record, context, status)`; or `{ properties, converter }`
 * @throws TypeError for a property without a function, and for an option that is unknown or can not be meant
 */
export function resolve<T, C = unknown>(properties: PropertyResolvers<T, C>, options?: ResolveOptions<T, C>): Resolver<T, C>;
export function resolve<T, C = unknown>(definition: ResolverDefinition<T, C>): Resolver<T, C>;
// The first form once more: what is wrong is reported of the last one, and mostly it is a property.
export function resolve<T, C = unknown>(properties: PropertyResolvers<T, C>, options?: ResolveOptions<T, C>): Resolver<T, C>;
export function resolve<T, C = unknown>(
  given: PropertyResolvers<T, C> | ResolverDefinition<T, C>,
  options: ResolveOptions<T, C> = {},
): Resolver<T, C> {
  refuseNoObject('resolve() takes an object of resolvers by property', given);
  // A property that is called `properties` has a function.
  if (!('properties' in given) || typeof given.properties === 'function') return resolverOf(given as PropertyResolvers<T, C>, options);
  if ('validate' in given)
    throw new TypeError("resolve does not validate: leave 'validate' out and put validateData or validateQuery before the resolver");
  checkOptionNames('resolve()', given, DEFINITION);
  const { properties, converter } = given;
  refuseNoObject("The option 'properties' of resolve() takes an object of resolvers by property", properties);
  return resolverOf(properties, { ...options, ...(converter === undefined ? {} : { converter }) });
}

function resolverOf<T, C>(properties: PropertyResolvers<T, C>, options: ResolveOptions<T, C>): Resolver<T, C> {
  // One that is `undefined` may be the one that hides a password: it is not passed over.
  for (const [name, resolver] of Object.entries(properties as Readonly<Record<string, unknown>>))
    if (typeof resolver !== 'function')
      throw new TypeError(
        `The resolver of '${name}' is no function: write (value, record, context) => … or virtual(…), or leave the name out where it has none`,
      );
  checkOptionNames('resolve()', options, OPTIONS);
  if (options.converter !== undefined && typeof options.converter !== 'function')
    throw new TypeError("The option 'converter' of resolve() is a function that gives the record, (record, context) => …");
  return new Resolver(properties, options);
}

/**
 * A property that is worked out from the record and not stored.
 *
 * @param of gives the value from the record
 * @throws TypeError for what is no function
 */
export function virtual<V, T, C>(
  of: (record: T, context: C, status: ResolverStatus) => V | Promise<V>,
): PropertyResolver<V, T, C, unknown> {
  if (typeof of !== 'function') throw new TypeError('virtual() takes a function that gives the value, (record, context) => …');
  const resolver = (_value: unknown, record: T, context: C, status: ResolverStatus): V | Promise<V> => of(record, context, status);
  return Object.assign(resolver, { [VIRTUAL]: true as const });
}

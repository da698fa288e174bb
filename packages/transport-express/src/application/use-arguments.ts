import type { MethodNames, MethodsOf, ServiceExtension, ServiceOptions, ServiceToUse } from '@framework/core';
import type { RequestHandler } from 'express';
import type { Middleware } from '../middleware-types.ts';

/** What may stand behind the path in `app.use`: middleware, a service, its options. */
export type UseArgument = RequestHandler | readonly RequestHandler[] | object;

/** A class: neither a service nor middleware. */
type Class = abstract new (...args: never[]) => unknown;

/** What is no service: middleware (functions, Express applications and routers too), lists of it, and classes. */
export type NotService = ((...args: never[]) => unknown) | readonly unknown[] | Class;

/** The service among the arguments of `app.use`; `never` when all are middleware. */
export type ServiceIn<A extends readonly unknown[]> = A extends readonly [infer First, ...infer Rest]
  ? First extends NotService
    ? ServiceIn<Rest>
    : First
  : never;

/** What stands behind the service. */
type BehindService<A extends readonly unknown[]> = A extends readonly [infer First, ...infer Rest]
  ? First extends NotService
    ? BehindService<Rest>
    : Rest
  : [];

/** The options behind the service, between its middleware or at the end; `unknown` without any. */
type OptionsIn<A extends readonly unknown[]> = [ServiceIn<BehindService<A>>] extends [never] ? unknown : ServiceIn<BehindService<A>>;

/** The option `methods` among the arguments of `app.use`. */
export type MethodsIn<A extends readonly unknown[]> =
  OptionsIn<A> extends { readonly methods: infer M extends MethodNames } ? M : MethodNames;

/** The option `schema` among the arguments of `app.use`. */
export type SchemaIn<A extends readonly unknown[]> =
  OptionsIn<A> extends { readonly schema: infer X extends ServiceExtension } ? X : ServiceExtension;

/** Options that there are not, as a misspelt one: a constraint does not tell them. */
type UnknownOptions<O> = O extends NotService ? never : Exclude<keyof O, keyof ServiceOptions>;

type Handler = Middleware | readonly Middleware[];

/** Whether one object at most stands behind the service, and all else there is middleware. */
type IsBehind<B extends readonly unknown[]> = B extends readonly (Handler | ServiceOptions)[]
  ? BehindService<B> extends readonly Handler[]
    ? true
    : false
  : false;

/** `never` for a class, for a service of another type than the declared one or without a method of its options, or for anything but known options and middleware behind it. */
export type CheckedArguments<Services, L extends string, A extends readonly unknown[]> =
  Extract<A[number], Class> extends never
    ? ServiceIn<A> extends ServiceToUse<Services, L, unknown>
      ? IsBehind<BehindService<A>> extends true
        ? [UnknownOptions<OptionsIn<A>>, MethodsIn<A>] extends [never, MethodsOf<ServiceIn<A>, MethodsIn<A>>]
          ? unknown
          : never
        : never
      : never
    : never;

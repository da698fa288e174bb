import type {
  Static,
  TArray,
  TIntersect,
  TObject,
  TProperties,
  TReadonly,
  TRecord,
  TRecursive,
  TSchema,
  TThis,
  TTuple,
  TUnion,
} from '@sinclair/typebox';
import type { StaticWithin } from '../relations/reference-types.ts';
import type { Around, DEFAULTED, HIDDEN, InsideOf, IsAgain, PartsOf, READ_ONLY, WRITE_ONLY } from './marked-schema.ts';

/** Names of properties that are not sent, as far as they are marked as such. */
type ReadOnlyNames<P extends TProperties> = {
  [K in keyof P]: P[K] extends TReadonly<TSchema> ? K : typeof READ_ONLY & keyof P[K] extends never ? never : K;
}[keyof P];

/** Names of properties that only the server sets, and that it may leave out. */
type HiddenNames<P extends TProperties> = {
  [K in keyof P]: typeof HIDDEN & keyof P[K] extends never ? never : typeof WRITE_ONLY & keyof P[K] extends never ? K : never;
}[keyof P];

/** Names of properties that are filled in where they are left out. */
type DefaultedNames<P extends TProperties> = { [K in keyof P]: typeof DEFAULTED & keyof P[K] extends never ? never : K }[keyof P];

/** Names of properties that may be left out, though records have them. */
type OptionalNames<P extends TProperties, By extends Sender> = DefaultedNames<P> | (By extends 'schema' ? never : HiddenNames<P>);

/** `true` where something in a schema, at any depth, is not asked for in data. */
type HasKept<S, Self> = S extends TThis
  ? IsAgain<Self>
  : S extends TObject<infer P>
    ? [ReadOnlyNames<P> | OptionalNames<P, 'server'>] extends [never]
      ? HasKeptInside<PartsOf<S>, Self>
      : true
    : HasKeptInside<PartsOf<S>, Self>;
type HasKeptInside<Part, Self> = Part extends unknown ? HasKept<Part, Self> : never;

/** Who sends data: code on the server may set what is hidden, and a default of a schema has all but what has a default itself. */
type Sender = 'server' | 'caller' | 'schema';

/**
 * What is sent of a value.
 *
 * @typeParam By who sends it
 * @typeParam Self the schema around it that contains itself
 */
type DataValue<S, T, By extends Sender, Self = unknown> = [HasKept<S, Self>] extends [never] ? T : DataParts<S, T, By, Self>;

type DataOfProperty<P extends TProperties, K, T, By extends Sender, Self> = K extends keyof P ? DataValue<P[K], T, By, Self> : T;

/** Names of properties that are not sent at all. */
type KeptNames<P extends TProperties, By extends Sender> = By extends 'schema'
  ? never
  : ReadOnlyNames<P> | (By extends 'caller' ? HiddenNames<P> : never);

type DataParts<S, T, By extends Sender, Self> =
  S extends TArray<infer Item>
    ? T extends readonly (infer Value)[]
      ? DataValue<Item, Value, By, Self>[]
      : T
    : S extends TObject<infer P>
      ? T extends object
        ? {
            [K in keyof T as K extends KeptNames<P, By> | OptionalNames<P, By> ? never : K]: DataOfProperty<P, K, T[K], By, Self>;
          } & {
            [K in keyof T as K extends Exclude<OptionalNames<P, By>, KeptNames<P, By>> ? K : never]?: K extends HiddenNames<P>
              ? T[K]
              : DataOfProperty<P, K, T[K], By, Self>;
          }
        : T
      : DataUnion<S, T, By, Self>;

/** Values of which schemas describe parts, or alternatives; one that may be left out is a value too. */
type DataUnion<S, T, By extends Sender, Self> =
  S extends TUnion<infer Alternatives>
    ? DataOf<Alternatives[number], By, Self> | Extract<T, undefined>
    : S extends TIntersect<infer Parts>
      ? DataOfAll<Parts, By, Self> | Extract<T, undefined>
      : S extends TTuple<infer Elements>
        ? { [At in keyof Elements]: DataOf<Elements[At], By, Self> } | Extract<T, undefined>
        : S extends TRecord<TSchema, infer Value>
          ? { [K in keyof T]: DataValue<Value, T[K], By, Self> }
          : DataAgain<S, T, By, Self>;

type DataAgain<S, T, By extends Sender, Self> =
  S extends TRecursive<TSchema>
    ? DataValue<InsideOf<S>, T, By, Around<InsideOf<S>, Exclude<T, undefined>>>
    : S extends TThis
      ? Self extends Around<infer Outer, unknown>
        ? DataValue<Outer, T, By, Self>
        : T
      : T;

type DataOf<S, By extends Sender, Self = unknown> = S extends TSchema ? DataValue<S, StaticWithin<S, Self>, By, Self> : never;
type DataOfAll<Parts, By extends Sender, Self> = Parts extends readonly [infer First, ...infer Rest]
  ? DataOf<First, By, Self> & DataOfAll<Rest, By, Self>
  : unknown;

/** What the default of a schema may be: what has a default itself is filled in there too. */
export type DefaultOf<S extends TSchema> = DataOf<S, 'schema'>;

/** Ids are given by the service. */
type Ids = '_id' | 'id';
type WithoutIds<P extends TProperties> = { [K in keyof P as K extends Ids ? never : K]: P[K] };
type IdsLeftOut<T> = T extends unknown ? { [K in keyof T as K extends Ids ? never : K]: T[K] } : never;

/**
 * What is sent of a record: all but ids and what is read-only, at any depth; what is hidden only the server sets, and what has a
 * default may be left out.
 *
 * @typeParam S schema of the record
 * @typeParam By who sends it. Default: code on the server
 */
export type DataOfRecord<S extends TSchema, By extends Sender = 'server'> =
  S extends TObject<infer P> ? DataValue<TObject<WithoutIds<P>>, Static<TObject<WithoutIds<P>>>, By> : IdsLeftOut<DataOf<S, By>>;

/**
 * What is sent of a record that another library describes: its types do not tell what callers may not send, so that anything may be left out.
 *
 * @typeParam Input what the library takes
 */
export type DataOfInput<Input> = Partial<IdsLeftOut<Input>>;

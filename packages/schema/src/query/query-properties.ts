// Types and not interfaces: they are JSON schemas, which have any keyword.

/** Conditions on one property, as a JSON schema: the value, or an object of operators. */
export type PropertyConditions<S> = {
  readonly anyOf: readonly [
    S,
    {
      readonly type: 'object';
      readonly additionalProperties: false;
      readonly properties: {
        readonly $gt: S;
        readonly $gte: S;
        readonly $lt: S;
        readonly $lte: S;
        readonly $ne: S;
        readonly $in: { readonly type: 'array'; readonly items: S };
        readonly $nin: { readonly type: 'array'; readonly items: S };
      };
    },
  ];
};

type Conditions<P> = { readonly [K in keyof P]: PropertyConditions<P[K]> };
type List<S> = {
  readonly type: 'array';
  readonly items: S;
};
type Shape<P> = {
  readonly type: 'object';
  readonly additionalProperties: false;
  readonly properties: P;
};

/**
 * The properties of a query schema, typed by what they take: `FromSchema` of `json-schema-to-ts`, and libraries like it, make the type of the query of
 * them. Nested paths and further operators are in the schema and not in its type.
 *
 * @typeParam P properties of the record, `as const`
 */
export type QueryProperties<P> = Conditions<P> & {
  readonly $limit: { readonly type: 'number' };
  readonly $skip: { readonly type: 'number' };
  readonly $sort: Shape<{ readonly [K in keyof P]: { readonly type: 'number'; readonly enum: readonly [1, -1] } }>;
  readonly $select: List<{ readonly type: 'string'; readonly enum: readonly (keyof P & string)[] }>;
  readonly $or: List<Shape<Conditions<P>>>;
  readonly $and: List<Shape<Conditions<P>>>;
};

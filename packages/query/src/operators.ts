/** Operators of a property that every service allows (interface 4.6). */
export const defaultOperators: readonly string[] = /* @__PURE__ */ Object.freeze(['$in', '$nin', '$lt', '$lte', '$gt', '$gte', '$ne']);

/** Operators that a service may allow besides the common ones. */
export const FURTHER_OPERATORS: readonly string[] = /* @__PURE__ */ Object.freeze([
  '$all',
  '$elemMatch',
  '$eq',
  '$exists',
  '$nor',
  '$not',
  '$options',
  '$regex',
  '$size',
]);

/** Top-level filters of the common syntax (interface 4.6). `$or` and `$and` stay in the criteria. */
export const filterNames: readonly string[] = /* @__PURE__ */ Object.freeze(['$limit', '$skip', '$sort', '$select']);

/** Operators that join whole criteria. */
export const logicalOperators: readonly string[] = /* @__PURE__ */ Object.freeze(['$or', '$and']);

/** Operators whose operand is a list of values. */
export const listOperators: ReadonlySet<string> = new Set(['$in', '$nin', '$all']);

/** Operators whose operand is a value to compare with, or a list of such values: operators inside it make no sense. */
export const comparisonOperators: ReadonlySet<string> = /* @__PURE__ */ (() => new Set([...defaultOperators, '$eq']))();

/** Operators whose operand is a list of criteria. */
export const criteriaListOperators: ReadonlySet<string> = new Set(['$or', '$and', '$nor']);

/**
 * Key of what a property resolver for queries says of itself: that it only turns what callers ask for into what is stored, as texts into ids. It is meant for every
 * condition on its property then, those within `$or`, `$and` and `$nor` too. Copies of this package know each other's.
 */
export const convertsConditions: unique symbol = Symbol.for('@framework/converts-conditions');

import type { Collator } from '../bson/collation.ts';
import type { Value } from '../bson/values.ts';
import { arithmeticOperators } from './operators/arithmetic.ts';
import { arrayOperators } from './operators/array.ts';
import { comparisonOperators } from './operators/comparison.ts';
import { conversionOperators } from './operators/conversion.ts';
import { dateOperators } from './operators/date.ts';
import { stringOperators } from './operators/string.ts';

/** An operator whose arguments are all evaluated first. */
export interface Operator {
  /** Fewest and most arguments. */
  readonly min: number;
  readonly max: number;
  /** Names of the parameters, for operators that take an object. */
  readonly named?: readonly string[];
  /** Works out the result; `undefined` stands for missing. */
  readonly of: (args: readonly Value[], collator: Collator | undefined) => Value;
}

/** All operators by name. */
export const operators: Readonly<Record<string, Operator>> = {
  ...arithmeticOperators,
  ...arrayOperators,
  ...comparisonOperators,
  ...conversionOperators,
  ...dateOperators,
  ...stringOperators,
};

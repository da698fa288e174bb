import type { Collator } from '../bson/collation.ts';
import type { Value } from '../bson/values.ts';
import { arithmeticOperators } from './operators/arithmetic.ts';
import { arrayConversionOperators } from './operators/array-conversion.ts';
import { arrayOperators } from './operators/array.ts';
import { comparisonOperators } from './operators/comparison.ts';
import { conversionOperators } from './operators/conversion.ts';
import { dateArithmeticOperators } from './operators/date-arithmetic.ts';
import { dateTextOperators } from './operators/date-text.ts';
import { dateOperators } from './operators/date.ts';
import { patternOperators } from './operators/pattern.ts';
import { setOperators } from './operators/set.ts';
import { substringOperators } from './operators/substring.ts';
import { stringOperators } from './operators/string.ts';
import { transcendentalOperators } from './operators/transcendental.ts';

/** An operator whose arguments are all evaluated first. */
export interface Operator {
  /** Fewest and most arguments. */
  readonly min: number;
  readonly max: number;
  /** Names of the parameters, for operators that take an object. */
  readonly named?: readonly string[];
  /** What is said of an object that does not fit. */
  readonly rules?: NamedRules;
  /** Code of the error for a wrong number of arguments, where it is not 16020 or 28667. */
  readonly arity?: number;
  /** Looks at each argument that is a constant when the expression is compiled. */
  readonly check?: (argument: Value) => void;
  /** Whether its argument stands alone: a list is one value, and not a list of arguments. */
  readonly alone?: boolean;
  /** Whether it gives something else each time. */
  readonly volatile?: boolean;
  /** Whether it gives a value that its arguments hold, and makes none. */
  readonly shares?: boolean;
  /** Gives what works out the result of one expression, where that keeps something from one document to the next. */
  readonly ofOne?: () => Of;
  /** Works out the result; `undefined` stands for missing. `given` has the names that the caller wrote. */
  readonly of: Of;
}

type Of = (args: readonly Value[], collator: Collator | undefined, given?: ReadonlySet<string>) => Value;

/** Codes of the errors for an object of parameters. */
export interface NamedRules {
  /** For what is no object; without it a single value is the first parameter. */
  readonly shape?: number;
  /** For a name that is not known. Default: 9. */
  readonly unknown?: number;
  /** For parameters that have to be there. */
  readonly missing?: Readonly<Record<string, number>>;
  /** A parameter that is looked at beforehand where it alone is a constant: null makes the whole null, whether it is needed or not. */
  readonly early?: { readonly name: string; readonly check: (value: Value) => void };
  /** Looks at which parameters are there. */
  readonly given?: (given: ReadonlySet<string>) => void;
}

/** All operators by name. */
export const operators: Readonly<Record<string, Operator>> = {
  ...arithmeticOperators,
  ...transcendentalOperators,
  ...arrayOperators,
  ...arrayConversionOperators,
  ...comparisonOperators,
  ...conversionOperators,
  ...dateOperators,
  ...dateArithmeticOperators,
  ...dateTextOperators,
  ...stringOperators,
  ...substringOperators,
  ...patternOperators,
  ...setOperators,
};

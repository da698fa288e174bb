import { add, divide, multiply, type Numeric, subtract } from '../../bson/arithmetic.ts';
import { compare } from '../../bson/compare.ts';
import { type Doc, isDocument, isNumber, typeName, type Value } from '../../bson/values.ts';
import { DocDbError, failedToParse } from '../../errors.ts';
import { compileExpression, constantValue, type ExpressionScope } from '../expression.ts';
import { SlidingExtremes } from '../sliding-extremes.ts';
import { forEach } from './in-turns.ts';
import { slide } from './slide.ts';
import { checkHoldsCurrent, windowBounds } from './window-bounds.ts';
import type { Compiler } from './window-functions.ts';

/** `$minMaxScaler`: where a value is between the least and the greatest one of its window, on a scale of its own. */
export const minMaxScaler: Compiler = (operand, window, context) => {
  const { input, min, max } = scalerOptions(operand);
  const [low, high] = scaleOf(min, max, context.scope);
  const bounds = windowBounds(window, context);
  checkHoldsCurrent(window, '$minMaxScaler', context.scope);
  const of = compileExpression(input, context.scope);
  return function* ({ envs, sortValues }) {
    const values = yield* forEach(envs, (env): Numeric => {
      const value = of(env);
      if (isNumber(value)) return value;
      throw new DocDbError(10487000, `'input' argument to $minMaxScaler must evaluate to a numeric type, got: ${typeName(value)}`);
    });
    const extremes = (yield* slide(values, (value) => value, sortValues, bounds, new SlidingExtremes())) as readonly (readonly [
      Numeric,
      Numeric,
    ])[];
    return yield* forEach(extremes, ([least, greatest], index) => {
      if (compare(least, greatest) === 0) return low;
      const share = divide(subtract(values[index] as Numeric, least), subtract(greatest, least));
      return add(multiply(share, subtract(high, low)), low);
    });
  };
};

/** The options, or nothing but the input: a document is one only where it begins with an operator. */
function scalerOptions(operand: Value): Doc {
  if (!isDocument(operand) || Object.keys(operand)[0]?.startsWith('$') === true) return { input: operand };
  const unknown = Object.keys(operand).find((name) => name !== 'input' && name !== 'min' && name !== 'max');
  if (unknown !== undefined) throw new DocDbError(40415, `BSON field '$minMaxScaler.${unknown}' is an unknown field.`);
  if (operand.input === undefined) throw new DocDbError(40414, "BSON field '$minMaxScaler.input' is missing but a required field");
  return operand;
}

function scaleOf(min: Value, max: Value, scope: ExpressionScope): readonly [Numeric, Numeric] {
  if ((min === undefined) !== (max === undefined)) throw failedToParse("$minMaxScaler takes both 'min' and 'max', or neither");
  if (min === undefined) return [0, 1];
  const [low, high] = [constantOf('min', min, scope), constantOf('max', max, scope)];
  if (compare(low, high) >= 0) throw failedToParse("The 'max' of $minMaxScaler must be greater than its 'min'");
  return [low, high];
}

function constantOf(name: string, given: Value, scope: ExpressionScope): Numeric {
  const value = constantValue(given, scope);
  if (isNumber(value)) return value;
  throw failedToParse(`The '${name}' of $minMaxScaler must be a number that no document is needed for`);
}

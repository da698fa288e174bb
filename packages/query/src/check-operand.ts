import { BadRequest } from '@framework/errors';
import { isPattern } from './built-in.ts';
import { isPlainObject } from './plain-object.ts';

/** What databases read of `$options`. */
const OPTIONS = /^[imsux]*$/;

/**
 * Refuses operands that a database would refuse, before it is asked: every adapter gives the same answer, which says what to write.
 *
 * @param name of the property, as messages say it
 * @param operator operator of the operand
 * @param condition all operators of the property
 * @throws BadRequest (400)
 */
export function checkOperand(name: string, operator: string, condition: Readonly<Record<string, unknown>>): void {
  const operand = condition[operator];
  const expected = EXPECTED[operator]?.(operand, condition);
  if (expected === undefined) return;
  throw new BadRequest(`Invalid value for ${name}[${operator}]: ${expected}`, { parameter: `${name}[${operator}]` });
}

/** @returns what is wrong; `undefined` where nothing is */
type OperandCheck = (operand: unknown, condition: Readonly<Record<string, unknown>>) => string | undefined;

const noPattern: OperandCheck = (operand) =>
  isPattern(operand) ? 'a pattern has no order, and what does not match it is found by { $not: pattern }' : undefined;

const EXPECTED: Readonly<Record<string, OperandCheck>> = {
  $size: (operand) =>
    typeof operand === 'object' || typeof operand === 'bigint' || (Number.isInteger(operand) && Number(operand) >= 0)
      ? undefined
      : 'expected a number of elements',
  $not: (operand) =>
    isPattern(operand) || hasOperatorsAlone(operand) ? undefined : 'expected operators, such as { $gt: 1 }; of a value there is $ne',
  $elemMatch: (operand) =>
    isPlainObject(operand) ? undefined : 'expected conditions of an element, such as { $gt: 1 } or { name: value }',
  $all: (operand) =>
    Array.isArray(operand) && operand.some(isCondition) ? 'expected values, or conditions with $elemMatch alone' : undefined,
  $ne: noPattern,
  $gt: noPattern,
  $gte: noPattern,
  $lt: noPattern,
  $lte: noPattern,
  $regex: (operand, { $options: options }) =>
    isPattern(operand) && operand.flags !== '' && options !== undefined
      ? `the pattern has the flags '${operand.flags}' and there is $options beside it. Write all flags in one of both`
      : undefined,
  $options: (operand) => (typeof operand === 'string' && OPTIONS.test(operand) ? undefined : 'expected a text of i, m, s, u and x'),
};

function hasOperatorsAlone(operand: unknown): boolean {
  if (!isPlainObject(operand)) return false;
  const names = Object.keys(operand);
  return names.length > 0 && names.every((name) => name.startsWith('$'));
}

function isCondition(entry: unknown): boolean {
  const [first] = isPlainObject(entry) ? Object.keys(entry) : [];
  return first?.startsWith('$') === true && first !== '$elemMatch';
}

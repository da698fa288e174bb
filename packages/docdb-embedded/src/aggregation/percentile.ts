import { toNumber } from '../bson/arithmetic.ts';
import { type Doc, isNumber, toDouble, type Value } from '../bson/values.ts';
import { badValue, DocDbError } from '../errors.ts';

/** Checks the fields of `$median` and `$percentile`. */
export function checkPercentile(name: string, operand: Doc): void {
  const wanted = name === '$median' ? ['input', 'method'] : ['input', 'p', 'method'];
  for (const field of Object.keys(operand))
    if (!wanted.includes(field)) throw new DocDbError(40415, `BSON field '${name}.${field}' is an unknown field.`);
  for (const field of wanted)
    if (!(field in operand)) throw new DocDbError(40414, `BSON field '${name}.${field}' is missing but a required field`);
  if (operand.method !== 'approximate') throw badValue("Currently only 'approximate' can be used as percentile 'method'.");
}

/**
 * The places that a `$percentile` asks for.
 *
 * @throws DocDbError (7750301, 7750302, 7750303)
 */
export function percentilePlaces(value: Value): number[] {
  if (!Array.isArray(value) || value.length === 0)
    throw new DocDbError(7750301, "The $percentile 'p' field must be an array of constant values");
  return (value as Value[]).map((place) => {
    if (!isNumber(place)) throw new DocDbError(7750302, "The $percentile 'p' field must be an array of numbers");
    const given = toNumber(place);
    if (!(given >= 0 && given <= 1)) throw new DocDbError(7750303, "The $percentile 'p' field must be an array of numbers from [0.0, 1.0]");
    return given;
  });
}

/** @returns the value at each place among the numbers of a list, of which NaN is none; null where there are none */
export function percentilesOf(values: readonly Value[], places: readonly number[]): Value[] {
  const numbers = values
    .filter(isNumber)
    .map(toNumber)
    .filter((number) => !Number.isNaN(number))
    .sort((a, b) => a - b);
  return places.map((place) => {
    if (numbers.length === 0) return null;
    const rank = Math.max(0, Math.ceil(place * numbers.length) - 1);
    return toDouble(numbers[Math.min(rank, numbers.length - 1)] as number);
  });
}

/** @returns the values that an operand holds: those of a list, or itself */
export function valuesOfInput(input: Value): readonly Value[] {
  return Array.isArray(input) ? (input as Value[]) : [input];
}

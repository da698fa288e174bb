import type { FuncKeywordDefinition, SchemaValidateFunction } from 'ajv';

/** Decimal digits that each number of the language keeps: what a person has written with so many is told by them. */
const DIGITS = 15;

const check: SchemaValidateFunction = (factor: number, value: number) => {
  const fits = isMultiple(value, factor);
  if (!fits) check.errors = [{ keyword: 'multipleOf', message: `must be multiple of ${String(factor)}`, params: { multipleOf: factor } }];
  return fits;
};

/** The keyword as validators know it, for the decimal numbers that are meant: to theirs, which divides, 0.07 is no multiple of 0.01. */
export const multipleOf: FuncKeywordDefinition = { keyword: 'multipleOf', type: 'number', schemaType: 'number', validate: check };

function isMultiple(value: number, factor: number): boolean {
  if (value % factor === 0) return true;
  // The rest of whole numbers is exact.
  if (Number.isInteger(factor) || !Number.isFinite(value)) return false;
  return asWritten(Math.round(value / factor) * factor) === asWritten(value);
}

function asWritten(value: number): number {
  return Number(value.toPrecision(DIGITS));
}

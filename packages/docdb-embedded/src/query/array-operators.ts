import { toNumber } from '../bson/arithmetic.ts';
import { type Doc, isDocument, isNumber, type Value } from '../bson/values.ts';
import { badValue, DocDbError } from '../errors.ts';
import { compileFilter, type FilterContext } from './matcher.ts';
import { elementPredicate } from './value-tests.ts';

/** An operator with which a projection chooses elements of a list. */
export interface ArrayOperator {
  readonly of: (value: Value, doc: Doc) => Value;
  /** Whether the operator alone makes the projection an inclusion. */
  readonly includes: boolean;
}

/**
 * Compiles `$elemMatch` and `$slice` of a projection.
 *
 * @param value what a field is given
 * @returns `undefined` for another expression
 * @throws DocDbError (2, 224, 28724, and those of filters)
 */
export function arrayOperator(value: Doc, context: FilterContext): ArrayOperator | undefined {
  const [name] = Object.keys(value);
  if (name === '$elemMatch') {
    if (!isDocument(value.$elemMatch)) throw badValue('elemMatch: Invalid argument, object required');
    if (asksSchema(value.$elemMatch)) throw new DocDbError(224, '$jsonSchema is not allowed in this context');
    const matches = elementPredicate(value.$elemMatch, { ...context, filter: compileFilter });
    return {
      includes: true,
      of: (list) => {
        const found = Array.isArray(list) ? (list as Value[]).findIndex(matches) : -1;
        return found < 0 ? undefined : [(list as Value[])[found]];
      },
    };
  }
  if (name !== '$slice' || (Array.isArray(value.$slice) && value.$slice.length === 3)) return undefined;
  const slice = sliceOf(value.$slice);
  return slice && { includes: false, of: (list) => (Array.isArray(list) ? slice(list as Value[]) : list) };
}

/** A projection chooses by conditions on fields alone. */
function asksSchema(filter: Doc): boolean {
  return Object.entries(filter).some(
    ([name, operand]) =>
      name === '$jsonSchema' ||
      (logical.has(name) && Array.isArray(operand) && operand.some((branch) => isDocument(branch) && asksSchema(branch))),
  );
}

const logical: ReadonlySet<string> = new Set(['$and', '$or', '$nor']);

function sliceOf(operand: Value): ((list: Value[]) => Value[]) | undefined {
  if (isNumber(operand)) {
    const count = Math.trunc(toNumber(operand));
    return (list) => (count < 0 ? list.slice(count) : list.slice(0, count));
  }
  if (!Array.isArray(operand) || operand.length !== 2 || !operand.every(isNumber)) return undefined;
  const [skip = 0, limit = 0] = operand.map((entry) => Math.trunc(toNumber(entry)));
  if (limit <= 0) throw new DocDbError(28724, `First argument to $slice must be an array, and the limit must be positive`);
  return (list) => {
    const from = skip < 0 ? Math.max(0, list.length + skip) : skip;
    return list.slice(from, from + limit);
  };
}

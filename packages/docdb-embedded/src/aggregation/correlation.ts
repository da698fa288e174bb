import { type Doc, isDocument, type Value } from '../bson/values.ts';
import { hasNear } from '../geo/near.ts';

/** A filter within a join, divided into what it asks of each document alone and what variables decide. */
export interface Correlation {
  readonly plain: Doc;
  readonly correlated: Doc;
  /** Path of a field that equals a variable in all documents that pass. */
  readonly field: string;
  /** The expression of the variable. */
  readonly variable: string;
}

/**
 * Finds the equality of a field and a variable that a filter demands.
 *
 * @param names variables that there are
 * @returns `undefined` where there is none
 */
export function correlationOf(filter: Doc, names: ReadonlySet<string>): Correlation | undefined {
  if ('$text' in filter || hasNear(filter)) return undefined;
  const parts = Array.isArray(filter.$and) ? (filter.$and as Value[]) : [];
  if (parts.some((part) => !isDocument(part) || '$text' in part)) return undefined;
  const { $and: _parts, ...others } = filter;
  const conditions = [...Object.keys(others).map((name): Doc => ({ [name]: others[name] })), ...(parts as Doc[])];
  const expressions = conditions.filter(isExpression);
  for (const { $expr: expression } of expressions) {
    const found = equalityOf(expression, names);
    if (!found) continue;
    const plain = conditions.filter((condition) => !hasExpression(condition));
    return { ...found, plain: plain.length > 0 ? { $and: plain } : {}, correlated: { $and: conditions.filter(hasExpression) } };
  }
  return undefined;
}

/** Whether variables may decide about a condition: also those within `$or` and its kin are asked of each document. */
function hasExpression(condition: Value): boolean {
  if (Array.isArray(condition)) return (condition as Value[]).some(hasExpression);
  return isDocument(condition) && Object.keys(condition).some((name) => name === '$expr' || hasExpression(condition[name]));
}

function isExpression(part: Value): part is Doc {
  return isDocument(part) && '$expr' in part && Object.keys(part).length === 1;
}

function equalityOf(expression: Value, names: ReadonlySet<string>): Pick<Correlation, 'field' | 'variable'> | undefined {
  if (!isDocument(expression) || Object.keys(expression).length !== 1) return undefined;
  const { $and: all, $eq: pair } = expression;
  if (Array.isArray(all)) {
    for (const part of all as Value[]) {
      const found = equalityOf(part, names);
      if (found) return found;
    }
    return undefined;
  }
  if (!Array.isArray(pair) || pair.length !== 2) return undefined;
  const [left, right] = pair as Value[];
  if (isField(left) && isVariable(right, names)) return { field: left.slice(1), variable: right };
  if (isField(right) && isVariable(left, names)) return { field: right.slice(1), variable: left };
  return undefined;
}

function isField(operand: Value): operand is string {
  return typeof operand === 'string' && /^\$[^$]/.test(operand);
}

function isVariable(operand: Value, names: ReadonlySet<string>): operand is string {
  return typeof operand === 'string' && operand.startsWith('$$') && names.has(operand.slice(2).split('.')[0] ?? '');
}

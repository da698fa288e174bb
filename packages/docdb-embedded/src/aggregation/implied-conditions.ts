import { type Doc, isDocument, type Value } from '../bson/values.ts';
import { isPositional } from '../query/path-values.ts';
import { compileExpression, type ExpressionScope } from './expression.ts';
import type { Vars } from './pipeline-types.ts';

/** The operators that compare a field with a value, and what they are when the value stands first. */
const TURNED: Readonly<Record<string, string>> = { $eq: '$eq', $gt: '$lt', $gte: '$lte', $lt: '$gt', $lte: '$gte' };

/**
 * What the expressions of a filter demand of single fields, for the choice of an index: `{ $expr: { $eq: ['$a', 1] } }` demands `{ a: { $eq: 1 } }`.
 * They compare as expressions do: a list is one value, and a bound is one for values of all types.
 *
 * @param vars values of the variables
 */
export function impliedConditions(filter: Doc, scope: ExpressionScope, vars: Vars): readonly Doc[] {
  // Fields are those of the variable then.
  if ('CURRENT' in vars) return [];
  const found: Doc[] = [];
  const visit = (part: Doc): void => {
    for (const [name, operand] of Object.entries(part)) {
      if (name === '$expr') visitExpression(operand);
      else if (name === '$and') for (const branch of operand as Doc[]) visit(branch);
    }
  };
  const visitExpression = (expression: Value): void => {
    if (!isDocument(expression)) return;
    const [name = ''] = Object.keys(expression);
    const operands = expression[name];
    if (!Array.isArray(operands)) return;
    if (name === '$and') (operands as Value[]).forEach(visitExpression);
    const [left, right] = operands as Value[];
    const turned = Object.hasOwn(TURNED, name) ? TURNED[name] : undefined;
    if (isField(left) && (turned !== undefined || name === '$in')) add(left, name, right);
    else if (isField(right) && turned !== undefined) add(right, turned, left);
  };
  const add = (field: string, operator: string, operand: Value): void => {
    const known = valueOf(operand, scope, vars);
    if (known && (operator !== '$in' || Array.isArray(known.value))) found.push({ [field.slice(1)]: { [operator]: known.value } });
  };
  visit(filter);
  return found;
}

/** A number in a path is no element of a list for expressions. */
function isField(operand: Value): operand is string {
  return typeof operand === 'string' && /^\$[^$]/.test(operand) && !isPositional(operand.slice(1).split('.'));
}

/** @returns the value of an operand that is the same for all documents, as far as that is seen at once */
function valueOf(operand: Value, scope: ExpressionScope, vars: Vars): { readonly value: Value } | undefined {
  if (Array.isArray(operand)) {
    const values = (operand as Value[]).map((element) => valueOf(element, scope, vars));
    return values.every((element) => element !== undefined) ? { value: values.map(({ value }) => value ?? null) } : undefined;
  }
  if (isDocument(operand)) return Object.keys(operand).join() === '$literal' ? { value: operand.$literal } : undefined;
  if (typeof operand !== 'string' || !operand.startsWith('$')) return { value: operand };
  const [name = ''] = operand.slice(2).split('.');
  const isVariable = operand.startsWith('$$') && name !== 'ROOT' && Object.hasOwn(vars, name);
  return isVariable ? { value: compileExpression(operand, scope)({ root: {}, vars }) } : undefined;
}

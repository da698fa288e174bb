import type { Doc } from '../bson/values.ts';
import { compileFilter, type Predicate } from '../query/matcher.ts';
import { compileExpression, type ExpressionScope } from './expression.ts';
import type { Vars } from './pipeline-types.ts';
import { isTrue } from './truth.ts';

/**
 * Compiles a filter whose `$expr` may use variables.
 *
 * @param vars values of the variables
 */
export function filterWith(filter: Doc, scope: ExpressionScope, vars: Vars): Predicate {
  return compileFilter(filter, {
    collator: scope.collator,
    expression: (expression) => {
      const evaluate = compileExpression(expression, scope);
      return (doc) => isTrue(evaluate({ root: doc, vars }));
    },
  });
}

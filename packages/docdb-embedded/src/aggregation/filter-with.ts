import { type Doc, isDocument, type Value } from '../bson/values.ts';
import { compileFilter, type Predicate } from '../query/matcher.ts';
import { pathValues } from '../query/path-values.ts';
import { compileExpression, type ExpressionScope } from './expression.ts';
import type { Vars } from './pipeline-types.ts';
import { isTrue } from './truth.ts';

/**
 * Compiles a filter whose `$expr` may use variables.
 *
 * @param vars values of the variables
 * @param text what a search for words finds, where it is one of several branches
 */
export function filterWith(filter: Doc, scope: ExpressionScope, vars: Vars, text?: Predicate): Predicate {
  return compileFilter(filter, {
    collator: scope.collator,
    text,
    expression: (expression) => {
      const evaluate = compileExpression(expression, scope);
      const exactly = scope.collator && listedExactly(expression);
      if (exactly) return (doc) => exactly(doc) && isTrue(evaluate({ root: doc, vars }));
      return (doc) => isTrue(evaluate({ root: doc, vars }));
    },
  });
}

/**
 * A server looks first whether a field is in a list of texts as it is written, whatever the collation, where a filter
 * asks so by `$expr`: what differs in case only is not found.
 *
 * @returns that test, `undefined` where the expression has none
 */
function listedExactly(expression: Value): Predicate | undefined {
  if (!isDocument(expression)) return undefined;
  const { $in: listed, $and: all, $or: some } = expression;
  if (Array.isArray(all)) {
    const tests = (all as Value[]).map(listedExactly).filter((test) => test !== undefined);
    return tests.length === 0 ? undefined : (doc) => tests.every((test) => test(doc));
  }
  if (Array.isArray(some)) {
    const tests = (some as Value[]).map(listedExactly);
    return tests.every((test) => test !== undefined) ? (doc) => tests.some((test) => test?.(doc)) : undefined;
  }
  const [field, list] = Array.isArray(listed) ? (listed as Value[]) : [];
  if (typeof field !== 'string' || !/^\$[^$]/.test(field) || !Array.isArray(list)) return undefined;
  if (!(list as Value[]).every((value) => typeof value === 'string' && !value.startsWith('$'))) return undefined;
  const path = field.slice(1).split('.');
  const texts = new Set(list as Value[]);
  return (doc) => pathValues(doc, path).some((value) => texts.has(value));
}

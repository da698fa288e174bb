import { BSONRegExp } from 'bson';
import { type Doc, isDocument, typeName, type Value } from '../bson/values.ts';
import { failedRules, remarks } from './failed-schema.ts';
import { elementsOf, pathValues } from './path-values.ts';
import { hasOperators } from './value-tests.ts';

/** Decides whether a document matches a filter. */
export type Matches = (filter: Doc) => boolean;

/** One condition of a filter: a field and an operator, or an operator that stands where a field does. */
interface Condition {
  readonly path: string | undefined;
  readonly operator: string;
  readonly operand: Value;
  /** It alone, as a filter. */
  readonly filter: Doc;
}

/** Why conditions do not hold; why they do, where that is what must not be. */
const REASONS: Readonly<Record<string, readonly [failed: string, held: string]>> = {
  $exists: ['path does not exist', 'path does exist'],
  $type: ['type did not match', 'type did match'],
  $in: ['no matching value found in array', 'matching value found in array'],
  $regex: ['regular expression did not match', 'regular expression did match'],
  $mod: ['$mod did not evaluate to expected remainder', '$mod did evaluate to expected remainder'],
  $size: ['array length was not equal to given size', 'array length was equal to given size'],
  $all: ['array did not contain all specified values', 'array did contain all specified values'],
  $elemMatch: ['array did not satisfy the child predicate', 'array did satisfy the child predicate'],
  $expr: ['expression did not match', 'expression did match'],
  ...Object.fromEntries(
    ['$bitsAllClear', '$bitsAllSet', '$bitsAnyClear', '$bitsAnySet'].map((name) => [
      name,
      ['bitwise operator failed to match', 'bitwise operator matched successfully'] as const,
    ]),
  ),
};
const COMPARISON = ['comparison failed', 'comparison succeeded'] as const;
/** Operators that hold where another one does not. */
const OPPOSITES: Readonly<Record<string, string>> = { $ne: '$eq', $nin: '$in' };

/**
 * Says why a document does not match a filter, as MongoDB tells it in `errInfo` of documents that a validator refuses.
 *
 * @param matches whether the document matches another filter
 * @param held why it does match instead: what is asked of it is that it does not
 */
export function explainFilter(filter: Doc, doc: Doc, matches: Matches, held = false): Doc {
  const conditions = conditionsOf(filter);
  const [only] = conditions;
  if (only && conditions.length === 1) return explain(only, doc, matches, held);
  return {
    operatorName: '$and',
    ...clauses(
      conditions.map((condition) => [condition.filter, () => explain(condition, doc, matches, held)] as const),
      matches,
      held,
    ),
  };
}

function conditionsOf(filter: Doc): Condition[] {
  return Object.keys(filter).flatMap((name): Condition[] => {
    const asked = filter[name];
    if (name === '$comment') return [];
    if (name.startsWith('$')) return [{ path: undefined, operator: name, operand: asked, filter: { [name]: asked } }];
    if (asked instanceof BSONRegExp) return [{ path: name, operator: '$regex', operand: asked, filter: { [name]: asked } }];
    if (!isDocument(asked) || !hasOperators(asked))
      return [{ path: name, operator: '$eq', operand: asked, filter: { [name]: { $eq: asked } } }];
    const { $options } = asked;
    return Object.keys(asked)
      .filter((operator) => operator !== '$options')
      .map((operator) => {
        const options = operator === '$regex' && $options !== undefined ? { $options } : {};
        return { path: name, operator, operand: asked[operator], filter: { [name]: { [operator]: asked[operator], ...options } } };
      });
  });
}

function explain(condition: Condition, doc: Doc, matches: Matches, held: boolean): Doc {
  const { path, operator, operand, filter } = condition;
  if (operator === '$and' || operator === '$or') {
    const parts = (operand as Doc[]).map((part) => [part, () => explainFilter(part, doc, matches, held)] as const);
    return { operatorName: operator, ...clauses(parts, matches, held) };
  }
  if (operator === '$nor') {
    const parts = (operand as Doc[]).map((part) => [part, () => explainFilter(part, doc, matches, !held)] as const);
    return { operatorName: operator, ...clauses(parts, matches, !held) };
  }
  if (operator === '$jsonSchema') {
    const schema = operand as Doc;
    const told = { operatorName: operator, ...remarks(schema) };
    return held ? { ...told, reason: 'schema matched' } : { ...told, schemaRulesNotSatisfied: failedRules(schema, doc) };
  }
  if (path === undefined) {
    const [failed, matched] = REASONS[operator] ?? COMPARISON;
    const result = operator === '$expr' ? { expressionResult: held } : {};
    return { operatorName: operator, specifiedAs: filter, reason: held ? matched : failed, ...result };
  }
  if (operator === '$not') {
    const inside = isDocument(operand) || operand instanceof BSONRegExp ? { [path]: operand } : filter;
    return { operatorName: operator, details: explainFilter(inside, doc, matches, !held) };
  }
  return explainField(condition, path, doc, held);
}

/** What a condition of a field looked at, and what of it. */
function explainField({ operator, filter }: Condition, path: string, doc: Doc, held: boolean): Doc {
  const opposite = Object.hasOwn(OPPOSITES, operator) ? OPPOSITES[operator] : undefined;
  const [failed, matched] = REASONS[opposite ?? operator] ?? COMPARISON;
  const told = { operatorName: operator, specifiedAs: filter };
  const found = pathValues(doc, path.split('.')).filter((value) => value !== undefined);
  if (operator === '$exists') return { ...told, reason: held ? matched : failed };
  if (found.length === 0) return { ...told, reason: 'field was missing' };
  const reason = held === (opposite === undefined) ? matched : failed;
  const whole = ['$size', '$all', '$elemMatch'].includes(operator);
  const [value, ...others] = whole ? found : found.flatMap((entry) => [...elementsOf(entry), entry]);
  const values = [value, ...others].slice(0, MOST_VALUES);
  const types = [...new Set(values.map(typeName))];
  return {
    ...told,
    reason,
    ...(others.length === 0 ? { consideredValue: value } : { consideredValues: values }),
    ...(operator !== '$type' ? {} : types.length === 1 ? { consideredType: types[0] } : { consideredTypes: types }),
  };
}

/** Values of a list that are told. */
const MOST_VALUES = 10;

/** Those of some conditions that do not hold, or that do. */
function clauses(parts: readonly (readonly [filter: Doc, explain: () => Doc])[], matches: Matches, held: boolean): Doc {
  const told = parts.flatMap(([filter, details], index) => (matches(filter) === held ? [{ index, details: details() }] : []));
  return { [held ? 'clausesSatisfied' : 'clausesNotSatisfied']: told };
}

import { type Doc, isDocument, own, type Value } from '../bson/values.ts';
import { equality } from './any-of.ts';
import { compileFilter, type FilterContext, type Predicate } from './matcher.ts';
import { arrayIndex } from './path-values.ts';
import { elementPredicate, hasOperators } from './value-tests.ts';

/** One condition of a filter that leads to an element of a list. */
interface Condition {
  readonly path: string;
  readonly operator: string;
  /** The condition as a filter has it. */
  readonly condition: Value;
}

/** The conditions of a filter are decided in this order, those of one operator in the order of their paths. */
const ORDER: readonly string[] = [
  ...['$elemMatch', '$eq', '$lte', '$lt', '$gt', '$gte', '$regex', '$mod', '$exists', '$in'],
  ...['$bitsAllSet', '$bitsAllClear', '$bitsAnySet', '$bitsAnyClear', '$type'],
];

/** What is denied, or is about a whole list, leads to no element. */
const WITHOUT_ELEMENT: ReadonlySet<string> = new Set([
  ...['$not', '$ne', '$nin', '$size', '$options', '$comment'],
  ...['$near', '$nearSphere', '$geoNear', '$minDistance', '$maxDistance', '$uniqueDocs'],
]);

/** The list that a condition led to, and which of its elements it holds for. */
interface Match {
  readonly list: readonly Value[];
  readonly fits: (element: Value) => boolean;
}

/**
 * Finds the place of the element that a filter matched, for the positional operators. It is a place in the list that the
 * condition decided last led to, the first list on its way: that of an element which all conditions on this list hold for, where
 * there is one. Whichever list an operator is used for, the place is the same.
 *
 * @returns gives the place in a document that the filter matches; -1 where no condition led to an element
 */
export function positionFinder(filter: Doc, context: FilterContext): (doc: Doc) => number {
  const finders = conditionsOf(filter)
    .sort((a, b) => rank(a) - rank(b) || (a.path < b.path ? -1 : Number(a.path > b.path)))
    .map((condition) => conditionFinder(condition, context));
  return (doc) => {
    const matches = finders.map((find) => find(doc)).filter((match) => match?.list.some(match.fits));
    const last = matches.at(-1);
    if (!last) return -1;
    const onIt = matches.filter((match) => match?.list === last.list);
    const all = last.list.findIndex((element) => onIt.every((match) => match?.fits(element)));
    return all >= 0 ? all : last.list.findIndex(last.fits);
  };
}

function rank({ operator }: Condition): number {
  const at = ORDER.indexOf(operator);
  return at < 0 ? ORDER.length : at;
}

function conditionsOf(filter: Doc): Condition[] {
  return Object.keys(filter).flatMap((name) => {
    const condition = filter[name];
    if (name === '$and') return (condition as Doc[]).flatMap(conditionsOf);
    if (name === '$or') return alternatives(condition as Doc[]);
    return name.startsWith('$') ? [] : conditionsOn(name, condition);
  });
}

/** Branches that ask one field for values are a list of values; which of other branches matched is not known. */
function alternatives(branches: readonly Doc[]): Condition[] {
  const [first = {}, ...others] = branches;
  if (others.length === 0) return conditionsOf(first);
  const [path = ''] = Object.keys(first);
  const asks = (branch: Doc): boolean =>
    !path.startsWith('$') && Object.keys(branch).join() === path && equality(branch[path]) !== undefined;
  return branches.every(asks) ? [{ path, operator: '$in', condition: { $in: branches.map((branch) => equality(branch[path])) } }] : [];
}

function conditionsOn(path: string, condition: Value): Condition[] {
  if (!isDocument(condition) || !hasOperators(condition)) return [{ path, operator: '$eq', condition }];
  return Object.keys(condition).flatMap((operator) => {
    const operand = condition[operator];
    if (WITHOUT_ELEMENT.has(operator)) return [];
    if (operator === '$all') return (operand as Value[]).flatMap((wanted) => conditionsOn(path, wanted));
    const { $options } = condition;
    const own = operator === '$regex' && $options !== undefined ? { $regex: operand, $options } : { [operator]: operand };
    return [{ path, operator: operator === '$in' && (operand as Value[]).length === 1 ? '$eq' : operator, condition: own }];
  });
}

function conditionFinder({ path, operator, condition }: Condition, context: FilterContext): (doc: Doc) => Match | undefined {
  const parts = path.split('.');
  const below: Predicate[] = [...parts, ''].map((_part, at) =>
    compileFilter({ [['value', ...parts.slice(at)].join('.')]: condition }, context),
  );
  const matches = (value: Value, at: number): boolean => below[at]?.({ value }) === true;
  const fits = elementTest(operator, condition, below.at(-1) as Predicate, context);
  const find = (value: Value, at: number): Match | undefined => {
    const part = parts[at];
    if (part === undefined) return Array.isArray(value) ? { list: value as Value[], fits } : undefined;
    if (!Array.isArray(value)) return isDocument(value) ? find(own(value, part), at + 1) : undefined;
    const index = arrayIndex(part);
    // An element that the path itself names is not found by looking through the list.
    if (index !== undefined && index < value.length && matches(value[index], at + 1)) return find(value[index], at + 1);
    return { list: value as Value[], fits: (element) => isDocument(element) && matches(element, at) };
  };
  return (doc) => find(doc, 0);
}

/** A list in a list is an element as it is: its own elements are not looked through. */
function elementTest(operator: string, condition: Value, predicate: Predicate, context: FilterContext): (element: Value) => boolean {
  if (operator === '$elemMatch') return elementPredicate((condition as Doc).$elemMatch as Doc, { ...context, filter: compileFilter });
  return (element) => predicate({ value: Array.isArray(element) && operator !== '$type' ? [element] : element });
}

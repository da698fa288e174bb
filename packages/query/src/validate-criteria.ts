import { BadRequest } from '@framework/errors';
import { inThisRealm, isBuiltIn, isDate } from './built-in.ts';
import { checkOperand } from './check-operand.ts';
import { refusedName } from './hints.ts';
import { comparisonOperators, criteriaListOperators, listOperators } from './operators.ts';
import { isPlainObject } from './plain-object.ts';
import { checkPropertyName } from './property-name.ts';
import type { Query, QueryOptions } from './query-types.ts';

/** Keys of a query, and of its order, unless the service says otherwise. */
export const MAX_KEYS = 100;

/** Limits and the operators of one service, worked out once and used for each of its queries. */
export interface CriteriaRules {
  readonly operators: ReadonlySet<string>;
  readonly logical: ReadonlySet<string>;
  readonly maxDepth: number;
  readonly maxKeys: number;
  readonly maxPatterns: number;
  readonly options: QueryOptions;
}

/** Counts the keys of one query, and notes its patterns, while it is read. */
interface Budget {
  keys: number;
  patterns?: Set<string>;
}

/**
 * Copies and checks the conditions of a whole query; the filters among its keys are left out.
 *
 * @param query an object of the caller, whose filters were checked already; it is not changed
 * @returns a frozen copy with own keys only
 * @throws BadRequest (400) for an operator, name, value or size that is not allowed
 */
export function validateTopLevel(query: Query, rules: CriteriaRules): Readonly<Query> {
  return validateCriteria(query, rules, { keys: 0 }, 0, (name) => name.startsWith('$') && !rules.logical.has(name));
}

/**
 * Copies and checks the conditions of a query. Each `$` key, at any depth, must be an allowed operator (security S2).
 */
function validateCriteria(
  source: Query,
  rules: CriteriaRules,
  budget: Budget,
  depth: number,
  isFilter?: (name: string) => boolean,
): Readonly<Query> {
  const criteria: Query = {};
  refuseSymbols(source, depth === 0);
  for (const name of Object.keys(source)) {
    if (isFilter?.(name)) continue;
    const value = source[name];
    spend(rules, budget);
    if (rules.logical.has(name)) {
      criteria[name] = criteriaList(name, value, rules, budget, depth + 1);
    } else {
      checkPropertyName(name, rules.options);
      // A list is a value to compare with.
      criteria[name] = propertyValue(name, value, rules, budget, depth + 1, Array.isArray(value));
    }
  }
  return Object.freeze(criteria);
}

function criteriaList(name: string, value: unknown, rules: CriteriaRules, budget: Budget, depth: number): readonly Query[] {
  checkDepth(rules, depth);
  if (!Array.isArray(value)) throw notAnArray(name, value);
  const list: readonly unknown[] = value;
  // A database refuses it, and "all of nothing" would be every record.
  if (list.length === 0) throw new BadRequest(`Invalid value for ${name}: expected at least one query object`, { parameter: name });
  return Object.freeze(
    list.map((entry) => {
      if (!isPlainObject(entry)) {
        throw new BadRequest(`Invalid value for ${name}: expected an array of query objects`, { parameter: name });
      }
      // It is looked at for each record, whatever it holds.
      if (Object.keys(entry).length === 0) spend(rules, budget);
      return validateCriteria(entry, rules, budget, depth + 1);
    }),
  );
}

function propertyValue(name: string, value: unknown, rules: CriteriaRules, budget: Budget, depth: number, literal = false): unknown {
  if (typeof value !== 'object' || value === null) return scalar(name, value);
  if (Array.isArray(value)) return arrayValue(name, value, rules, budget, depth, literal);
  if (!isPlainObject(value)) return instance(name, value);
  return objectValue(name, value, rules, budget, depth, literal);
}

/** @param literal whether the object is a value to compare with, which has no operators */
function objectValue(name: string, value: Query, rules: CriteriaRules, budget: Budget, depth: number, literal: boolean): Readonly<Query> {
  checkDepth(rules, depth);
  const copy: Query = {};
  refuseSymbols(value, false);
  const keys = Object.keys(value);
  let properties = 0;
  for (const key of keys) {
    spend(rules, budget);
    const operand = value[key];
    if (!key.startsWith('$')) {
      properties += 1;
      checkPropertyName(key, rules.options);
      copy[key] = propertyValue(`${name}.${key}`, operand, rules, budget, depth + 1, literal || Array.isArray(operand));
    } else if (literal || !rules.operators.has(key)) {
      throw new BadRequest(`Invalid query parameter ${key}`, literal ? { parameter: key } : refusedName(key, 'property'));
    } else if (criteriaListOperators.has(key)) {
      copy[key] = criteriaList(key, operand, rules, budget, depth + 1);
    } else {
      if (listOperators.has(key)) {
        if (!Array.isArray(operand)) throw notAnArray(`${name}[${key}]`, operand);
        // Each is a condition of its own; values of the others are looked up.
        if (key === '$all') spend(rules, budget, operand.length);
      }
      if (key === '$options' && !Object.hasOwn(value, '$regex'))
        throw new BadRequest(`Invalid value for ${name}: $options is for $regex, and there is none`, { parameter: key });
      checkOperand(name, key, value);
      if (key === '$regex' && typeof operand === 'string')
        notePattern(rules, budget, typeof value.$options === 'string' ? `${value.$options}/${operand}` : `/${operand}`);
      const given = key === '$exists' ? presence(name, operand) : operand;
      copy[key] = propertyValue(`${name}[${key}]`, given, rules, budget, depth + 1, comparisonOperators.has(key));
    }
  }
  if (properties > 0 && properties < keys.length)
    throw new BadRequest(`Invalid value for ${name}: it has operators, or is an object to be compared with, and not both`, {
      parameter: name,
    });
  return Object.freeze(copy);
}

/** What validators of FeathersJS leave on a query that they have taken: no condition. Nothing follows from it here, where each query is checked. */
const SANITIZED: unique symbol = /* @__PURE__ */ Symbol.for('@feathersjs/adapter/sanitized') as never;

/** Code may give conditions under symbols, as operators of other libraries are: left out, they would let every record through. */
function refuseSymbols(source: object, whole: boolean): void {
  const symbol = Object.getOwnPropertySymbols(source).find((one) => !whole || one !== SANITIZED);
  if (symbol !== undefined) throw new BadRequest(`The query has ${String(symbol)} in it, and takes only names: symbols are no conditions`);
}

function arrayValue(
  name: string,
  value: readonly unknown[],
  rules: CriteriaRules,
  budget: Budget,
  depth: number,
  literal: boolean,
): readonly unknown[] {
  checkDepth(rules, depth);
  return Object.freeze(value.map((entry) => propertyValue(name, entry, rules, budget, depth + 1, literal)));
}

function scalar(name: string, value: unknown): unknown {
  if (value === undefined) {
    throw new BadRequest(`The query property '${name}' is undefined. Leave it out, or use null to find records without it`, {
      parameter: name,
    });
  }
  if (typeof value === 'function' || typeof value === 'symbol') throw incomparable(name);
  return value;
}

/** Whether a property is to be there: from an address it comes as a text, and any text would mean that it is. */
function presence(name: string, operand: unknown): unknown {
  if (operand === 'true' || operand === 'false') return operand === 'true';
  if (typeof operand !== 'string') return operand;
  throw new BadRequest(`Invalid value for ${name}[$exists]: expected true or false`, { parameter: `${name}[$exists]` });
}

function instance(name: string, value: object): unknown {
  if (isDate(value) && Number.isNaN(value.getTime())) {
    throw new BadRequest(`The query property '${name}' is a date that is none. Check what it was made of`, { parameter: name });
  }
  if (isBuiltIn('Promise', value))
    throw new BadRequest(`The query property '${name}' is a promise: wait for it, and then ask for its value`, { parameter: name });
  if (isBuiltIn('Map', value) || isBuiltIn('Set', value)) throw incomparable(name);
  // A database reads what an instance of a class has as it reads plain objects, unless it is a value of its own.
  const operator = '_bsontype' in value || 'toBSON' in value ? undefined : Object.keys(value).find((key) => key.startsWith('$'));
  if (operator !== undefined) throw new BadRequest(`Invalid query parameter ${operator}`, { parameter: operator });
  return inThisRealm(value);
}

function incomparable(name: string): BadRequest {
  return new BadRequest(`The query property '${name}' has a value that can not be compared`, { parameter: name });
}

function checkDepth(rules: CriteriaRules, depth: number): void {
  if (depth > rules.maxDepth + 1) {
    throw new BadRequest(`The query is nested too deeply: at most ${String(rules.maxDepth)} levels are allowed (maxDepth)`);
  }
}

function spend(rules: CriteriaRules, budget: Budget, keys = 1): void {
  budget.keys += keys;
  if (budget.keys > rules.maxKeys) {
    throw new BadRequest(`The query has too many keys: at most ${String(rules.maxKeys)} are allowed (maxKeys)`);
  }
}

/** The same pattern in several places is analysed once. */
function notePattern({ maxPatterns }: CriteriaRules, budget: Budget, pattern: string): void {
  const patterns = (budget.patterns ??= new Set());
  patterns.add(pattern);
  if (patterns.size > maxPatterns)
    throw new BadRequest(`The query has too many patterns: at most ${String(maxPatterns)} different ones are allowed`, {
      parameter: '$regex',
    });
}

/** The error for a value that should have been an array; names the limit of the query string parser when that explains it. */
export function notAnArray(name: string, value: unknown): BadRequest {
  const indexed = isPlainObject(value) && Object.keys(value).length > 0 && Object.keys(value).every((key) => /^\d+$/.test(key));
  return new BadRequest(
    indexed
      ? `Invalid value for ${name}: expected an array. Arrays of more than 20 items in a query string become objects; ` +
          `raise the array limit with the 'query parser' setting, or declare the property in a query schema`
      : `Invalid value for ${name}: expected an array`,
    { parameter: name },
  );
}

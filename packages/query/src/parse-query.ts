import { BadRequest } from '@framework/errors';
import { limitFor, parseCount } from './filters/limit.ts';
import { parseSelect } from './filters/select.ts';
import { parseSort } from './filters/sort.ts';
import { refusedName } from './hints.ts';
import { defaultOperators, filterNames, logicalOperators } from './operators.ts';
import { isPlainObject } from './plain-object.ts';
import { PARSED_QUERY, type ParsedQuery, type Query, type QueryOptions } from './query-types.ts';
import { MAX_KEYS, validateTopLevel, type CriteriaRules } from './validate-criteria.ts';

/**
 * Reads and checks a query of the common syntax.
 *
 * @param query the query as the caller gave it, for example `params.query`; nothing counts as `{}`
 * @param options what the service allows; the same object should be used for each call, its rules are worked out once
 * @returns a frozen value; the input is neither kept nor changed
 * @throws BadRequest (400) for everything that is not allowed
 * @see interface 4.6, security S2, S3, S8, S14
 */
export function parseQuery(query: Query | null | undefined, options: QueryOptions = NO_OPTIONS): ParsedQuery {
  if (query === null || query === undefined) return emptyQuery(options);
  if (!isPlainObject(query)) throw new BadRequest('The query must be an object');

  const rules = rulesFor(options);
  let extra: Query | undefined;
  for (const name of Object.keys(query)) {
    if (!name.startsWith('$') || rules.logical.has(name)) continue;
    if (rules.filters.has(name)) extra = { ...extra, [name]: rules.filters.get(name)?.(query[name]) };
    else if (!filterNames.includes(name)) {
      throw new BadRequest(`Invalid filter value ${name.slice(0, 100)}`, refusedName(name.slice(0, 100), 'query'));
    }
  }
  const skip = parseCount('$skip', query.$skip);
  if (skip !== undefined && options.maxSkip !== undefined && skip > options.maxSkip) {
    throw new BadRequest(`$skip may be at most ${String(options.maxSkip)}`, { parameter: '$skip' });
  }
  return Object.freeze({
    [PARSED_QUERY]: true as const,
    limit: limitFor(parseCount('$limit', query.$limit), options.paginate),
    skip,
    sort: parseSort(query.$sort, options),
    select: parseSelect(query.$select, options),
    criteria: validateTopLevel(query, rules),
    extra: extra ? Object.freeze(extra) : NOTHING,
  });
}

interface Rules extends CriteriaRules {
  readonly filters: ReadonlyMap<string, (value: unknown) => unknown>;
}

const NO_OPTIONS: QueryOptions = /* @__PURE__ */ Object.freeze({});
const NOTHING: Readonly<Query> = /* @__PURE__ */ Object.freeze({});
const rulesByOptions = new WeakMap<QueryOptions, Rules>();

function rulesFor(options: QueryOptions): Rules {
  const known = rulesByOptions.get(options);
  if (known) return known;
  const operators = options.operators ?? [];
  const rules: Rules = {
    operators: new Set([...defaultOperators, ...operators]),
    logical: new Set([...logicalOperators, ...operators.filter((name) => name === '$nor')]),
    filters: extraFilters(options),
    maxDepth: options.maxDepth ?? 5,
    maxKeys: options.maxKeys ?? MAX_KEYS,
    maxPatterns: options.maxPatterns ?? 10,
    options,
  };
  rulesByOptions.set(options, rules);
  return rules;
}

function extraFilters(options: QueryOptions): ReadonlyMap<string, (value: unknown) => unknown> {
  const keep = (value: unknown): unknown => value;
  const { filters } = options;
  if (filters === undefined) return new Map();
  if (isList(filters)) return new Map(filters.map((name) => [name, keep]));
  return new Map(Object.entries(filters).map(([name, convert]) => [name, convert === true ? keep : convert]));
}

function isList(filters: NonNullable<QueryOptions['filters']>): filters is readonly string[] {
  return Array.isArray(filters);
}

function emptyQuery(options: QueryOptions): ParsedQuery {
  return Object.freeze({
    [PARSED_QUERY]: true as const,
    limit: limitFor(undefined, options.paginate),
    skip: undefined,
    sort: undefined,
    select: undefined,
    criteria: NOTHING,
    extra: NOTHING,
  });
}

/**
 * Tells whether a value came from {@link parseQuery}.
 *
 * @param value anything
 */
export function isParsedQuery(value: unknown): value is ParsedQuery {
  return typeof value === 'object' && value !== null && PARSED_QUERY in value && value[PARSED_QUERY] === true;
}

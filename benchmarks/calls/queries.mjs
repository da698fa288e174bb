// Checking a query, and validating and converting one by its schema, with the incumbent beside.
import { filterQuery } from '@feathersjs/adapter-commons';
import incumbent from '@feathersjs/schema';
import typebox from '@feathersjs/typebox';
import { parseQuery } from '@framework/query';
import { getValidator, querySyntax, Type, validateQuery } from '@framework/schema';
import { parseQueryString } from '@framework/transport-express';
import qs from 'qs';
import { compare } from '../measure/compare.mjs';
import { withInterval } from '../measure/table.mjs';

const TEXT =
  'population[$gt]=1000000&population[$lt]=20000000&capital=true&country[$in][]=IT&country[$in][]=FR&$limit=5&$sort[population]=-1';
const QUERY = qs.parse(TEXT);
const CONVERTED = {
  population: { $gt: 1000000, $lt: 20000000 },
  capital: true,
  country: { $in: ['IT', 'FR'] },
  $limit: 5,
  $sort: { population: -1 },
};

/** JSON with sorted keys. */
function textOf(value) {
  return JSON.stringify(value, (_key, inner) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner) ? Object.fromEntries(Object.entries(inner).sort()) : inner,
  );
}

function same(title, value, expected) {
  if (textOf(value) !== textOf(expected)) throw new Error(`${title}: another answer: ${textOf(value)}`);
}

/** @returns calls a before hook with the query */
function hookOf(hook) {
  return async () => {
    const context = { params: { query: QUERY }, type: 'before' };
    await hook(context);
    return context;
  };
}

const properties = (T) => ({ name: T.String(), country: T.String(), population: T.Integer(), capital: T.Boolean(), latitude: T.Number() });

/**
 * @param schema `@framework/schema`, of whichever checkout
 * @returns validates and converts the query once
 */
function validating({ getValidator, querySyntax, Type, validateQuery }) {
  return hookOf(validateQuery(getValidator(querySyntax(Type.Object(properties(Type))))));
}

export async function queries() {
  const rules = { paginate: { default: 10, max: 50 } };
  const checks = {
    incumbent: () => filterQuery(QUERY, rules),
    ours: () => parseQuery(QUERY, rules),
  };
  same('query check', checks.ours().limit, checks.incumbent().filters.$limit);
  same('query check', checks.ours().sort, checks.incumbent().filters.$sort);

  const ours = validating({ getValidator, querySyntax, Type, validateQuery });
  const { Ajv, validateQuery: theirHook } = incumbent;
  const syntax = typebox.querySyntax(typebox.Type.Object(properties(typebox.Type)));
  const theirs = hookOf(theirHook(typebox.getValidator(syntax, new Ajv({ coerceTypes: true }))));
  for (const [name, run] of Object.entries({ ours, theirs })) same(name, (await run()).params.query, CONVERTED);

  const texts = { qs: () => qs.parse(TEXT), ours: () => parseQueryString(TEXT) };
  same('query string', texts.ours(), texts.qs());

  const figures = {
    check: (await compare(checks)).ratio('ours'),
    validate: (await compare({ incumbent: theirs, ours })).ratio('ours'),
    text: (await compare(texts)).ratio('ours'),
  };
  return {
    figures,
    head: ['A typical query (filters, operators, limit, order)', 'ours'],
    rows: [
      ["check, x the incumbent's filterQuery", withInterval(figures.check)],
      ["validate and convert by its schema, x the incumbent's validateQuery", withInterval(figures.validate)],
      ['parse the query string with its limits, x qs', withInterval(figures.text)],
    ],
  };
}

// Validating and converting a typical query by its schema, with the incumbent's hook beside ours.
import { getValidator, querySyntax, Type, validateQuery } from '@framework/schema';
import incumbent from '@feathersjs/schema';
import typebox from '@feathersjs/typebox';
import { compare } from './measure/compare.mjs';

const QUERY = {
  population: { $gt: '1000000', $lt: '20000000' },
  capital: 'true',
  country: { $in: ['IT', 'FR'] },
  $limit: '5',
  $sort: { population: '-1' },
};
const EXPECTED =
  '{"population":{"$gt":1000000,"$lt":20000000},"capital":true,"country":{"$in":["IT","FR"]},"$limit":5,"$sort":{"population":-1}}';

function hookOf(hook) {
  return async () => {
    const context = { params: { query: QUERY }, type: 'before' };
    await hook(context);
    return context;
  };
}

const properties = (T) => ({ name: T.String(), country: T.String(), population: T.Integer(), capital: T.Boolean(), latitude: T.Number() });
const ours = validateQuery(getValidator(querySyntax(Type.Object(properties(Type)))));
const theirs = incumbent.validateQuery(
  typebox.getValidator(typebox.querySyntax(typebox.Type.Object(properties(typebox.Type))), new incumbent.Ajv({ coerceTypes: true })),
);
for (const run of [hookOf(ours), hookOf(theirs)]) {
  const { params } = await run();
  const sorted = (value) => JSON.stringify(value, Object.keys(JSON.parse(EXPECTED)).concat('$gt', '$lt', '$in', '0', '1'));
  if (sorted(params.query) !== sorted(JSON.parse(EXPECTED))) throw new Error(`Another answer: ${JSON.stringify(params.query)}`);
}
await compare('validate and convert a typical query', { 'the incumbent': hookOf(theirs), ours: hookOf(ours) });

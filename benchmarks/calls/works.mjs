// Small pieces of work in one process, of the packages of one checkout: what costs a little more with each change shows only beside another checkout.

const RECORD = Object.freeze({ id: 1, name: 'Ann Example' });
const DATA = Object.freeze({ name: 'Ann', email: 'ann@example.com', age: 3, tags: ['a', 'b'], address: { city: 'Bern', code: 3 } });
const QUERY = Object.freeze({
  population: { $gt: '1000000', $lt: '20000000' },
  capital: 'true',
  country: { $in: ['IT', 'FR'] },
  $limit: '5',
  $sort: { population: '-1' },
});
const RECORDS = 10_000;

const around = async (context, next) => {
  context.params.seen = true;
  await next();
};
const plain = (context) => {
  context.params.seen = true;
};

function calls({ framework }) {
  const serviceWith = (hooks) => {
    const app = framework();
    app.use('items', { get: async () => RECORD, create: async (data) => data });
    app.service('items').hooks(hooks);
    return app.service('items');
  };
  const bare = serviceWith({});
  const four = serviceWith({ around: { all: Array(4).fill(around) } });
  const regular = serviceWith({ before: { all: [plain, plain] }, after: { all: [plain, plain] } });
  return {
    'get without hooks': () => bare.get(1, {}),
    'get for a caller from outside': () => bare.get(1, { provider: 'rest', query: {} }),
    'create for a caller from outside': () => bare.create(DATA, { provider: 'rest', query: {} }),
    'get with 4 around hooks': () => four.get(1, {}),
    'get with 2 + 2 synchronous hooks': () => regular.get(1, {}),
  };
}

function schemas({ Type, getValidator, querySyntax, resolve, resolveResult, validateData, validateQuery, virtual }) {
  const address = Type.Object({ city: Type.String(), code: Type.Number() });
  const data = validateData(
    getValidator(Type.Object({ name: Type.String(), email: Type.String(), age: Type.Number(), tags: Type.Array(Type.String()), address })),
  );
  const query = validateQuery(
    getValidator(querySyntax(Type.Object({ population: Type.Number(), capital: Type.Boolean(), country: Type.String() }))),
  );
  const result = resolveResult(resolve({ name: async (value) => value, full: virtual(async ({ name }) => `${name}!`) }));
  const many = Array.from({ length: 50 }, (_, id) => ({ id, ...DATA }));
  const hookOf = (hook, of) => () => hook({ type: 'around', path: 'items', app: {}, service: {}, ...of() }, async () => {});
  return {
    'validate data': hookOf(data, () => ({ method: 'create', params: {}, data: { ...DATA } })),
    'validate and convert a query': hookOf(query, () => ({ method: 'find', params: { query: QUERY } })),
    'resolve a record': hookOf(result, () => ({ method: 'get', params: {}, result: { id: 1, ...DATA } })),
    'resolve 50 records': hookOf(result, () => ({ method: 'find', params: {}, result: many })),
  };
}

async function memory({ MemoryService }) {
  const store = Array.from({ length: RECORDS }, (_, id) => ({ id, active: id % 2 === 0, ...DATA, age: id % 90 }));
  const service = new MemoryService({ store, multi: true, paginate: { default: 10, max: 50 } });
  let last = 0;
  const next = () => (last = (last + 7919) % RECORDS);
  return {
    'records in memory: get': () => service.get(next()),
    'records in memory: a page of all': () => service.find({ query: { $limit: 10 } }),
    'records in memory: a page of some, in order': () =>
      service.find({ query: { age: { $gt: 40 }, active: true, $sort: { age: -1, name: 1 }, $limit: 10 } }),
    'records in memory: find by ids': () => service.find({ query: { id: { $in: [1, 2, 3] } } }),
    'records in memory: patch': () => service.patch(next(), { age: 3 }),
    'records in memory: update': () => service.update(next(), DATA),
    'records in memory: create and remove': async () => service.remove((await service.create(DATA)).id),
  };
}

/**
 * @param load gives a package of the checkout by its folder
 * @returns pieces of work by their titles
 */
export async function worksOf(load) {
  const { parseQuery } = await load('query');
  const { parseQueryString } = await load('transport-express');
  const text = 'population[$gt]=1000000&capital=true&country[$in][]=IT&country[$in][]=FR&$limit=5&$sort[population]=-1';
  return {
    ...calls(await load('core')),
    ...schemas(await load('schema')),
    ...(await memory(await load('adapter-memory'))),
    'parse a query string': () => parseQueryString(text),
    'check a query': () => parseQuery(QUERY, { paginate: { default: 10, max: 50 } }),
  };
}

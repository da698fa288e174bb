import { isDeepStrictEqual } from 'node:util';
import { createAliasResolver, createMongoAbility, type RawRuleOf, type MongoAbility } from '@casl/ability';
import { feathers } from '@feathersjs/feathers';
import { memory } from '@feathersjs/memory';
import { Random } from '@framework-internal/testing';
import { framework } from '@framework/core';
import { expect, it } from '@jest/globals';
import { authorize } from 'feathers-casl';

/** Applications of one run. */
const ROUNDS = Number(process.env.CASL_PLANS ?? 400);
const FIELDS = ['id', 'ownerId', 'public', 'title', 'note'];

interface Plan {
  readonly around: boolean;
  readonly rules: RawRuleOf<MongoAbility>[];
  readonly calls: readonly { readonly method: string; readonly args: readonly unknown[]; readonly query: object }[];
}

function planCalls(random: Random): Plan {
  const condition = (): Record<string, unknown> =>
    random.pick<Record<string, unknown>>([
      { ownerId: 1 },
      { public: true },
      { ownerId: { $in: [1, 2] } },
      { ownerId: { $ne: 2 } },
      { id: 2 },
    ]);
  const rules = Array.from({ length: 1 + random.below(4) }, () => ({
    action: random.pick(['find', 'get', 'read', 'create', 'update', 'patch', 'remove', 'manage']),
    subject: random.pick(['articles', 'articles', 'all', 'others']),
    inverted: random.oneIn(4),
    ...(random.oneIn(2) ? { conditions: condition() } : {}),
    ...(random.oneIn(4) ? { fields: FIELDS.filter(() => random.oneIn(2)).concat('id') } : {}),
  }));
  const id = (): unknown => random.pick([1, 2, 3, 99]);
  const data = (): object => ({ ownerId: 1 + random.below(2), title: 'new', public: random.oneIn(2) });
  const calls = Array.from({ length: 6 }, () => {
    const method = random.pick(['find', 'get', 'create', 'update', 'patch', 'remove']);
    const args: unknown[] = [];
    if (method === 'get' || method === 'update') args.push(id());
    if (method === 'patch' || method === 'remove') args.push(random.oneIn(3) ? null : id());
    if (method === 'create') args.push(random.oneIn(4) ? [data(), data()] : data());
    if (method === 'update' || method === 'patch') args.push(data());
    const query = random.pick([{}, {}, condition(), { $select: ['id', 'note'] }, { $or: [condition(), condition()] }, { $limit: 1 }]);
    return { method, args, query };
  });
  return { around: random.oneIn(2), rules, calls };
}

async function run(app: any, { around, rules, calls }: Plan): Promise<{ readonly name?: string; readonly result?: unknown }[]> {
  app.use(
    'articles',
    memory({ startId: 4, multi: true, operators: ['$nor', '$not', '$and', '$or', '$in', '$ne'], filters: { $nor: true } }),
  );
  const service = app.service('articles');
  service.options.store = service.store = {
    1: { id: 1, ownerId: 1, public: true, title: 'one', note: 'a' },
    2: { id: 2, ownerId: 1, public: false, title: 'two', note: 'b' },
    3: { id: 3, ownerId: 2, public: true, title: 'three', note: 'c' },
  };
  const hook = authorize({ adapter: '@feathersjs/memory', availableFields: FIELDS });
  service.hooks(around ? { around: { all: [hook] } } : { before: { all: [hook] }, after: { all: [hook] } });
  const resolveAction = createAliasResolver({ read: ['get', 'find'] });
  const outcome = [];
  for (const { method, args, query } of calls) {
    const params = { provider: 'rest', query: structuredClone(query), ability: createMongoAbility(rules, { resolveAction }) };
    try {
      outcome.push({ result: structuredClone(await service[method](...structuredClone(args), params)) });
    } catch (error) {
      const { name, code, message } = error as { name: string; code?: number; message: string };
      outcome.push({ name, code, message });
    }
  }
  return [...outcome, { result: structuredClone(service.store) }];
}

it('answers calls under generated rules of feathers-casl as the incumbent does, and writes the same', async () => {
  const seed = Number(process.env.CASL_SEED ?? 261_130);
  const random = new Random(seed);
  const plans = new Set<string>();
  const ends = new Map<string, number>();
  for (let round = 0; round < ROUNDS; round++) {
    const plan = planCalls(random);
    plans.add(JSON.stringify(plan));
    const [theirs, ours] = [await run(feathers(), plan), await run(framework(), plan)];
    for (const { name = 'result' } of theirs) ends.set(name, (ends.get(name) ?? 0) + 1);
    if (!isDeepStrictEqual(ours, theirs)) expect({ seed, round, plan, outcome: ours }).toEqual({ seed, round, plan, outcome: theirs });
  }
  process.stdout.write(`seed ${String(seed)}: ${String(plans.size)} plans, ${JSON.stringify([...ends])}\n`);
  expect(plans.size).toBeGreaterThan(ROUNDS * 0.98);
  for (const end of ['result', 'Forbidden', 'NotFound']) expect(ends.get(end) ?? 0).toBeGreaterThan(ROUNDS / 10);
});

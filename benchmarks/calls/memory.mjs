// Records in memory: `get` beside a Map and one copy, and `find` with a filter and an order over 10,000 records beside the incumbent's adapter.
import { MemoryService as Incumbent } from '@feathersjs/memory';
import { MemoryService } from '@framework/adapter-memory';
import { framework } from '@framework/core';
import { compare } from '../measure/compare.mjs';
import { withInterval } from '../measure/table.mjs';

const RECORDS = 10_000;
const CITIES = ['Bern', 'Rome', 'Oslo', 'Lima', 'Cairo', 'Perth', 'Quito', 'Tunis'];

const flat = (id) => ({
  id,
  name: `Name ${id}`,
  email: `n${id}@example.com`,
  age: id % 90,
  active: id % 2 === 0,
  createdAt: '2026-01-01T00:00:00.000Z',
});
// Written out: what is spread with others in one expression is another kind of object each time, which is slow for both.
const nested = (id) => ({
  id,
  name: `Name ${id}`,
  email: `n${id}@example.com`,
  age: id % 90,
  active: id % 2 === 0,
  address: { city: CITIES[id % 8], code: id },
  tags: ['a', `b${id % 10}`],
});

/** The cheapest copies that share nothing with the record, by somebody who knows what is in it. */
const copyFlat = (record) => ({ ...record });
function copyNested(record) {
  const copy = { ...record };
  copy.address = { ...record.address };
  copy.tags = [...record.tags];
  return copy;
}

function byHand(records, copy) {
  const map = new Map(records.map((record) => [record.id, record]));
  return async (id) => {
    const record = map.get(id);
    if (record === undefined) throw new Error('not found');
    return copy(record);
  };
}

/** Ids that do not follow each other. */
function ids() {
  let count = 0;
  return () => (count++ * 7919) % RECORDS;
}

function same(title, value, expected) {
  if (JSON.stringify(value) !== JSON.stringify(expected))
    throw new Error(`${title}: another answer: ${JSON.stringify(value).slice(0, 200)}`);
}

async function compareGets(make, copy) {
  const records = Array.from({ length: RECORDS }, (_, id) => make(id));
  const hand = byHand(records, copy);
  const service = new MemoryService({ store: records });
  const registered = framework()
    .use('items', new MemoryService({ store: records }))
    .service('items');
  const next = ids();
  const works = {
    'a Map and one copy': () => hand(next()),
    get: () => service.get(next()),
    '_get with parameters': () => service._get(next(), {}),
    'app.service(path).get': () => registered.get(next()),
  };
  same('get', await service.get(77), await hand(77));
  same('app.service(path).get', await registered.get('77'), await hand(77));
  const { ratio } = await compare(works, { rounds: 31 });
  return Object.fromEntries(Object.keys(works).map((name) => [name, ratio(name)]));
}

/** Queries by what they are. */
export const FINDS = {
  'filter, order, all that match': { age: { $gt: 30, $lt: 60 }, active: true, $sort: { name: 1 } },
  'filter, order, the first 10': { age: { $gt: 30, $lt: 60 }, active: true, $sort: { name: 1 }, $limit: 10 },
  'filter by $in and $or, order of two keys, the first 20': {
    $or: [{ 'address.city': { $in: ['Bern', 'Lima'] } }, { age: 5 }],
    $sort: { age: -1, name: 1 },
    $limit: 20,
  },
};

async function compareFinds(query) {
  const records = Array.from({ length: RECORDS }, (_, id) => nested(id));
  const ours = new MemoryService({ store: records });
  const theirs = new Incumbent({ store: Object.fromEntries(records.map((record) => [record.id, record])) });
  const works = { ours: () => ours.find({ query }), incumbent: () => theirs.find({ query }) };
  const found = await works.ours();
  if (found.length === 0) throw new Error('nothing was found');
  // Texts are sorted by code points here and as localised text there, which is the same for these.
  same('find', found, await works.incumbent());
  return (await compare(works, { rounds: 15, calls: 50 })).ratio('incumbent', 'ours');
}

export async function memory() {
  const gets = { flat: await compareGets(flat, copyFlat), nested: await compareGets(nested, copyNested) };
  const finds = {};
  for (const [title, query] of Object.entries(FINDS)) finds[title] = await compareFinds(query);
  return {
    figures: { gets, finds },
    head: ['Records in memory, 10,000 of them', 'ratio'],
    rows: [
      ...Object.entries(gets).flatMap(([kind, ratios]) =>
        Object.entries(ratios)
          .slice(1)
          .map(([name, ratio]) => [`${name}, ${kind} records, x a Map and one copy`, withInterval(ratio)]),
      ),
      ...Object.entries(finds).map(([title, ratio]) => [`find, ${title}: @feathersjs/memory, x ours`, withInterval(ratio)]),
    ],
  };
}

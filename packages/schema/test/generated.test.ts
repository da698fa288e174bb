import { framework, type Params } from '@framework/core';
import { parseQueryString } from '@framework/transport-express';
import { Random, Variety } from '@framework-internal/testing';
import { describe, expect, it } from '@jest/globals';
import qs from 'qs';
import { DateSchema, Nullable, serviceSchema, StringEnum, Type, type TSchema } from '../src/index.ts';

const SEED = Number(process.env.SCHEMA_SEED ?? 20_261_121);
/** Schemas, and queries for each of them; the long form is a command of its own (CONTRIBUTING.md). */
const [SCHEMAS, QUERIES] = [Number(process.env.SCHEMA_RUNS ?? 60), 100];

const source = new Random(SEED);
const random = (limit: number): number => source.below(limit);
const pick = <T>(list: readonly T[]): T => source.pick(list);
const chance = (percent: number): boolean => random(100) < percent;

/** A kind of property: its schema, values that its type allows, and values that it does not. */
interface Kind {
  readonly schema: TSchema;
  readonly value: () => unknown;
  readonly wrong: readonly unknown[];
}

const integer = (): number => random(2000) - 1000;
const number = (): number => integer() / 8;
const text = (): string => pick(['a', 'Ann', '5', 'true', 'null', 'a b&c=d', 'é€', '[x]', '%41', '2020-01-01']);
const date = (): Date => new Date(1e12 + random(1e9) * 1000);

const KINDS: readonly Kind[] = [
  { schema: Type.String(), value: text, wrong: [5, true, null, { $regex: 'a' }, {}] },
  { schema: Type.Integer(), value: integer, wrong: ['10abc', '', '1e309', 1.5, '1.5', true, null, ' 1', '0x1', {}] },
  { schema: Type.Number(), value: number, wrong: ['1,5', '', 'NaN', 'Infinity', true, null, '--1'] },
  { schema: Type.Boolean(), value: () => chance(50), wrong: ['yes', '1', 1, '', null, 'TRUE'] },
  { schema: DateSchema(), value: date, wrong: ['tomorrow', '', '2020-13-01', 5, null] },
  { schema: StringEnum(['red', 'green']), value: () => pick(['red', 'green']), wrong: ['blue', '', 1, null] },
  { schema: Nullable(Type.Integer()), value: () => (chance(30) ? null : integer()), wrong: ['x', 1.5, true] },
  { schema: Type.Array(Type.Integer()), value: integer, wrong: ['x', true, null] },
];

interface Generated {
  readonly names: readonly string[];
  readonly kinds: Readonly<Record<string, Kind>>;
}

function generateRecord(): Generated {
  const names = Array.from({ length: 1 + random(5) }, (_, index) => `${pick(['name', 'size', 'count', 'a-b', 'ö'])}${index}`);
  return { names, kinds: Object.fromEntries(names.map((name) => [name, pick(KINDS)])) };
}

const COMPARISONS = ['$gt', '$gte', '$lt', '$lte', '$ne'] as const;

function condition(kind: Kind): unknown {
  if (chance(40)) return kind.value();
  const operators: [string, unknown][] = [];
  if (chance(70)) operators.push([pick(COMPARISONS), kind.value()]);
  if (chance(40) || operators.length === 0) operators.push([pick(['$in', '$nin']), Array.from({ length: 1 + random(3) }, kind.value)]);
  return Object.fromEntries(operators);
}

function criteria({ names, kinds }: Generated, depth: number): Record<string, unknown> {
  const query: Record<string, unknown> = {};
  for (const name of names) if (chance(60)) query[name] = condition(kinds[name] as Kind);
  if (depth > 0 && chance(40))
    query[pick(['$or', '$and'])] = Array.from({ length: 1 + random(2) }, () =>
      notEmpty(criteria({ names, kinds }, depth - 1), { names, kinds }),
    );
  return query;
}

/** A query string can not hold an empty object. */
function notEmpty(query: Record<string, unknown>, { names, kinds }: Generated): Record<string, unknown> {
  const [name] = names as [string];
  return Object.keys(query).length > 0 ? query : { [name]: (kinds[name] as Kind).value() };
}

function generateQuery(record: Generated): Record<string, unknown> {
  // Brackets of a query string nest five deep at most (security S12).
  const query = criteria(record, 1);
  if (chance(30)) query.$limit = random(50);
  if (chance(30)) query.$skip = random(50);
  if (chance(30)) query.$sort = Object.fromEntries([[pick(record.names), pick([1, -1])]]);
  if (chance(30)) query.$select = [pick(record.names)];
  return query;
}

/** Ways to break a query, by their names. */
const faultsOf = (name: string, wrong: unknown): Readonly<Record<string, object>> => ({
  'wrong value': { [name]: wrong },
  'wrong operand': { [name]: { [pick(COMPARISONS)]: wrong } },
  'wrong in a list': { [name]: { $in: [wrong] } },
  'unknown property': { other: 1 },
  'unknown operator': { [name]: { $where: '1' } },
  'unknown order': { $sort: { other: 1 } },
  'wrong limit': { $limit: pick([-1, 1.5, '10abc', '', null, {}]) },
  'unknown selection': { $select: ['other'] },
  'unknown in a branch': { $or: [{ other: 1 }] },
  'branches that are none': { $or: 'x' },
});
const FAULTS = Object.keys(faultsOf('', undefined));

/** As the incumbent's client writes it. */
const asText = (query: object): string => qs.stringify(query, { skipNulls: false });

describe(`generated schemas and queries, seed ${String(SEED)}`, () => {
  it('what the types allow is accepted, arrives with the declared types from objects and from query strings, and nothing else is accepted', async () => {
    const variety = new Variety();
    for (let round = 0; round < SCHEMAS; round++) {
      const record = generateRecord();
      const schema = serviceSchema({
        record: Type.Object(Object.fromEntries(record.names.map((name) => [name, (record.kinds[name] as Kind).schema]))),
      });
      const seen: unknown[] = [];
      const service = framework()
        .use('items', { find: async (params?: Params) => void seen.push(params?.query) }, { schema })
        .service('items');
      for (let count = 0; count < QUERIES; count++) {
        const query = generateQuery(record);
        const text = asText(query);
        const told = `seed ${String(SEED)}, ${text}`;
        seen.length = 0;
        await service.find({ query });
        await service.find({ query: parseQueryString(text), provider: 'rest' });
        expect([told, seen[0]]).toEqual([told, query]);
        expect([told, seen[1]]).toEqual([told, query]);
        variety.tried(text);
        for (const [word] of JSON.stringify(query).matchAll(/\$\w+/g)) variety.took(word);

        const name = pick(record.names);
        const faults = faultsOf(name, pick((record.kinds[name] as Kind).wrong));
        const kind = pick(FAULTS);
        const broken = { ...query, ...faults[kind] };
        variety.took(kind);
        const outcome = await service.find({ query: broken, provider: 'rest' }).then(
          () => 'accepted',
          (error: unknown) => (error as { code: number }).code,
        );
        expect([`seed ${String(SEED)}, ${JSON.stringify(broken)}`, outcome]).toEqual([expect.anything(), 400]);
      }
    }
    console.log(variety.report('generated schemas and queries', SEED));
    const allowed = [...COMPARISONS, '$in', '$nin', '$or', '$and', '$limit', '$skip', '$sort', '$select'];
    const often = (SCHEMAS * QUERIES) / 12;
    variety.expect(SCHEMAS * QUERIES * 0.9, {
      ...Object.fromEntries(allowed.map((name) => [name, often])),
      ...Object.fromEntries(FAULTS.map((name) => [name, often])),
    });
  });
});

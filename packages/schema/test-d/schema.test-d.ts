// Compiled by the type check, never run: a record that is described once types everything else.
import { DocDbService, type DocDbParams } from '@framework/adapter-docdb';
import { framework, type Paginated } from '@framework/core';
import { z } from 'zod';
import {
  DateSchema,
  Nullable,
  ObjectIdSchema,
  resolve,
  serviceSchema,
  StringEnum,
  Type,
  virtual,
  type DataType,
  type PatchType,
  type QueryType,
  type RecordType,
} from '../src/index.ts';

const schema = serviceSchema({
  record: Type.Object({
    _id: Type.String(),
    name: Type.String(),
    population: Type.Integer(),
    capital: Type.Optional(Type.Boolean()),
    founded: DateSchema(),
    kind: StringEnum(['town', 'city']),
    mayor: Nullable(Type.String()),
    tags: Type.Array(Type.String()),
    place: Type.Object({ country: Type.String(), height: Type.Number() }),
    createdAt: Type.Readonly(Type.Number()),
  }),
});
type City = RecordType<typeof schema>;
type CityData = DataType<typeof schema>;
type CityPatch = PatchType<typeof schema>;
type CityQuery = QueryType<typeof schema>;

export const city: City = {
  _id: '1',
  name: 'Rome',
  population: 1,
  founded: new Date(),
  kind: 'city',
  mayor: null,
  tags: ['a'],
  place: { country: 'IT', height: 1 },
  createdAt: 1,
};
const { _id, createdAt, ...data } = city;
export const sent: CityData = data;
export const patched: CityPatch = { population: 5 };
// @ts-expect-error ids are not sent
export const withId: CityData = { ...data, _id: '1' };
// @ts-expect-error read-only properties are not sent
export const withTime: CityData = { ...data, createdAt: 1 };
// @ts-expect-error a property is missing
export const incomplete: CityData = { name: 'Rome' };
// @ts-expect-error a value of another type
export const wrongPatch: CityPatch = { population: 'many' };

// The query: properties, operators, filters and paths.
export const queries: CityQuery[] = [
  { name: 'Rome', population: { $gt: 5, $in: [1, 2] }, $limit: 5, $skip: 1, $sort: { population: -1 }, $select: ['name'] },
  { $or: [{ capital: true }, { $and: [{ founded: { $lt: new Date() } }] }], kind: { $ne: 'town' } },
  { 'place.country': 'IT', 'place.height': { $gte: 100 } },
];
// @ts-expect-error no such property
export const noProperty: CityQuery = { wrong: 1 };
// @ts-expect-error no such operator
export const noOperator: CityQuery = { population: { $regex: 'a' } };
// @ts-expect-error a value of another type
export const noValue: CityQuery = { population: { $gt: 'many' } };
// @ts-expect-error no such kind
export const noKind: CityQuery = { kind: 'village' };
// @ts-expect-error no such property to sort by
export const noSort: CityQuery = { $sort: { wrong: 1 } };
// @ts-expect-error no such direction
export const noDirection: CityQuery = { $sort: { name: 2 } };
// @ts-expect-error no such property to select
export const noSelect: CityQuery = { $select: ['wrong'] };
// @ts-expect-error no such path
export const noPath: CityQuery = { 'place.wrong': 1 };
// @ts-expect-error a value of another type inside $or
export const noOr: CityQuery = { $or: [{ population: 'many' }] };

// The service, its results and its hooks.
class CitiesService extends DocDbService<City, CityData, DocDbParams<CityQuery>, CityPatch> {}
declare const collection: ConstructorParameters<typeof CitiesService>[0]['Model'];
const app = framework().use('cities', new CitiesService({ Model: collection }), { schema });
const cities = app.service('cities');
export const made: Promise<City> = cities.create(data);
export const found: Promise<City[] | Paginated<City>> = cities.find({ query: { population: { $gt: 5 } } });
export const changed: Promise<City> = cities.patch('1', { population: 6 });
// @ts-expect-error no such property
void cities.find({ query: { wrong: 1 } });
// @ts-expect-error a value of another type
void cities.create({ ...data, population: 'many' });
// @ts-expect-error a property that is not sent
void cities.patch('1', { createdAt: 5 });
cities.hooks({
  before: {
    create: [
      (context) => {
        // One record, or several.
        const given: CityData | CityData[] = context.data;
        // @ts-expect-error no such property
        void context.params.query?.wrong;
        const limit: number | undefined = context.params.query?.$limit;
        return [given, limit];
      },
    ],
  },
  after: {
    get: [
      (context) => {
        const height: number | undefined = context.result?.place.height;
        // @ts-expect-error no such property
        return [height, context.result?.wrong];
      },
    ],
  },
});

// Resolvers, property by property.
export const resolver = resolve<City & { label: string }>({
  name: (name) => name?.trim(),
  label: virtual((record) => `${record.name} ${String(record.population)}`),
  population: async (population) => (population ?? 0) + 1,
});
// What is worked out may be one of a few texts of a property that takes any, whether it is optional or not.
export const rated = resolve<City & { label: string; size?: string | null }>({
  label: virtual(async ({ population }) => (population > 1_000_000 ? 'large' : 'small')),
  size: virtual(({ population }) => (population > 1_000_000 ? 'large' : null)),
});
// @ts-expect-error a value of another type
resolve<City & { label: string }>({ label: virtual(({ population }) => population) });
// @ts-expect-error a value of another type
resolve<City>({ population: () => 'many' });
// @ts-expect-error no such property
resolve<City>({ wrong: () => 1 });

// Validators of other libraries type the data.
export const fromZod = serviceSchema({
  record: Type.Object({ name: Type.String() }),
  data: z.object({ name: z.string(), age: z.number() }),
  patch: z.object({}),
});
export const zodData: DataType<typeof fromZod> = { name: 'Ann', age: 5 };
// @ts-expect-error a property is missing
export const zodIncomplete: DataType<typeof fromZod> = { name: 'Ann' };

// What callers send is the input of a schema that converts; what patch and extensions say reaches the types.
export const converting = serviceSchema({
  record: Type.Object({ name: Type.String(), age: Type.Integer() }),
  data: z.object({ name: z.string(), age: z.string().transform(Number) }),
  patch: Type.Object({ name: Type.Optional(Type.String()), $inc: Type.Optional(Type.Object({ age: Type.Integer() })) }),
  extensions: { name: { $regex: Type.String() } },
});
export const sentText: DataType<typeof converting> = { name: 'Ann', age: '5' };
// @ts-expect-error the output is not what is sent
export const sentNumber: DataType<typeof converting> = { name: 'Ann', age: 5 };
export const increase: PatchType<typeof converting> = { $inc: { age: 1 } };
// @ts-expect-error not part of the patch schema
export const agePatch: PatchType<typeof converting> = { age: 5 };
export const matching: QueryType<typeof converting> = { name: { $regex: '^A' } };
// @ts-expect-error a value of another type
export const wrongRegex: QueryType<typeof converting> = { name: { $regex: 5 } };
// @ts-expect-error an operator of another property
export const ageRegex: QueryType<typeof converting> = { age: { $regex: 'a' } };

// A record may be described by another library.
export const zodRecord = serviceSchema({ record: z.object({ name: z.string() }) });
export const zodNamed: RecordType<typeof zodRecord> = { name: 'Ann' };

const nested = serviceSchema({
  record: Type.Object({
    id: Type.Integer(),
    owner: ObjectIdSchema(),
    place: Type.Object({ region: Type.Object({ code: Type.Object({ iso: Type.String() }) }) }),
    items: Type.Array(Type.Object({ count: Type.Integer(), marks: Type.Array(Type.String()) })),
    lists: Type.Array(Type.Array(Type.Object({ count: Type.Integer() }))),
    shape: Type.Union([
      Type.Object({ kind: Type.Literal('circle'), radius: Type.Number() }),
      Type.Object({ kind: Type.Literal('text'), text: Type.String() }),
    ]),
    tree: Type.Recursive((This) => Type.Object({ name: Type.String(), parts: Type.Array(This) })),
  }),
  extensions: { $root: { $search: Type.String() } },
});
type NestedQuery = QueryType<typeof nested>;
export const nestedQueries: NestedQuery[] = [
  { 'place.region.code.iso': 'IT', 'place.region.code': { iso: 'IT' } },
  { 'items.count': { $gt: 1 }, 'items.marks': 'a', $sort: { 'items.count': 1 }, $select: ['items.count'] },
  { 'shape.kind': 'circle', 'shape.radius': 5, 'shape.text': { $in: ['a'] } },
  { 'tree.name': 'a', 'tree.parts.parts.name': 'b' },
  { $search: 'word', $or: [{ 'items.count': 1 }] },
];
// @ts-expect-error a code has no such part
export const noDeepPath: NestedQuery = { 'place.region.code.name': 'IT' };
// @ts-expect-error counts are numbers
export const noDeepValue: NestedQuery = { 'items.count': 'many' };
// @ts-expect-error the text of a text
export const noPartValue: NestedQuery = { 'shape.text': 5 };
// @ts-expect-error a list in a list is reached by its place alone
export const noListInList: NestedQuery = { 'lists.count': 5 };
// @ts-expect-error an id has no parts
export const noPartOfId: NestedQuery = { 'owner.toHexString': 'a' };
// @ts-expect-error words are texts
export const noSearch: NestedQuery = { $search: 5 };

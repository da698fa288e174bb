import { Default, serviceSchema, Type, type DataType, type PatchType, type QueryType, type RecordType } from '@framework/schema';

/** A city: its types, checks and conversions all follow from this. */
export const citySchema = serviceSchema({
  record: Type.Object({
    _id: Type.String(),
    name: Type.String({ minLength: 1, maxLength: 200 }),
    country: Type.String({ pattern: '^[A-Z]{2}$', description: 'ISO 3166-1 alpha-2 code' }),
    population: Type.Integer({ minimum: 0 }),
    capital: Default(Type.Boolean(), false),
    latitude: Type.Number({ minimum: -90, maximum: 90 }),
    longitude: Type.Number({ minimum: -180, maximum: 180 }),
  }),
});

/** A city, as it is stored and sent. */
export type City = RecordType<typeof citySchema>;

/** What a client sends to create or replace a city. */
export type CityData = DataType<typeof citySchema>;

/** What a client sends to change a city. */
export type CityPatch = PatchType<typeof citySchema>;

/** What may be asked of cities. */
export type CityQuery = QueryType<typeof citySchema>;

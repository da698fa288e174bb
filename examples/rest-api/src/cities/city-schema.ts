import { Type, type Static } from '@framework/schema';

/** A city, as it is stored and sent. */
export const citySchema = Type.Object(
  {
    _id: Type.String(),
    name: Type.String({ minLength: 1, maxLength: 200 }),
    country: Type.String({ pattern: '^[A-Z]{2}$', description: 'ISO 3166-1 alpha-2 code' }),
    population: Type.Integer({ minimum: 0 }),
    capital: Type.Boolean(),
    latitude: Type.Number({ minimum: -90, maximum: 90 }),
    longitude: Type.Number({ minimum: -180, maximum: 180 }),
  },
  { additionalProperties: false },
);

/** What a client sends to create or replace a city. */
export const cityDataSchema = Type.Object(
  {
    name: citySchema.properties.name,
    country: citySchema.properties.country,
    population: Type.Integer({ minimum: 0 }),
    capital: Type.Optional(Type.Boolean({ default: false })),
    latitude: citySchema.properties.latitude,
    longitude: citySchema.properties.longitude,
  },
  { additionalProperties: false },
);

/** A city. */
export type City = Static<typeof citySchema>;

/** Data of a new city. */
export type CityData = Static<typeof cityDataSchema>;

import { DocDbService } from '@framework/adapter-docdb';
import { authenticate } from '@framework/authentication';
import type { HookMap } from '@framework/core';
import { getDataValidator, getValidator, querySyntax, validateData, validateQuery } from '@framework/schema';
import type { Collection } from 'mongodb';
import { type City, type CityData, cityDataSchema, citySchema } from './city-schema.ts';

/** Cities of the world. */
export class CitiesService extends DocDbService<City, CityData> {}

/** Pages of at most 100 cities. */
export function createCitiesService(collection: Collection): CitiesService {
  return new CitiesService({ Model: collection, paginate: { default: 10, max: 100 } });
}

/** Anyone may read; only those who are logged in may write. */
export const citiesHooks: HookMap<unknown, CitiesService> = {
  before: {
    all: [validateQuery(getValidator(querySyntax(citySchema)))],
    create: [authenticate('jwt'), validateData(getDataValidator(cityDataSchema))],
    update: [authenticate('jwt'), validateData(getDataValidator(cityDataSchema))],
    patch: [authenticate('jwt'), validateData(getDataValidator(cityDataSchema))],
    remove: [authenticate('jwt')],
  },
};

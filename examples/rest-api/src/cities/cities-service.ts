import { DocDbService, type DocDbParams } from '@framework/adapter-docdb';
import type { Collection } from 'mongodb';
import type { City, CityData, CityPatch, CityQuery } from './city-schema.ts';

/** Cities of the world. */
export class CitiesService extends DocDbService<City, CityData, DocDbParams<CityQuery>, CityPatch> {}

/** Pages of at most 100 cities; several may be added at once. */
export function createCitiesService(collection: Collection): CitiesService {
  return new CitiesService({ Model: collection, paginate: { default: 10, max: 100 }, multi: ['create'] });
}

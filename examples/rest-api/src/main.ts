import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { listening } from '@framework/core';
import { shutdownOn } from '@framework/transport-express';
import { addServices, createApp } from './app.ts';
import { importCities } from './cities/import-cities.ts';
import { openDatabase } from './database.ts';

async function main(): Promise<void> {
  const app = createApp();
  await checkPort(app.get('port'));
  const database = await openDatabase(app);
  await addServices(app, database.db, (db) => importCities(db, process.stderr));
  const server = await app.listen(app.get('port'));
  const url = `http://localhost:${String((server.address() as AddressInfo).port)}`;
  console.log(introduction(url));
  shutdownOn(app, ['SIGINT', 'SIGTERM', 'disconnect'], { finish: () => database.close() });
}

/** The cities take a while to be imported: that the port is taken is said before. */
async function checkPort(port: number): Promise<void> {
  const server = await listening(createServer(), [port]);
  await once(server.close(), 'close');
}

function introduction(url: string): string {
  const login = `{"email":"me@example.com","password":"correct horse"`;
  const type = `-H 'Content-Type: application/json'`;
  return `
The REST API is ready at ${url}

  Watch the latest changes to cities, in as many browsers as you like:
    ${url}/live

  Read the description of the API, and try it:
    ${url}/openapi.json/ui

  List the cities:
    curl '${url}/cities'

  Filter them (capitals of more than a million people, largest first, two fields):
    curl -g '${url}/cities?population[$gt]=1000000&capital=true&$sort[population]=-1&$limit=5&$select[]=name&$select[]=population'

  Register and log in:
    curl -s '${url}/users' ${type} -d '${login}}'; TOKEN=$(curl -s '${url}/authentication' ${type} -d '${login},"strategy":"local"}' | node -p 'JSON.parse(require("fs").readFileSync(0)).accessToken'); echo "$TOKEN"

  Write (with the token of the login):
    curl '${url}/cities' -H "Authorization: Bearer $TOKEN" ${type} -d '{"name":"Newtown","country":"GB","population":12,"latitude":52.5,"longitude":-3.3}'
`;
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});

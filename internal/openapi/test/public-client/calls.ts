// One call of each kind over the document of the example, by openapi-fetch and types that openapi-typescript makes of it: `api.ts`, which
// `public-client.test.ts` writes beside a copy of this file.
import createClient from 'openapi-fetch';
import type { components, paths } from './api.ts';

/** What the calls have given. */
export type Seen = Readonly<Record<string, unknown>>;

type City = components['schemas']['Cities'];

const PASSWORD = 'correct horse';

/** @param baseUrl address of the running example */
export async function makeCalls(baseUrl: string): Promise<Seen> {
  const client = createClient<paths, 'application/json'>({ baseUrl, headers: { accept: 'application/json' } });
  const email = `generated-${crypto.randomUUID()}@example.com`;

  const user = await client.POST('/users', { body: { email, password: PASSWORD } });
  const anonymous = await client.POST('/cities', { body: city('Nobody', 1) });
  const login = await client.POST('/authentication', { body: { strategy: 'local', email, password: PASSWORD } });
  const token: string = (login.data as { accessToken: string }).accessToken;
  client.use({
    onRequest({ request }) {
      request.headers.set('authorization', `Bearer ${token}`);
      return request;
    },
  });

  const one = await client.POST('/cities', { body: city('Generated', 7) });
  const created = one.data as City;
  const several = await client.POST('/cities', { body: [city('List A', 8), city('List B', 9)] });
  const path = { id: created._id };
  const got = await client.GET('/cities/{id}', { params: { path } });
  const name: string | undefined = got.data?.name;
  const found = await client.GET('/cities', {
    params: { query: { population: { $gte: 7, $lt: 10 }, 'country[$in]': ['GB', 'FR'], $sort: { population: -1 }, $limit: 2 } },
  });
  const total: number | undefined = found.data?.total;
  const populations: number[] | undefined = found.data?.data.map(({ population }) => population);
  const updated = await client.PUT('/cities/{id}', { params: { path }, body: city('Updated', 70) });
  const patched = await client.PATCH('/cities/{id}', { params: { path }, body: { population: 71 } });
  const bad = await client.PATCH('/cities/{id}', { params: { path }, body: { population: -1 } });
  const reason: { message: string; code: number } | undefined = bad.error;
  const removed = await client.DELETE('/cities/{id}', { params: { path } });
  const gone = await client.GET('/cities/{id}', { params: { path } });
  const out = await client.DELETE('/authentication');
  const after = await client.POST('/cities', { body: city('Too late', 1) });

  const calls = { user, anonymous, login, one, several, got, found, updated, patched, bad, removed, gone, out, after };
  return {
    statuses: Object.fromEntries(Object.entries(calls).map(([call, { response }]) => [call, response.status])),
    name,
    total,
    populations,
    created: several.data,
    population: patched.data?.population,
    bad: [reason?.code, reason?.message],
    removed: removed.data?.name,
  };
}

/** What the document does not allow does not compile. */
export async function refused(baseUrl: string): Promise<void> {
  const client = createClient<paths, 'application/json'>({ baseUrl });
  // @ts-expect-error there is no such path
  await client.GET('/towns');
  // @ts-expect-error cities have a name
  await client.POST('/cities', { body: { country: 'GB', population: 1, latitude: 1, longitude: 1 } });
  // @ts-expect-error a population is a number
  await client.PATCH('/cities/{id}', { params: { path: { id: '1' } }, body: { population: 'many' } });
  // @ts-expect-error cities are not asked for by their mayors
  await client.GET('/cities', { params: { query: { mayor: 'Ann' } } });
  // @ts-expect-error a city is named by its id
  await client.GET('/cities/{id}', { params: { path: {} } });
  const { data } = await client.GET('/users/{id}', { params: { path: { id: '1' } } });
  // @ts-expect-error passwords are not in answers
  console.log(data?.password);
}

function city(name: string, population: number) {
  return { name, country: 'GB', population, latitude: 52, longitude: -3 };
}

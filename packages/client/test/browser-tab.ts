// Runs in each of two tabs: they log in, refresh and log out together.
import { createClient, rest } from '../src/index.ts';
import type { TestApp } from './application.ts';
import { isFirst, LOGIN, meet, ROUNDS, tellOf } from './tab-steps.ts';

const KEY = 'framework-login';
const make = () => createClient<TestApp>(rest('', { retry: false }), { authentication: { storage: localStorage } });

async function run(): Promise<object> {
  const client = make();
  const seen: (string | undefined)[] = [];
  await meet('start');
  if (isFirst) await client.authenticate(LOGIN);
  await meet('in');
  for (let round = 0; round < ROUNDS; round++) {
    if (isFirst)
      localStorage.setItem(KEY, JSON.stringify({ ...JSON.parse(localStorage.getItem(KEY) ?? ''), accessToken: `ended ${round}` }));
    await meet(`aged ${round}`);
    const other = make();
    seen.push(...(await Promise.all([other.service('who').find(), other.service('who').find()])).map(({ email }) => email));
    other.close();
    await meet(`done ${round}`);
  }
  seen.push((await client.service('who').find()).email);
  const out = new Promise<string>((resolve) => client.on('logout', () => resolve('logout')));
  await meet('before the end');
  if (isFirst) await client.logout();
  const told = await out;
  // What another process of the browser has removed is seen a moment later than its message.
  while (localStorage.getItem(KEY) !== null) await new Promise((resolve) => setTimeout(resolve, 5));
  return { seen: [...new Set(seen)], count: seen.length, out: told };
}

await tellOf(run);

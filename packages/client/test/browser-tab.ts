// Runs in each of two tabs: they log in, refresh and log out together.
import { createClient, rest } from '../src/index.ts';
import type { TestApp } from './application.ts';

const [, tab = '', rounds = ''] = location.search.slice(1).split('-');
const isFirst = tab === '1';
const KEY = 'framework-login';
const make = () => createClient<TestApp>(rest('', { retry: false }), { authentication: { storage: localStorage } });
const meet = async (where: string): Promise<void> => void (await fetch(`/meet?${where}`, { method: 'POST' }));

async function run(): Promise<object> {
  const client = make();
  const seen: (string | undefined)[] = [];
  await meet('start');
  if (isFirst) await client.authenticate({ strategy: 'local', email: 'ann@example.com', password: 'correct horse' });
  await meet('in');
  for (let round = 0; round < Number(rounds); round++) {
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
  return { tab, seen: [...new Set(seen)], count: seen.length, out: told };
}

const outcome = await run().catch((error: unknown) => ({ tab, error: String(error) }));
await fetch('/seen', { method: 'POST', body: JSON.stringify(outcome) });

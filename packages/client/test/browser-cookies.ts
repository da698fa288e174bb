// Runs in each of two tabs, whose server keeps the refresh token in a cookie.
import { createClient, rest } from '../src/index.ts';
import type { TestApp } from './application.ts';

const [tab = '', rounds = ''] = location.search.slice(1).split('-');
const isFirst = tab === '1';
const make = () => createClient<TestApp>(rest('', { retry: false }), { authentication: { cookie: true } });
const meet = async (where: string): Promise<void> => void (await fetch(`/meet?${where}`, { method: 'POST' }));
const codeOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 200,
    (error: unknown) => (error as { code?: number }).code,
  );

async function run(): Promise<object> {
  const client = make();
  const seen: (string | undefined)[] = [];
  await meet('start');
  if (isFirst) await client.authenticate({ strategy: 'local', email: 'ann@example.com', password: 'correct horse' });
  await meet('in');
  // The other tab has it from the first, without a question to the server.
  seen.push((await client.service('who').find()).email);
  for (let round = 0; round < Number(rounds); round++) {
    // As after a page was loaded: nothing is known of a login.
    const other = make();
    await meet(`loaded ${round}`);
    seen.push(...(await Promise.all([other.service('who').find(), other.service('who').find()])).map(({ email }) => email));
    await meet(`done ${round}`);
    other.close();
  }
  const out = new Promise<string>((resolve) => client.on('logout', () => resolve('logout')));
  await meet('before the end');
  if (isFirst) await client.logout();
  const ended = await out;
  await meet('out');
  const after = [await codeOf(client.service('who').find()), await codeOf(make().reAuthenticate())];
  const kept = [document.cookie, localStorage.length, sessionStorage.length];
  return { tab, seen: [...new Set(seen)], count: seen.length, ended, after, kept };
}

const outcome = await run().catch((error: unknown) => ({ tab, error: String(error) }));
await fetch('/seen', { method: 'POST', body: JSON.stringify(outcome) });

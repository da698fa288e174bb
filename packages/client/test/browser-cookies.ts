// Runs in each of two tabs, whose server keeps the refresh token in a cookie.
import { createClient, rest } from '../src/index.ts';
import type { TestApp } from './application.ts';
import { isFirst, LOGIN, meet, ROUNDS, tellOf } from './tab-steps.ts';

const make = () => createClient<TestApp>(rest('', { retry: false }), { authentication: { cookie: true } });
const codeOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 200,
    (error: unknown) => (error as { code?: number }).code,
  );

async function run(): Promise<object> {
  const client = make();
  const seen: (string | undefined)[] = [];
  await meet('start');
  if (isFirst) await client.authenticate(LOGIN);
  await meet('in');
  // The other tab has it from the first, without a question to the server.
  seen.push((await client.service('who').find()).email);
  for (let round = 0; round < ROUNDS; round++) {
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
  return { seen: [...new Set(seen)], count: seen.length, ended, after, kept };
}

await tellOf(run);

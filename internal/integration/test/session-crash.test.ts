import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { startDatabase, type TestDatabase } from '@framework-internal/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { sendJson, type Answer } from './harness.ts';

/** Rounds of random kills; the long form is a command of its own (CONTRIBUTING.md). */
const ROUNDS = Number(process.env.CRASH_ROUNDS ?? 3);
const SECRET = 'a secret of more than thirty-two bytes, for tests';
const LOGIN = { strategy: 'local', email: 'ann@example.com', password: 'right password' };

interface Tokens {
  accessToken: string;
  refreshToken: string;
}

let database: TestDatabase;
let steady: { child: ChildProcess; url: string };
beforeAll(async () => {
  database = await startDatabase();
  steady = await start('never');
  await sendJson(steady.url, 'POST', '/users', { email: LOGIN.email, password: LOGIN.password });
});
afterAll(async () => {
  steady.child.disconnect();
  await database.close();
});

async function start(killAt: string): Promise<{ child: ChildProcess; url: string }> {
  const env = { ...process.env, DATABASE_URL: database.uri, DATABASE: database.db.databaseName, SECRET, KILL_AT: killAt };
  const child = fork(fileURLToPath(new URL('./fixtures/session-server.mjs', import.meta.url)), { env, execArgv: [] });
  const port = await new Promise<number>((resolve, reject) => {
    child.once('message', (message: { port: number }) => resolve(message.port));
    child.once('exit', () => reject(new Error('the process ended')));
  });
  return { child, url: `http://127.0.0.1:${port}` };
}

const login = (): Promise<Answer> => sendJson(steady.url, 'POST', '/authentication', LOGIN);
const refresh = (url: string, refreshToken: string): Promise<Answer> =>
  sendJson(url, 'POST', '/authentication', { strategy: 'refresh', refreshToken });

/** After a crash one token of the family counts at most, and the user can log in. */
async function checkFamily(tokens: string[]): Promise<number> {
  const statuses: number[] = [];
  for (const token of tokens) statuses.push((await refresh(steady.url, token)).status);
  const valid = statuses.filter((status) => status === 201).length;
  expect(valid).toBeLessThanOrEqual(1);
  expect((await login()).status).toBe(201);
  return valid;
}

it.each([
  ['before', 1],
  ['after', 1],
] as const)(
  'S20 a process that is killed %s the step that replaces a refresh token leaves %i valid one',
  async (step, valid) => {
    const tokens = (await login()).body as Tokens;
    const dying = await start(step);
    await expect(refresh(dying.url, tokens.refreshToken)).rejects.toThrow();
    expect(await checkFamily([tokens.refreshToken])).toBe(valid);
  },
  30_000,
);

it('S20 a process that is killed at any moment of a refresh leaves one valid token', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const tokens = (await login()).body as Tokens;
    const dying = await start('never');
    const answer = refresh(dying.url, tokens.refreshToken).then(
      ({ body }) => (body as Partial<Tokens>).refreshToken,
      () => undefined,
    );
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 25));
    dying.child.kill('SIGKILL');
    const next = await answer;
    // The newest first: an older one that is tried first would end the family. No session is lost, whenever it was.
    expect(await checkFamily([...(next === undefined ? [] : [next]), tokens.refreshToken])).toBe(1);
  }
}, 600_000);

import { Random } from '@framework-internal/testing';
import { startDatabase, type TestDatabase } from '@framework-internal/testing/database';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { sendJson } from './harness.ts';
import { SessionProcess } from './session-process.ts';
import { ANN, type Tokens } from './session-server.ts';

/** Rounds of random kills; the long form is a command of its own (CONTRIBUTING.md). */
const ROUNDS = Number(process.env.CRASH_ROUNDS ?? 3);
const SEED = Number(process.env.CRASH_SEED ?? 162_026);

let database: TestDatabase;
let steady: SessionProcess;
beforeAll(async () => {
  database = await startDatabase();
  steady = await SessionProcess.start(database);
  await sendJson(steady.url, 'POST', '/users', { email: ANN.email, password: ANN.password });
});
afterAll(async () => {
  steady.stop();
  await database.close();
});

/** After a crash one token of the family counts at most, and the user can log in. */
async function checkFamily(tokens: string[]): Promise<number> {
  const statuses: number[] = [];
  for (const token of tokens) statuses.push((await steady.refresh(token)).status);
  const valid = statuses.filter((status) => status === 201).length;
  expect(valid).toBeLessThanOrEqual(1);
  expect((await steady.logIn()).status).toBe(201);
  return valid;
}

it.each([
  ['before', 1],
  ['after', 1],
] as const)('S20 a process that is killed %s the step that replaces a refresh token leaves %i valid one', async (step, valid) => {
  const tokens = (await steady.logIn()).body as Tokens;
  const dying = await SessionProcess.start(database);
  await dying.dieAt(`${step} refresh`);
  await expect(dying.refresh(tokens.refreshToken)).rejects.toThrow();
  expect(await checkFamily([tokens.refreshToken])).toBe(valid);
});

it('S20 a process that is killed at any moment of a refresh leaves one valid token', async () => {
  const random = new Random(SEED);
  const moments = new Set<number>();
  let answered = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const tokens = (await steady.logIn()).body as Tokens;
    const dying = await SessionProcess.start(database);
    const answer = dying.refresh(tokens.refreshToken).then(
      ({ body }) => (body as Partial<Tokens>).refreshToken,
      () => undefined,
    );
    const moment = random.below(25);
    moments.add(moment);
    await new Promise((resolve) => setTimeout(resolve, moment));
    dying.kill();
    const next = await answer;
    if (next !== undefined) answered += 1;
    // The newest first: an older one that is tried first would end the family. No session is lost, whenever it was.
    expect(await checkFamily([...(next === undefined ? [] : [next]), tokens.refreshToken])).toBe(1);
  }
  process.stdout.write(`killed while refreshing: seed ${SEED}, ${ROUNDS} rounds, ${moments.size} moments, ${answered} answered\n`);
  expect(moments.size).toBeGreaterThan(Math.min(ROUNDS, 25) / 2);
});

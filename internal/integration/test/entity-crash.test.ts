import { startDatabase, type TestDatabase } from '@framework-internal/testing/database';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ObjectId } from 'mongodb';
import { send, sendJson } from './harness.ts';
import { SessionProcess } from './session-process.ts';
import { ANN, bearer, type Tokens } from './session-server.ts';

let database: TestDatabase;
let steady: SessionProcess;
let other: SessionProcess;
/** Writes users and is killed meanwhile. One that has outlived the writes does the next ones. */
let dying: SessionProcess | undefined;
beforeAll(async () => {
  database = await startDatabase();
  [steady, other] = await Promise.all([SessionProcess.start(database), SessionProcess.start(database)]);
});
afterAll(async () => {
  for (const one of [steady, other, dying]) one?.stop();
  await database.close();
});

const accepts = async (at: SessionProcess, { accessToken }: Tokens): Promise<number> =>
  (await send(at.url, '/authentication/sessions', { headers: bearer(accessToken) })).status;
const stored = async (id: string): Promise<string> =>
  JSON.stringify(await database.db.collection('users').findOne({ _id: new ObjectId(id) }));

type Write = (email: string) => [method: string, ...args: unknown[]];

/** What happens to a user, and what undoes it, in so far as that is possible. */
const writes: [what: string, write: Write, undo?: [method: string, ...args: unknown[]]][] = [
  ['a changed password', () => ['patch', { password: 'another password' }]],
  ['a replaced record with another password', (email) => ['update', { email, password: 'another password' }]],
  ['a disabled user, who is enabled later', () => ['patch', { disabled: true }], ['patch', { disabled: false }]],
  ['a removed user', () => ['remove']],
];
const steps = ['before user', 'after user', 'before epoch', 'after epoch', 'before changes', 'after changes', 'never'];

interface Seen {
  /** Status of access at both processes before the write. */
  readonly before: readonly number[];
  readonly outcome: 'done' | 'dead';
  readonly isWritten: boolean;
  /** Status of access at both processes after it, and of a refresh. */
  readonly after: readonly number[];
  readonly refreshed: number;
}

/**
 * What is seen of each kind of write when the process is killed at a step. All of them are under way in one process, each in an application and to a user
 * of its own: most of the time of the test would go into starting processes.
 */
async function kill(step: string): Promise<Seen[]> {
  const users = await Promise.all(
    writes.map(async ([, write, undo], index) => {
      const email = `${step.replace(' ', '-')}-${index}@example.com`;
      const { body } = await sendJson(steady.url, 'POST', '/users', { email, password: ANN.password });
      const id = String((body as { _id: unknown })._id);
      const tokens = (await steady.logIn(email)).body as Tokens;
      const before = [await accepts(steady, tokens), await accepts(other, tokens)];
      return { index, id, tokens, before, record: await stored(id), write: write(email), undo };
    }),
  );
  const process = (dying ??= await SessionProcess.start(database, writes.length));
  await process.dieAt(step, writes.length);
  const outcomes = await Promise.all(users.map(({ index, id, write: [method, ...args] }) => process.users(index, method, id, ...args)));
  if (outcomes.includes('dead')) dying = undefined;
  return Promise.all(
    users.map(async ({ index, id, tokens, before, record, undo }) => {
      const isWritten = (await stored(id)) !== record;
      if (isWritten && undo) await steady.users(0, undo[0], id, ...undo.slice(1));
      const after = [await accepts(other, tokens), await accepts(steady, tokens)];
      const { status } = await steady.refresh(tokens.refreshToken);
      return { before, outcome: outcomes[index] ?? 'done', isWritten, after, refreshed: status };
    }),
  );
}

const killed = new Map<string, Promise<Seen[]>>();
/** By whichever of its tests comes first. */
function killedAt(step: string): Promise<Seen[]> {
  const known = killed.get(step) ?? kill(step);
  killed.set(step, known);
  return known;
}

describe.each(writes.map(([what], index) => [what, index] as const))('S19 %s', (_what, index) => {
  it.each(steps)('ends every session as soon as it is written, also when the process is killed at: %s', async (step) => {
    const isWritten = step !== 'before user';
    // What has not been written has ended nothing, and what was written has ended everything, with no clock and no repair.
    expect((await killedAt(step))[index]).toEqual({
      before: [200, 200],
      outcome: step === 'never' ? 'done' : 'dead',
      isWritten,
      after: isWritten ? [401, 401] : [200, 200],
      refreshed: isWritten ? 401 : 201,
    });
  });
});

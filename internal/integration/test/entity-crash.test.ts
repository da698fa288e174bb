import { startDatabase, type TestDatabase } from '@framework-internal/testing/database';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ObjectId } from 'mongodb';
import { send, sendJson } from './harness.ts';
import { SessionProcess } from './session-process.ts';
import { ANN, bearer, type Tokens } from './session-server.ts';

let database: TestDatabase;
let steady: SessionProcess;
let other: SessionProcess;
/** Writes users and is killed meanwhile. One that has outlived a write does the next one. */
let dying: SessionProcess | undefined;
let id: string;
beforeAll(async () => {
  database = await startDatabase();
  [steady, other] = await Promise.all([SessionProcess.start(database), SessionProcess.start(database)]);
});
beforeEach(async () => {
  await database.db.collection('users').deleteMany({});
  const { body } = await sendJson(steady.url, 'POST', '/users', { email: ANN.email, password: ANN.password });
  id = String((body as { _id: unknown })._id);
});
afterAll(async () => {
  for (const one of [steady, other, dying]) one?.stop();
  await database.close();
});

const accepts = async (at: SessionProcess, { accessToken }: Tokens): Promise<number> =>
  (await send(at.url, '/authentication/sessions', { headers: bearer(accessToken) })).status;
const stored = async (): Promise<string> => JSON.stringify(await database.db.collection('users').findOne({ _id: new ObjectId(id) }));

/** What happens to a user, and what undoes it, in so far as that is possible. */
const writes: [what: string, write: [method: string, ...args: unknown[]], undo?: [method: string, ...args: unknown[]]][] = [
  ['a changed password', ['patch', { password: 'another password' }]],
  ['a replaced record with another password', ['update', { email: ANN.email, password: 'another password' }]],
  ['a disabled user, who is enabled later', ['patch', { disabled: true }], ['patch', { disabled: false }]],
  ['a removed user', ['remove']],
];
const steps = ['before user', 'after user', 'before epoch', 'after epoch', 'before changes', 'after changes', 'never'];

describe.each(writes)('S19 %s', (_what, [method, ...args], undo) => {
  it.each(steps)('ends every session as soon as it is written, also when the process is killed at: %s', async (step) => {
    const tokens = (await steady.logIn()).body as Tokens;
    for (const at of [steady, other]) expect(await accepts(at, tokens)).toBe(200);
    const before = await stored();
    dying ??= await SessionProcess.start(database);
    await dying.dieAt(step);
    const outcome = await dying.users(method, id, ...args);
    if (outcome === 'dead') dying = undefined;
    const isWritten = (await stored()) !== before;
    expect([outcome, isWritten]).toEqual([step === 'never' ? 'done' : 'dead', step !== 'before user']);
    // What has not been written has ended nothing, and what was written has ended everything, with no clock and no repair.
    if (isWritten && undo) await steady.users(undo[0], id, ...undo.slice(1));
    for (const at of [other, steady]) expect([at === other, await accepts(at, tokens)]).toEqual([at === other, isWritten ? 401 : 200]);
    expect((await steady.refresh(tokens.refreshToken)).status).toBe(isWritten ? 401 : 201);
  });
});

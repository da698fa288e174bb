import { startDatabase, type TestDatabase } from '@framework-internal/testing/database';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { send, type Answer, type Running } from './harness.ts';
import { ANN, bearer, logIn, PASSWORD, refresh, startServer, type Tokens } from './session-server.ts';

let database: TestDatabase;
let one: Running;
let two: Running;
let graceful: Running;
beforeAll(async () => {
  database = await startDatabase();
  one = await startServer(database.db, true, { limiter: false });
  two = await startServer(database.db, true, { limiter: false });
  graceful = await startServer(database.db, { refreshGrace: '10s' }, { limiter: false });
  await one.app.service('users').create({ email: ANN.email, password: PASSWORD });
});
afterAll(async () => {
  for (const server of [one, two, graceful]) await server.stop();
  await database.close();
});

let reuses: unknown[];
beforeEach(() => {
  reuses = [];
  for (const server of [one, two, graceful])
    server.app.removeAllListeners('refresh-reuse').on('refresh-reuse', (event: unknown) => reuses.push(event));
});

const tokenOf = (answer: Answer): string => (answer.body as Tokens).refreshToken;
const statusOf = async (at: Running, token: string): Promise<number> => (await send(at.url, '/echo', { headers: bearer(token) })).status;

type Fail = (context: { path: string }) => void;

/** Makes calls of a service fail until the returned function is called. */
function failing(server: Running, path: string, when: (context: { method: string; data?: unknown }) => boolean): () => void {
  let down = true;
  server.app.service(path).hooks({
    before: {
      all: [
        (context) => {
          if (down && when(context as never)) throw new Error('no database');
        },
      ],
    },
  });
  return () => {
    down = false;
  };
}

describe('S20 refreshing loses no session to a passing fault', () => {
  it('the user is loaded first: while that fails the token keeps counting', async () => {
    const own = await startServer(database.db, true, { limiter: false });
    const tokens = await logIn(own);
    const mend = failing(own, 'users', ({ method }) => method === 'get');
    expect((await refresh(own, tokens.refreshToken)).status).toBe(500);
    expect((await refresh(own, tokens.refreshToken)).status).toBe(500);
    mend();
    expect((await refresh(two, tokens.refreshToken)).status).toBe(201);
    expect(reuses).toEqual([]);
    await own.stop();
  });

  it('a store that fails, before or after it has written, costs nothing', async () => {
    const own = await startServer(database.db, true, { limiter: false });
    for (const stage of ['before', 'after'] as const) {
      const tokens = await logIn(own);
      let down = true;
      const fail = (context: { data?: { refresh?: unknown } }): void => {
        if (down && context.data?.refresh !== undefined) throw new Error('no database');
      };
      own.app.service('sessions').hooks({ [stage]: { patch: [fail as never] } });
      for (let round = 0; round < 3; round++) {
        const answer = await refresh(own, tokens.refreshToken);
        expect(answer.status).toBe(503);
        if (stage === 'after') break;
      }
      down = false;
      const again = await refresh(two, tokens.refreshToken);
      expect(again.status).toBe(201);
      expect(await statusOf(own, (again.body as Tokens).accessToken)).toBe(200);
      expect((await refresh(own, tokenOf(again))).status).toBe(201);
    }
    expect(reuses).toEqual([]);
    await own.stop();
  });

  it.each([
    ['an after hook', (app: Running['app'], fail: Fail) => void app.service('authentication').hooks({ after: { create: [fail] } })],
    [
      'an around hook of the application',
      (app: Running['app'], fail: Fail) => void app.hooks({ around: { all: [async (context, next) => next().then(() => fail(context))] } }),
    ],
    ['an after hook of the application', (app: Running['app'], fail: Fail) => void app.hooks({ after: { all: [fail] } })],
  ])('%s that fails when the pair is made costs nothing', async (_title, add) => {
    const own = await startServer(database.db, true, { limiter: false });
    let down = false;
    add(own.app, ({ path }) => {
      if (down && path === 'authentication') throw new Error('no log');
    });
    const statuses: number[][] = [];
    for (const again of [own, two]) {
      const { refreshToken } = await logIn(own);
      const given: number[] = [];
      for (const [at, isDown] of [
        [own, true],
        [again, false],
        [again, false],
      ] as const) {
        down = isDown;
        given.push((await refresh(at, refreshToken)).status);
      }
      statuses.push(given);
    }
    await own.stop();
    // The pair is given once; then the token has been used.
    expect(statuses).toEqual([
      [500, 201, 401],
      [500, 201, 401],
    ]);
  });

  it('50 at once, in two processes: one family, no false alarm, and the session lives', async () => {
    for (let round = 0; round < 3; round++) {
      const { refreshToken } = await logIn(one);
      const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => refresh(index % 2 === 0 ? one : two, refreshToken)));
      const winners = answers.filter(({ status }) => status === 201);
      expect(new Set(winners.map(tokenOf)).size).toBe(1);
      expect(winners.length + answers.filter(({ status }) => status === 401).length).toBe(50);
      expect((await refresh(two, tokenOf(winners[0] as Answer))).status).toBe(201);
    }
    expect(reuses).toEqual([]);
  });

  it('within the grace time all of 50 at once get the same pair', async () => {
    const { refreshToken } = await logIn(graceful);
    const answers = await Promise.all(Array.from({ length: 50 }, () => refresh(graceful, refreshToken)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    expect(new Set(answers.map(tokenOf)).size).toBe(1);
    expect(reuses).toEqual([]);
  });
});

describe('S20 the grace time', () => {
  it('gives the same client the same pair again, and nobody else', async () => {
    const { refreshToken } = await logIn(graceful);
    const first = await refresh(graceful, refreshToken);
    const again = await refresh(graceful, refreshToken);
    expect(again.status).toBe(201);
    expect([tokenOf(again), again.body.accessToken]).toEqual([tokenOf(first), first.body.accessToken]);
    expect(reuses).toEqual([]);
    expect((await refresh(graceful, refreshToken, '/authentication', { 'user-agent': 'another browser' })).status).toBe(401);
    expect(reuses).toHaveLength(1);
    expect((await refresh(graceful, tokenOf(first))).status).toBe(401);
  });

  it('ends once the pair was used', async () => {
    const { refreshToken } = await logIn(graceful);
    const second = tokenOf(await refresh(graceful, refreshToken));
    const third = tokenOf(await refresh(graceful, second));
    expect((await refresh(graceful, refreshToken)).status).toBe(401);
    expect(reuses).toHaveLength(1);
    expect((await refresh(graceful, third)).status).toBe(401);
  });

  it('without it a token that comes again after its answer ends the session', async () => {
    const { refreshToken } = await logIn(one);
    const first = await refresh(one, refreshToken);
    expect((await refresh(one, refreshToken)).status).toBe(401);
    expect(reuses).toHaveLength(1);
    expect(await statusOf(one, (first.body as Tokens).accessToken)).toBe(401);
  });
});

import { MemoryService } from '@framework-internal/testing';
import { repeating, type HookContext, type NextFunction } from '@framework/core';
import { Conflict } from '@framework/errors';
import { afterEach, expect, it } from '@jest/globals';
import { idempotent } from '../../src/index.ts';
import { sendJson, start, type Answer, type Running } from '../harness.ts';

const begun: Running[] = [];
afterEach(async () => {
  for (const running of begun.splice(0)) await running.stop();
});

type AroundHook = (context: HookContext, next: NextFunction) => Promise<void>;

/** The answers to one order that is sent twice, with a hook in front of `idempotent()` and one behind it. */
async function sentTwice(inFront: AroundHook, behind: AroundHook): Promise<Answer[]> {
  const running = await start((app) => {
    app.use('orders', new MemoryService({ startId: 1 }));
    app.service('orders').hooks({ around: { create: [inFront, idempotent(), behind] } });
  });
  begun.push(running);
  const order = (): Promise<Answer> => sendJson(running.url, 'POST', '/orders', { text: 'tea' }, { 'idempotency-key': 'key-of-the-order' });
  return [await order(), await order()];
}

it('an answer that is given again has what hooks in front set each time, and not what they set the first time', async () => {
  let calls = 0;
  const answers = await sentTwice(
    async (context, next) => {
      context.http.headers = { 'X-Call': String(++calls), 'Set-Cookie': [`visit=${String(calls)}`] };
      await next();
    },
    async (context, next) => {
      await next();
      context.http.headers = { ...context.http.headers, 'X-Place': 'third' };
    },
  );
  expect(
    answers.map(({ headers }) => [headers['x-call'], headers['set-cookie'], headers['x-place'], headers['idempotency-replayed']]),
  ).toEqual([
    ['1', ['visit=1'], 'third', undefined],
    ['2', ['visit=2'], 'third', 'true'],
  ]);
});

it('the answer of a call that was tried again is given again as a hook behind has made it', async () => {
  let tries = 0;
  const answers = await sentTwice(
    repeating(async (_context, next) => next().catch(() => next())),
    async (context, next) => {
      if (++tries === 1) throw new Conflict('Written by another');
      await next();
      context.http = { status: 202, headers: { 'X-Place': 'third' } };
    },
  );
  expect(answers.map(({ status, headers }) => [status, headers['x-place']])).toEqual([
    [202, 'third'],
    [202, 'third'],
  ]);
});

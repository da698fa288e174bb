import type { Socket } from 'node:net';
import { afterEach, expect, it } from '@jest/globals';
import { createClient, rest } from '../src/index.ts';
import { start, type TestApp } from './application.ts';
import { failureOf } from './failure.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** A server that cuts the connection when the first note is written, before its answer. */
async function cutting(wait: () => Promise<void> = async () => undefined) {
  const sockets: Socket[] = [];
  const running = await start({
    first: (req, _res, next) => {
      sockets.push(req.socket);
      next();
    },
  });
  ends.push(() => running.stop());
  let cuts = 1;
  running.app.service('notes').hooks({
    after: {
      create: [
        async () => {
          if (cuts-- <= 0) return;
          sockets.at(-1)?.destroy();
          await wait();
        },
      ],
    },
  });
  const client = createClient<TestApp>(rest(running.url, { retry: { delay: 1 } }));
  const count = async (): Promise<number> => ((await running.app.service('notes').find({ query: {} })) as { total: number }).total;
  return { notes: client.service('notes'), count, sockets };
}

it('a write with a key whose answer is lost is repeated, and made once', async () => {
  const { notes, count, sockets } = await cutting();
  const note = await notes.create({ text: 'once' }, { idempotencyKey: crypto.randomUUID() });
  expect([note.text, await count()]).toEqual(['once', 1]);
  expect(sockets.length).toBeGreaterThanOrEqual(2);
});

it('a write with a key that is still being made is asked for again later', async () => {
  let go = (): void => undefined;
  const waits = new Promise<void>((resolve) => (go = resolve));
  const { notes, count, sockets } = await cutting(() => waits);
  const call = notes.create({ text: 'slow' }, { idempotencyKey: crypto.randomUUID() });
  while (sockets.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
  go();
  expect([(await call).text, await count()]).toEqual(['slow', 1]);
});

it('a write without a key is not repeated', async () => {
  const { notes, count } = await cutting();
  expect(await failureOf(notes.create({ text: 'lost' }))).toMatchObject({ kind: 'network' });
  expect(await count()).toBe(1);
});

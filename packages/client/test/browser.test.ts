import { noteLeftOut } from '@framework-internal/testing';
import { Chromium, CHROMIUM } from '@framework-internal/testing/chromium';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { stop } from 'esbuild';
import type { RequestHandler } from 'express';
import { start, type Running } from './application.ts';
import { runSuite, type Outcome } from './browser-suite.ts';
import { Pages } from './pages.ts';

if (CHROMIUM === undefined)
  noteLeftOut('left out: chromium is not installed (apt-get install chromium): the client in pages, workers and tabs');

const pages = new Pages();
const asked: string[] = [];

/** Answers that are none. */
const bad: RequestHandler = (req, res, next) => {
  const { path } = req;
  if (path.startsWith('/bad/html')) res.type('html').send('<h1>No</h1>');
  else if (path.startsWith('/bad/cut')) req.socket.destroy();
  else if (path.startsWith('/bad/large')) res.type('json').send(JSON.stringify('x'.repeat(1_000_000)));
  else if (path.startsWith('/bad/elsewhere')) res.redirect(307, '/elsewhere');
  else if (!path.startsWith('/bad/never')) pages.handler(req, res, next);
};

let running: Running;
let browser: Chromium | undefined;
beforeAll(async () => {
  for (const name of ['page', 'tab']) await pages.add(name);
  running = await start({ first: bad, authentication: { sessions: true, jwtOptions: { expiresIn: '1h' } } });
  running.app.service('authentication').hooks({ before: { create: [({ data }) => void asked.push(String(data.strategy))] } });
  if (CHROMIUM !== undefined) browser = await Chromium.start(CHROMIUM);
});
afterAll(async () => {
  await browser?.stop();
  await stop();
  await running.stop();
});

const faults = (outcomes: Outcome[]): Outcome[] => outcomes.filter(([, fault]) => fault !== undefined && fault !== null);

describe('the suite of the client', () => {
  it('passes in Node.js', async () => {
    const outcomes = await runSuite(running.url);
    expect(faults(outcomes)).toEqual([]);
    expect(outcomes.length).toBeGreaterThanOrEqual(9);
  });

  if (CHROMIUM !== undefined) {
    it('passes in a page and in a worker of Chromium', async () => {
      await browser?.open(`${running.url}/page`);
      const [told] = await pages.told(1);
      const { page, worker } = told as Record<string, Outcome[]>;
      expect([faults(page!), faults(worker!)]).toEqual([[], []]);
      expect([page!.length, worker!.length]).toEqual([9, 9]);
    });

    it('refreshes once for two tabs that need it at the same time, in each of many rounds, and a logout reaches both', async () => {
      const rounds = Number(process.env.TAB_ROUNDS ?? 8);
      asked.length = 0;
      for (const tab of ['1', '2']) await browser?.openTab(`${running.url}/tab?tab-${tab}-${rounds}`);
      const expected = { seen: ['ann@example.com'], count: rounds * 2 + 1, out: 'logout' };
      expect(await pages.told(2)).toEqual([
        { tab: '1', ...expected },
        { tab: '2', ...expected },
      ]);
      expect(asked).toEqual(['local', ...Array.from({ length: rounds }, () => 'refresh')]);
    });
  }
});

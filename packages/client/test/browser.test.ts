import { join } from 'node:path';
import { noteLeftOut } from '@framework-internal/testing';
import { Chromium, CHROMIUM } from '@framework-internal/testing/chromium';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { build, stop } from 'esbuild';
import type { RequestHandler } from 'express';
import { start, type Running } from './application.ts';
import { runSuite, type Outcome } from './browser-suite.ts';

if (CHROMIUM === undefined)
  noteLeftOut('left out: chromium is not installed (apt-get install chromium): the client in pages, workers and tabs');

const scripts = new Map<string, string>();
const seen: Record<string, unknown>[] = [];
const waiting = new Map<string, (() => void)[]>();
const asked: string[] = [];

/** The pages of the tests, and answers that are none. */
const pages: RequestHandler = (req, res, next) => {
  const { path, query } = req;
  const script = scripts.get(path);
  if (script !== undefined) res.type('js').send(script);
  else if (path === '/page' || path === '/tab') res.type('html').send(`<!doctype html><script type="module" src="${path}.js"></script>`);
  else if (path === '/seen') {
    let text = '';
    req
      .on('data', (chunk) => (text += String(chunk)))
      .on('end', () => {
        seen.push(JSON.parse(text));
        res.end();
      });
  } else if (path === '/meet') {
    // Whoever comes first waits for the other.
    const where = JSON.stringify(query);
    const others = waiting.get(where);
    if (others) {
      for (const go of others) go();
      res.end();
    } else waiting.set(where, [() => res.end()]);
  } else if (path.startsWith('/bad/html')) res.type('html').send('<h1>No</h1>');
  else if (path.startsWith('/bad/cut')) req.socket.destroy();
  else if (path.startsWith('/bad/large')) res.type('json').send(JSON.stringify('x'.repeat(1_000_000)));
  else if (path.startsWith('/bad/elsewhere')) res.redirect(307, '/elsewhere');
  else if (!path.startsWith('/bad/never')) next();
};

let running: Running;
let browser: Chromium | undefined;
beforeAll(async () => {
  for (const name of ['page', 'tab']) {
    const { outputFiles } = await build({
      entryPoints: [join(import.meta.dirname, `browser-${name}.ts`)],
      bundle: true,
      format: 'esm',
      target: 'es2022',
      platform: 'browser',
      conditions: ['@framework/source'],
      write: false,
    });
    scripts.set(`/${name}.js`, outputFiles[0]!.text);
  }
  running = await start({ first: pages, authentication: { sessions: true, jwtOptions: { expiresIn: '1h' } } });
  running.app.service('authentication').hooks({ before: { create: [({ data }) => void asked.push(String(data.strategy))] } });
  if (CHROMIUM !== undefined) browser = await Chromium.start(CHROMIUM);
});
afterAll(async () => {
  await browser?.stop();
  await stop();
  await running.stop();
});

const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20));
};
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
      await until(() => seen.length === 1);
      const { page, worker } = seen.splice(0)[0] as Record<string, Outcome[]>;
      expect([faults(page!), faults(worker!)]).toEqual([[], []]);
      expect([page!.length, worker!.length]).toEqual([9, 9]);
    });

    it('refreshes once for two tabs that need it at the same time, in each of many rounds, and a logout reaches both', async () => {
      const rounds = Number(process.env.TAB_ROUNDS ?? 8);
      asked.length = 0;
      for (const tab of ['1', '2']) await browser?.openTab(`${running.url}/tab?tab-${tab}-${rounds}`);
      await until(() => seen.length === 2);
      const outcomes = seen.splice(0).sort((a, b) => String(a.tab).localeCompare(String(b.tab)));
      const expected = { seen: ['ann@example.com'], count: rounds * 2 + 1, out: 'logout', kept: null };
      expect(outcomes).toEqual([
        { tab: '1', ...expected },
        { tab: '2', ...expected },
      ]);
      expect(asked).toEqual(['local', ...Array.from({ length: rounds }, () => 'refresh')]);
    });
  }
});

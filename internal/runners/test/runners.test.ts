import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { noteLeftOut } from '@framework-internal/testing';
import { Chromium, CHROMIUM } from '@framework-internal/testing/chromium';
import { adapterCases } from '@framework/adapter-tests';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { build, stop } from 'esbuild';
import { runProject, sorted, type Outcome, type Runner } from './run-project.ts';

if (CHROMIUM === undefined)
  noteLeftOut('left out: chromium is not installed (apt-get install chromium): the contract of adapters in a page of a browser');

let byJest: { readonly code: number; readonly outcomes: Outcome[] };
beforeAll(async () => {
  byJest = await runProject('jest');
});

const notOffered = (outcomes: readonly Outcome[]): Outcome[] => outcomes.filter(([title]) => title.endsWith(': not offered'));

describe('the contract of adapters', () => {
  it('has a test for each case under jest, notices the fault, and tells what is not offered', () => {
    const { code, outcomes } = byJest;
    const lacking = adapterCases.filter(({ needs }) => needs === 'cursors' || needs === 'versions');
    console.log(`${adapterCases.length} cases, ${lacking.length} of them not asked of the second adapter; ${outcomes.length} tests`);
    expect(outcomes).toHaveLength(3 * adapterCases.length - lacking.length + 2);
    expect(notOffered(outcomes)).toEqual([
      ['cursors: not offered', true],
      ['versions: not offered', true],
    ]);
    // Of those that fail it is the wrong adapter: the same title has passed for the others.
    const failed = outcomes.filter(([, passed]) => !passed);
    expect(failed.length).toBeGreaterThan(0);
    for (const [title] of failed) expect(outcomes.filter(([other, passed]) => other === title && passed).length).toBeGreaterThan(0);
    expect(code).toBe(1);
  });

  it.each<[Runner]>([['vitest'], ['mocha'], ['node:test']])('has the same tests with the same outcomes under %s', async (runner) => {
    const { code, outcomes } = await runProject(runner);
    expect(outcomes).toEqual(byJest.outcomes);
    expect(code).toBeGreaterThan(0);
  });
});

if (CHROMIUM !== undefined) {
  describe('in a page of Chromium', () => {
    let server: Server;
    let browser: Chromium;
    let script: string;
    beforeAll(async () => {
      const { outputFiles } = await build({
        entryPoints: [join(import.meta.dirname, '../projects/page/page.mjs')],
        bundle: true,
        format: 'esm',
        target: 'es2022',
        platform: 'browser',
        // The adapter, as it is published, has nothing of Node.js; only the assertions of the cases have.
        conditions: [],
        alias: { 'node:assert/strict': join(import.meta.dirname, '../projects/page/assert.mjs') },
        write: false,
      });
      script = (outputFiles[0] as (typeof outputFiles)[0]).text;
      server = createServer((req, res) => {
        if (req.url === '/page.js') res.setHeader('Content-Type', 'text/javascript').end(script);
        else res.setHeader('Content-Type', 'text/html').end('<!doctype html><script type="module" src="/page.js"></script>');
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      browser = await Chromium.start(String(CHROMIUM));
    });
    afterAll(async () => {
      await browser.stop();
      await new Promise((resolve) => server.close(resolve));
      await stop();
    });

    it('adapter-memory passes what it passes on Node.js, and the fault is noticed', async () => {
      await browser.open(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
      await browser.until('globalThis.outcomes !== undefined');
      const outcomes = JSON.parse(String(await browser.run('JSON.stringify(globalThis.outcomes)'))) as Outcome[];
      expect(sorted(outcomes)).toEqual(byJest.outcomes);
    });
  });
}

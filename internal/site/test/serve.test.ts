import { join } from 'node:path';
import { noteLeftOut } from '@framework-internal/testing';
import { Chromium, CHROMIUM } from '@framework-internal/testing/chromium';
import { freePort } from '@framework-internal/testing/free-port';
import { Program } from '@framework-internal/testing/program';
import { expect, it } from '@jest/globals';

if (CHROMIUM === undefined)
  noteLeftOut('left out: chromium is not installed (apt-get install chromium): the documentation, served while it is written');

const program = CHROMIUM;
it('the command that serves the documentation tells where, and a browser shows its pages there', async () => {
  const port = await freePort();
  const main = join(import.meta.dirname, '../src/main.mjs');
  // With colours, as terminals and many runners have it.
  const env = { ...process.env, PORT: String(port), FORCE_COLOR: '1' };
  const serve = await Program.start([process.execPath, main, 'serve'], { env, until: 'Local' });
  expect(serve.printed).toContain(`http://127.0.0.1:${port}/`);
  if (program !== undefined) {
    const browser = await Chromium.start(program);
    await browser.open(`http://127.0.0.1:${port}/guides/query`);
    await browser.until(`document.querySelector('.vp-doc h1')?.textContent.startsWith('Query')`);
    expect(await browser.run(`document.querySelectorAll('.VPSidebar a').length`)).toBeGreaterThan(15);
    await browser.stop();
  }
  await serve.end();
});

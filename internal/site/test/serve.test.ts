import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { noteLeftOut } from '@framework-internal/testing';
import { Chromium, CHROMIUM } from '@framework-internal/testing/chromium';
import { expect, it } from '@jest/globals';

if (CHROMIUM === undefined)
  noteLeftOut('left out: chromium is not installed (apt-get install chromium): the documentation, served while it is written');

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

const program = CHROMIUM;
it('the command that serves the documentation tells where, and a browser shows its pages there', async () => {
  const port = await freePort();
  const main = join(import.meta.dirname, '../src/main.mjs');
  const child = spawn(process.execPath, [main, 'serve'], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let told = '';
  for await (const chunk of child.stdout) {
    told += String(chunk);
    if (told.includes('Local')) break;
  }
  expect(told).toContain(`http://127.0.0.1:${port}/`);
  if (program !== undefined) {
    const browser = await Chromium.start(program);
    await browser.open(`http://127.0.0.1:${port}/guides/query`);
    await browser.until(`document.querySelector('.vp-doc h1')?.textContent.startsWith('Query')`);
    expect(await browser.run(`document.querySelectorAll('.VPSidebar a').length`)).toBeGreaterThan(15);
    await browser.stop();
  }
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
});

import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Chromium } from '@framework-internal/testing/chromium';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** How somebody looks at a page. */
export interface Look {
  readonly scheme: 'light' | 'dark';
  readonly width: number;
  readonly height: number;
}

/** Sets the window and the preference for light or dark, which the page follows. */
export async function lookAs(browser: Chromium, { scheme, width, height }: Look): Promise<void> {
  await browser.command('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: width < 600 });
  await browser.command('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: scheme }] });
}

/** Opens a page and waits until its scripts run. */
export async function open(browser: Chromium, url: string): Promise<void> {
  await browser.open('about:blank');
  await browser.open(url);
  await browser.until(
    `location.href === ${JSON.stringify(url)} && document.querySelector('#app')?.__vue_app__ !== undefined && document.querySelector('.vp-doc') !== null`,
  );
  // Transitions end before anybody measures contrast.
  await browser.run(
    `document.head.insertAdjacentHTML('beforeend', '<style>*, *::before, *::after { transition: none !important; animation: none !important }</style>')`,
  );
}

/** What axe says of a page. */
export interface Findings {
  /** What keeps people from using the page: a line for each rule and place. */
  readonly serious: readonly string[];
  /** How many rules were looked at and kept, so that a page on which nothing ran does not pass. */
  readonly kept: number;
}

export async function findingsOf(browser: Chromium): Promise<Findings> {
  await browser.run(`${axe}; undefined`);
  const found = await browser.run(
    `axe.run(document, { resultTypes: ['violations'] }).then(({ violations, passes }) => ({
      kept: passes.length,
      serious: violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => id + ' at ' + target.join(' ') + ': ' + failureSummary)),
    }))`,
  );
  return found as Findings;
}

const KEYS: Readonly<Record<string, object>> = {
  Tab: { key: 'Tab', code: 'Tab', windowsVirtualKeyCode: 9 },
  Enter: { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13, text: '\r' },
  Escape: { key: 'Escape', code: 'Escape', windowsVirtualKeyCode: 27 },
  ArrowDown: { key: 'ArrowDown', code: 'ArrowDown', windowsVirtualKeyCode: 40 },
  '/': { key: '/', code: 'Slash', windowsVirtualKeyCode: 191, text: '/' },
};

/** Presses a key, as a person does. */
export async function press(browser: Chromium, name: keyof typeof KEYS): Promise<void> {
  await browser.command('Input.dispatchKeyEvent', { type: 'keyDown', ...KEYS[name] });
  await browser.command('Input.dispatchKeyEvent', { type: 'keyUp', ...KEYS[name], text: undefined });
}

/** Types a text into what has the focus. */
export async function type(browser: Chromium, text: string): Promise<void> {
  await browser.command('Input.insertText', { text });
}

/** Keeps a picture in the folder that `SITE_SHOTS` names, for people who want to look themselves. */
export async function keepPicture(browser: Chromium, name: string): Promise<void> {
  const { SITE_SHOTS } = process.env;
  if (SITE_SHOTS === undefined) return;
  const { data } = await browser.command('Page.captureScreenshot', { format: 'png' });
  writeFileSync(join(SITE_SHOTS, `${name}.png`), String(data), 'base64');
}

import { noteLeftOut } from '@framework-internal/testing';
import { Chromium, CHROMIUM } from '@framework-internal/testing/chromium';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { serveBuiltSite, type BuiltSite } from './built-site.ts';
import { findingsOf, keepPicture, lookAs, open, press, type, type Look } from './reader.ts';

if (CHROMIUM === undefined)
  noteLeftOut('left out: chromium is not installed (apt-get install chromium): the pages of the documentation, looked at');

const WIDE = { width: 1280, height: 900 };
const NARROW = { width: 375, height: 800 };
const LOOKS: readonly (readonly [string, Look])[] = [
  ['light and wide', { scheme: 'light', ...WIDE }],
  ['dark and wide', { scheme: 'dark', ...WIDE }],
  ['light and narrow', { scheme: 'light', ...NARROW }],
  ['dark and narrow', { scheme: 'dark', ...NARROW }],
];
const PAGES = [
  ['start', '/'],
  ['guide', '/guides/authentication'],
  ['reference', '/reference/core/Application'],
  ['names', '/reference/'],
  ['figures', '/benchmarks/results'],
] as const;

let site: BuiltSite;
beforeAll(async () => {
  site = await serveBuiltSite();
});
afterAll(() => site.stop());

it('the built site has the pages that the tests look at', async () => {
  for (const [, path] of PAGES) expect([path, (await fetch(site.url + path)).status]).toEqual([path, 200]);
  expect((await fetch(`${site.url}/nowhere`)).status).toBe(404);
});

const program = CHROMIUM;
if (program !== undefined) {
  describe('the documentation in Chromium', () => {
    let browser: Chromium;
    beforeAll(async () => {
      browser = await Chromium.start(program);
    });
    afterAll(() => browser.stop());

    const looks = PAGES.flatMap(([page, path], index) =>
      // The start and the first pages in every look, the others in two that are opposites.
      LOOKS.filter((_look, at) => index < 3 || at === 0 || at === 3).map(([name, look]) => [page, name, path, look] as const),
    );
    it.each(looks)('%s, %s: nothing that keeps people out', async (page, name, path, look) => {
      await lookAs(browser, look);
      await open(browser, site.url + path);
      await keepPicture(browser, `${page}-${name.replaceAll(' ', '-')}`);
      const { serious, kept } = await findingsOf(browser);
      expect(serious).toEqual([]);
      expect(kept).toBeGreaterThan(10);
      // Nothing is wider than the window.
      expect(await browser.run('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    });

    it.each(LOOKS)('the search, %s: nothing that keeps people out, and it finds a guide', async (name, look) => {
      await lookAs(browser, look);
      await open(browser, `${site.url}/`);
      await press(browser, '/');
      await browser.until(`document.activeElement?.matches('.VPLocalSearchBox input')`);
      await type(browser, 'refresh token');
      await browser.until(`document.querySelectorAll('.VPLocalSearchBox .result').length > 2`);
      await keepPicture(browser, `search-${name.replaceAll(' ', '-')}`);
      expect((await findingsOf(browser)).serious).toEqual([]);
      const found = await browser.run(
        `[...document.querySelectorAll('.VPLocalSearchBox .result')].map((one) => one.getAttribute('href')).join(' ')`,
      );
      expect(found).toContain('/guides/authentication');
    });

    it('the tool finds what is wrong where something is', async () => {
      await lookAs(browser, LOOKS[0]![1]);
      await open(browser, `${site.url}/`);
      await browser.run(
        `document.querySelector('.vp-doc').insertAdjacentHTML('beforeend', '<p style="color: #ccc; background: #fff">faint</p><button></button>')`,
      );
      const { serious } = await findingsOf(browser);
      expect(serious.map((line) => line.split(' ')[0]).sort()).toEqual(['button-name', 'color-contrast']);
    });

    it('the keyboard reaches the content, the search and the navigation, in this order of the page', async () => {
      await lookAs(browser, LOOKS[0]![1]);
      await open(browser, `${site.url}/guides/query`);
      await press(browser, 'Tab');
      expect(await browser.run('document.activeElement.textContent.trim()')).toBe('Skip to content');
      await press(browser, 'Enter');
      expect(await browser.run(`document.activeElement.id`)).toBe('VPContent');
      await open(browser, `${site.url}/guides/query`);
      const reached: string[] = [];
      for (let count = 0; count < 60; count++) {
        await press(browser, 'Tab');
        const place = await browser.run(
          `(() => { const at = document.activeElement; return ['.VPSkipLink', '.VPNavBarSearch', '.VPNavBarMenu', '.VPSidebar', '.VPContent'].find((one) => at.closest(one)) ?? at.className; })()`,
        );
        if (reached.at(-1) !== place) reached.push(String(place));
      }
      const order = ['.VPSkipLink', '.VPNavBarSearch', '.VPNavBarMenu', '.VPSidebar', '.VPContent'].map((one) => reached.indexOf(one));
      expect([...order].sort((a, b) => a - b)).toEqual(order);
      expect(order).not.toContain(-1);
    });

    it('code says which file it is, and what is printed', async () => {
      await lookAs(browser, LOOKS[0]![1]);
      await open(browser, `${site.url}/guides/query`);
      const titles = await browser.run(`[...document.querySelectorAll('.code-title')].map((one) => one.textContent).join()`);
      expect(titles).toMatch(/^app\.js,Run,It prints,/);
      await keepPicture(browser, 'code-titles');
    });

    it('whoever has a keyboard alone searches, goes to what is found, and comes back out', async () => {
      await lookAs(browser, LOOKS[0]![1]);
      await open(browser, `${site.url}/`);
      await press(browser, '/');
      await browser.until(`document.activeElement?.matches('.VPLocalSearchBox input')`);
      await press(browser, 'Escape');
      await browser.until(`document.querySelector('.VPLocalSearchBox') === null`);
      await press(browser, '/');
      await browser.until(`document.activeElement?.matches('.VPLocalSearchBox input')`);
      await type(browser, 'DocDbLimiterStore');
      await browser.until(`document.querySelectorAll('.VPLocalSearchBox .result').length > 0`);
      await press(browser, 'Enter');
      await browser.until(`location.pathname !== '/' && document.querySelector('.VPLocalSearchBox') === null`);
      await browser.until(`document.querySelector('.vp-doc')?.textContent.includes('DocDbLimiterStore')`);
      expect(await browser.run('location.pathname')).toMatch(/^\/(guides|packages|reference)\//);
    });

    it('asks no other host, and nothing that is not there', async () => {
      await lookAs(browser, LOOKS[0]![1]);
      for (const [, path] of PAGES) {
        await open(browser, site.url + path);
        const asked = (await browser.run(`performance.getEntriesByType('resource').map(({ name }) => name)`)) as string[];
        expect(asked.length).toBeGreaterThan(2);
        expect(asked.filter((address) => !address.startsWith(`${site.url}/`) && !address.startsWith('data:'))).toEqual([]);
      }
      expect(site.missing.filter((path) => path !== '/nowhere')).toEqual([]);
    });
  });
}

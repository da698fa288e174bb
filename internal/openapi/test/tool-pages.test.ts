import { join } from 'node:path';
import { noteLeftOut } from '@framework-internal/testing';
import { Chromium, CHROMIUM } from '@framework-internal/testing/chromium';
import { sendJson } from '@framework-internal/testing/http';
import { openapi, type PageName } from '@framework/openapi';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startExample, type RunningExample } from './running-example.ts';

if (CHROMIUM === undefined)
  noteLeftOut('left out: chromium is not installed (apt-get install chromium): the document of the example in pages of several tools');

/** Folder with packages of tools that are too large to be installed for every run: `pnpm --filter @framework-internal/openapi pages` makes one. */
const { PAGES_FOLDER } = process.env;
if (PAGES_FOLDER === undefined)
  noteLeftOut('left out: the pages of Redoc and Scalar, whose packages are not installed: pnpm --filter @framework-internal/openapi pages');

/** What a page is that has shown the document, and how to call `GET /cities` on it. */
interface Shown {
  readonly tool: PageName;
  /** Text of all that the page shows. */
  readonly text: string;
  /** An expression that is true when the whole document is shown. */
  readonly complete: string;
  /** What it wants that the policy of the page holds back: directive and address. Default: nothing. */
  readonly held?: RegExp;
  /** Clicks that lead to a call of `GET /cities`, each when it is there, and an expression that is true when its answer is shown. */
  readonly call?: { readonly clicks: readonly string[]; readonly answered: string };
}

/** The operation `GET /cities` of Swagger UI, which puts places for line breaks into paths. */
const LIST = `[...document.querySelectorAll('.opblock-get')].find((one) => one.querySelector('.opblock-summary-path').textContent.replace(/[^\\w/{}]/g, '') === '/cities')`;

const TOOLS: readonly Shown[] = [
  {
    tool: 'swagger',
    text: `document.querySelector('#page').textContent`,
    complete: `document.querySelectorAll('.opblock').length >= 15`,
    call: {
      clicks: [
        `${LIST}?.querySelector('.opblock-summary-control')`,
        `${LIST}?.querySelector('.try-out__btn')`,
        `${LIST}?.querySelector('.execute')`,
      ],
      answered: `/"total":\\s*1\\b/.test(${LIST}?.querySelector('.live-responses-table')?.textContent ?? '')`,
    },
  },
  ...(PAGES_FOLDER === undefined
    ? []
    : ([
        {
          tool: 'redoc',
          text: `document.querySelector('#page').textContent`,
          complete: `document.querySelectorAll('#page [data-section-id^="tag/cities/operation/"]').length >= 6`,
          held: /^img-src https:\/\/cdn\.redoc\.ly\//,
        },
        {
          tool: 'scalar',
          // It writes each part when somebody looks at it, and forgets it behind them.
          text: 'globalThis.read',
          complete: `(() => {
            globalThis.read = (globalThis.read ?? '') + document.body.innerText;
            scrollBy(0, innerHeight);
            return ['DELETE', '/authentication/{id}', '/cities/{id}', '/users/{id}', 'People who may log in.'].every((part) => globalThis.read.includes(part));
          })()`,
          held: /^(?:script-src eval$|connect-src https:\/\/(?:proxy|api)\.scalar\.com\/)/,
        },
      ] satisfies Shown[])),
];

let example: RunningExample;
let token: string;
const user = { email: 'reader@example.com', password: 'correct horse' };
beforeAll(async () => {
  const [, program] = process.argv;
  example = await startExample();
  // Tools are looked for from the program too.
  if (PAGES_FOLDER !== undefined) process.argv[1] = join(PAGES_FOLDER, 'main.js');
  for (const { tool } of TOOLS)
    example.app.configure(openapi({ path: `${tool}.json`, ui: tool, info: { title: 'Cities', version: '1.0.0' } }));
  process.argv[1] = String(program);
  await sendJson(example.url, 'POST', '/users', user);
  token = (await sendJson(example.url, 'POST', '/authentication', { strategy: 'local', ...user })).body.accessToken;
  const city = { name: 'Shown', country: 'GB', population: 1, latitude: 1, longitude: 2 };
  await sendJson(example.url, 'POST', '/cities', city, { authorization: `Bearer ${token}` });
});
afterAll(() => example.stop());

const VIOLATIONS = `addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => (globalThis.violations ??= []).push([violatedDirective, blockedURI]));`;

if (CHROMIUM !== undefined) {
  it.each(TOOLS)(
    'the page of $tool asks for a token, and shows the document of the example',
    async ({ tool, text, complete, held = /^$/, call }) => {
      const browser = await Chromium.start(String(CHROMIUM));
      try {
        await browser.command('Page.enable');
        await browser.command('Page.addScriptToEvaluateOnNewDocument', { source: VIOLATIONS });
        await browser.open(`${example.url}/${tool}.json/ui`);
        await browser.until(`document.querySelector('input[name="token"]') !== null`);
        await browser.run(`(() => {
        document.querySelector('input[name="token"]').value = ${JSON.stringify(token)};
        document.querySelector('form').requestSubmit();
      })()`);
        await browser.until(complete);
        const shown = String(await browser.run(text));
        for (const part of ['Cities', 'Cities of the world.', 'People who may log in.', '/cities/{id}']) expect(shown).toContain(part);
        expect(shown).not.toContain('password hash');
        for (const click of call?.clicks ?? []) {
          await browser.until(`(${click}) != null`);
          await browser.run(`(${click}).click()`);
        }
        if (call) await browser.until(call.answered);
        const violations = (await browser.run('globalThis.violations ?? []')) as [string, string][];
        expect(violations.map((parts) => parts.join(' ')).filter((violation) => !held.test(violation))).toEqual([]);
      } finally {
        await browser.stop();
      }
    },
  );
}

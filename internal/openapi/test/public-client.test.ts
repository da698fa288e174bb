import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sendJson } from '@framework-internal/testing/http';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import openapiTS, { astToString } from 'openapi-typescript';
import { startExample, type RunningExample } from './running-example.ts';

const here = import.meta.dirname;
const compiler = join(here, '../../typecheck/node_modules/typescript/bin/tsc');

let example: RunningExample;
// Beside the tests, so that packages are found.
const folder = mkdtempSync(join(here, 'generated-'));
beforeAll(async () => {
  example = await startExample();
});
afterAll(async () => {
  await example.stop();
  rmSync(folder, { recursive: true });
});

it('a client that public tools generate from the document makes one call of each kind', async () => {
  cpSync(join(here, 'public-client'), folder, { recursive: true });
  const { body } = await sendJson(example.url, 'GET', '/openapi.json', undefined);
  writeFileSync(join(folder, 'api.ts'), astToString(await openapiTS(body)));
  const checked = spawnSync(process.execPath, [compiler, '-p', folder, '--noEmit'], { encoding: 'utf8' });
  expect([checked.stdout, checked.status]).toEqual(['', 0]);

  const { makeCalls } = (await import(join(folder, 'calls.ts'))) as { makeCalls: (url: string) => Promise<object> };
  expect(await makeCalls(example.url)).toEqual({
    statuses: {
      user: 201,
      anonymous: 401,
      login: 201,
      one: 201,
      several: 201,
      got: 200,
      found: 200,
      updated: 200,
      patched: 200,
      bad: 400,
      removed: 200,
      gone: 404,
      out: 200,
      after: 401,
    },
    name: 'Generated',
    total: 3,
    populations: [9, 8],
    created: [expect.objectContaining({ name: 'List A' }), expect.objectContaining({ name: 'List B' })],
    population: 71,
    bad: [400, expect.any(String)],
    removed: 'Updated',
  });
});

import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { framework, version } from '../src/index.ts';

it('tells the version of the package', () => {
  const { version: published } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };
  expect([version, framework().version]).toEqual([published, published]);
});

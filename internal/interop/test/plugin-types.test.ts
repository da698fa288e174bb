import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';

const here = import.meta.dirname;
const compiler = join(here, '../../typecheck/node_modules/typescript/bin/tsc');

it('hooks and plug-ins that are typed for the incumbent are taken as they are, once its application is named', () => {
  const { stdout, status } = spawnSync(process.execPath, [compiler, '-p', join(here, 'plugin-types')], { encoding: 'utf8' });
  expect([stdout, status]).toEqual(['', 0]);
});

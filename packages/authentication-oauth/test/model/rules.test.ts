import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';

it('the rules that logins at providers depend on can be taken out of the sources', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, 'rules.mjs'), '--check'], { encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(stdout).toMatch(/^\d\d rules can be taken out\n$/);
  expect(status).toBe(0);
});

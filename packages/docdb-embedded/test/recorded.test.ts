import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { sharedData } from './harness.ts';

const program = join(dirname(fileURLToPath(import.meta.url)), 'recorded/run.mjs');
/** Of so many cases one is run here; `pnpm recorded` runs all. */
const SAMPLE = 40;

describe('the recorded answers of a MongoDB server', () => {
  const path = sharedData('mongodb-8.2');
  it(`are given, where they were before: one case of ${String(SAMPLE)}`, async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [program, '--sample', String(SAMPLE)]);
    if (path === undefined) expect(stdout).toContain('not beside this checkout');
    else expect(stdout).toMatch(/^[1-9]\d\d of 9\d\d the same, 0 worse than before$/m);
  });
});

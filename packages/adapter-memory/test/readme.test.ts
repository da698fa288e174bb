import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';

it('the program of the README prints what the README says', () => {
  const text = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8');
  const block = (title: string): string => new RegExp(`\`\`\`${title}\\n([^]*?)\`\`\``).exec(text)?.[1] ?? '';
  // Beside the tests, so that packages are found.
  const folder = mkdtempSync(join(import.meta.dirname, 'readme-'));
  try {
    writeFileSync(join(folder, 'app.js'), block('js app.js'));
    const { stdout, stderr } = spawnSync(process.execPath, ['app.js'], { cwd: folder, encoding: 'utf8' });
    expect([stdout, stderr]).toEqual([block('text output'), '']);
    expect(stdout).not.toBe('');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

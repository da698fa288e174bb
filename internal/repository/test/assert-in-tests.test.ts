import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';

const root = join(import.meta.dirname, '../../..');

it('a test that asserts nothing fails, whatever else it does', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assertions-'));
  try {
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    writeFileSync(join(folder, 'package.json'), '{"name":"numbers","type":"module"}');
    const setup = join(root, 'scripts/assert-in-tests.mjs');
    writeFileSync(join(folder, 'jest.config.js'), `export default { setupFilesAfterEnv: [${JSON.stringify(setup)}] };`);
    writeFileSync(
      join(folder, 'numbers.test.js'),
      `import { expect, it } from '@jest/globals';
       it('asserts', () => { expect(1).toBe(1); });
       it('asserts later', async () => { await expect(Promise.resolve(1)).resolves.toBe(1); });
       it('loops over nothing', () => { for (const value of []) expect(value).toBe(1); });
       it('does nothing', async () => {});`,
    );
    const { stderr } = spawnSync(
      process.execPath,
      ['--experimental-vm-modules', join(root, 'node_modules/jest/bin/jest.js'), '--verbose'],
      { cwd: folder, encoding: 'utf8', env: { PATH: process.env.PATH } },
    );
    expect(stderr).toMatch(/✓ asserts \(|✓ asserts\n/);
    expect(stderr).toContain('✓ asserts later');
    expect(stderr).toContain('✕ loops over nothing');
    expect(stderr).toContain('✕ does nothing');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';

const root = join(import.meta.dirname, '..');
const bin = join(root, 'node_modules/@framework/audit/bin/framework-audit.js');

function audit(...args: string[]): { status: number | null; stderr: string; stdout: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], { cwd: root, encoding: 'utf8' });
  return { status, stdout, stderr };
}

it('S50 the services are as protected as audit.json says', () => {
  expect(audit('dist/audit.js')).toMatchObject({ status: 0, stderr: '', stdout: expect.stringContaining('cities') });
});

it('S50 without its login the audit names each service and method, and ends with 1', () => {
  const folder = mkdtempSync(join(root, 'audited-'));
  try {
    cpSync(join(root, 'dist'), folder, { recursive: true });
    const file = join(folder, 'app.js');
    const source = readFileSync(file, 'utf8');
    writeFileSync(file, source.replace('app.hooks({ around: { all: [loginRequired] } });', ''));
    expect(readFileSync(file, 'utf8')).not.toBe(source);
    const { status, stderr } = audit(join(folder, 'audit.js'));
    expect(status).toBe(1);
    expect(stderr).toContain("service 'cities', method 'create' has lost the guard loginRequired");
    expect(stderr).toContain("service 'users', method 'find' has lost the guard loginRequired");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

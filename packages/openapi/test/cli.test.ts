import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

const bin = join(import.meta.dirname, '../bin/framework-openapi.js');
let folder: string;
beforeEach(() => {
  // Beside the tests, where the packages are installed.
  folder = mkdtempSync(join(import.meta.dirname, 'application-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function run(source: string, ...args: string[]): { status: number | null; stdout: string; stderr: string } {
  writeFileSync(join(folder, 'app.mjs'), source);
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...(args.includes('--help') ? [] : ['app.mjs']), ...args], {
    cwd: folder,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

const source = (service: string): string => `
import { MemoryService } from '@framework/adapter-memory';
import { framework } from '@framework/core';
import { openapi } from '@framework/openapi';
import { serviceSchema, Type } from '@framework/schema';
setInterval(() => undefined, 1000);
export const app = framework();
app.use('notes', ${service});
app.configure(openapi({ info: { title: 'Notes', version: '2.0.0' } }));
`;
const DECLARED = source(
  'new MemoryService(), { schema: serviceSchema({ record: Type.Object({ id: Type.Integer(), text: Type.String() }) }) }',
);

describe('framework-openapi', () => {
  it('writes the document, and tells when the application has another', () => {
    expect(run(DECLARED)).toEqual({ status: 0, stdout: '', stderr: 'openapi.json is written\n' });
    expect(JSON.parse(readFileSync(join(folder, 'openapi.json'), 'utf8'))).toMatchObject({
      openapi: '3.1.1',
      info: { title: 'Notes', version: '2.0.0' },
    });
    expect(run(DECLARED, '--check')).toMatchObject({ status: 0, stderr: 'openapi.json is up to date\n' });
    expect(run(DECLARED.replace('text:', 'words:'), '--check')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('is not the document of the application'),
    });
    expect(readFileSync(join(folder, 'openapi.json'), 'utf8')).not.toContain('words');
  });

  it('writes whole documents to the standard output, and warnings elsewhere', () => {
    const { status, stdout, stderr } = run(source('{ find: async () => [] }'), '--file', '-', '--spec', '3.2');
    expect([status, JSON.parse(stdout).openapi, stderr]).toEqual([
      0,
      '3.2.0',
      expect.stringContaining("Warning: The service 'notes' declares no result of 'find'"),
    ]);
  });

  it('ends with 1 by --strict when something is not declared', () => {
    expect(run(source('{ find: async () => [] }'), '--strict')).toMatchObject({ status: 1 });
    expect(run(DECLARED, '--strict')).toMatchObject({ status: 0 });
  });

  it.each<[string, string, string[], string]>([
    ['a module without an application', 'export const other = 1;', [], "has no export 'app' and no default export"],
    ['another version', DECLARED, ['--spec', '3.0'], '--spec is 3.1 or 3.2, and not 3.0'],
    ['two modules', DECLARED, ['other.mjs'], 'framework-openapi takes one module'],
    [
      'docs that can not be meant',
      DECLARED.replace('{ schema:', '{ docs: { operations: { gett: {} } }, schema:'),
      [],
      "describes the operation 'gett', which there is not",
    ],
  ])('ends with 2 for %s', (_what, text, args, message) => {
    expect(run(text, ...args)).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining(message) });
  });

  it('ends with 2 when the application ends the process before there is a document', () => {
    expect(run('process.exit(0);', '--check')).toMatchObject({ status: 2, stderr: expect.stringMatching(/^There is no document: /) });
  });

  it('says how it is used', () => {
    expect(run(DECLARED, '--help')).toMatchObject({ status: 0, stdout: expect.stringContaining('Usage: framework-openapi <module>') });
  });

  it('warns the process where nobody listens', () => {
    const asked = `${source('{ find: async () => [] }')}\nawait app.setup();\nawait app.service('openapi.json').find();\nsetImmediate(() => process.exit());`;
    writeFileSync(join(folder, 'app.mjs'), asked);
    const { stderr } = spawnSync(process.execPath, ['app.mjs'], { cwd: folder, encoding: 'utf8' });
    expect(stderr).toContain("OpenApiWarning: The service 'notes' declares no result of 'find'");
  });
});

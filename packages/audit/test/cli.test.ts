import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

const bin = join(import.meta.dirname, '../bin/framework-audit.js');
let folder: string;
beforeEach(() => {
  // Beside the tests, where the packages are installed.
  folder = mkdtempSync(join(import.meta.dirname, 'application-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function audit(source: string, ...args: string[]): { status: number | null; stdout: string; stderr: string } {
  writeFileSync(join(folder, 'app.mjs'), source);
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, 'app.mjs', ...args], { cwd: folder, encoding: 'utf8' });
  return { status, stdout, stderr };
}

const source = (guards: string): string => `
import { authenticate } from '@framework/authentication';
import { framework } from '@framework/core';
setInterval(() => undefined, 1000);
export const app = framework();
app.use('notes', { find: async () => [], remove: async (id) => ({ id }) });
app.service('notes').hooks({ before: { ${guards} } });
`;
const UNGUARDED = source('').replace(/setInterval.*/, '');
const GUARDED = source("find: [authenticate('jwt')], remove: [authenticate('jwt')]");

describe('S50 framework-audit', () => {
  it('writes what was reviewed, and then finds nothing', () => {
    expect(audit(GUARDED, '--update')).toMatchObject({ status: 0, stdout: expect.stringContaining('audit.json is written') });
    expect(Object.keys(JSON.parse(readFileSync(join(folder, 'audit.json'), 'utf8')) as object)).toEqual(['notes']);
    expect(audit(GUARDED)).toMatchObject({ status: 0, stdout: expect.stringContaining('find    guards: authenticate(jwt)') });
  });

  it('ends with 1 and names service and method when one authenticate was removed', () => {
    audit(GUARDED, '--update');
    expect(audit(source("find: [authenticate('jwt')]"))).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("service 'notes', method 'remove' has lost the guard authenticate(jwt)"),
    });
  });

  it('says what to name where Node.js does not read a module', () => {
    writeFileSync(join(folder, 'view.tsx'), 'export const view = 1;');
    const { status, stderr } = audit(`import './view.tsx';${GUARDED}`);
    expect([status, stderr]).toEqual([
      2,
      expect.stringMatching(
        /^Node.js \S+ does not read app.mjs, or a module that it imports: name the compiled one, such as dist\/app.js, or take Node.js 22.18/,
      ),
    ]);
  });

  it('takes a function, also an asynchronous one, and another export', () => {
    const made = GUARDED.replace('export const app', 'const app');
    expect(audit(`${made}export default async () => app;`, '--update').status).toBe(0);
    expect(audit(`${made}export const mine = () => app;`, '--export', 'mine', '--json')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('"largestPage": null'),
    });
  });

  it.each([
    ['no file', GUARDED, [], 'audit.json does not exist: --update writes it'],
    ['no export', 'export const other = 1;', [], "has no export 'app' and no default export"],
    ['another export', 'export const app = 1;', ['--export', 'nothing'], "has no export 'nothing'"],
    ['no application', 'export const app = {};', [], 'exports no application'],
    ['an error in the module', 'throw new Error("no database");', [], 'no database'],
    ['an unknown option', GUARDED, ['--guess'], '--guess'],
    ['two modules', GUARDED, ['more.mjs'], 'takes one module'],
  ])('ends with 2 for %s', (_what, text, args, message) => {
    expect(audit(text, ...args)).toMatchObject({ status: 2, stderr: expect.stringContaining(message) });
  });

  it.each([
    ['ends the process', 'process.exit(0);'],
    ['waits for what never comes', 'await new Promise(() => undefined);'],
    ['has a setup that never ends', `${UNGUARDED}app.hooks({ setup: [() => new Promise(() => undefined)] });`],
    ['has a setup that ends the process', `${UNGUARDED}app.hooks({ setup: [async () => process.exit(0)] });`],
  ])('ends with 2 when the application %s, since nothing was compared', (_what, text) => {
    audit(GUARDED, '--update');
    expect(audit(text)).toMatchObject({
      status: 2,
      stderr: 'There is no audit: the application ended the process, or waits for what never comes\n',
    });
  });

  it('sees what setup registers, unless it is not to be called', () => {
    const late = "app.hooks({ setup: [async (_context, next) => { app.use('late', { find: async () => [] }); await next(); }] });";
    const made = `${GUARDED}${late}`;
    expect(audit(made, '--update', '--json').stdout).toContain('"late"');
    expect(audit(made, '--no-setup', '--json').stdout).not.toContain('"late"');
    expect(audit(`${made}app.hooks({ setup: [async () => { throw new Error('no secret'); }] });`)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('no secret'),
    });
  });

  it('prints JSON and nothing else for programs', () => {
    const { stdout, stderr } = audit(GUARDED, '--update', '--json');
    expect(Object.keys(JSON.parse(stdout) as object)).toEqual(['notes']);
    expect(stderr).toContain('audit.json is written');
  });

  it.each([
    ['a list', '[]'],
    ['no JSON', '{'],
    [
      'an audit of another form',
      '{"notes":{"methods":{"find":["authenticate(jwt)"]},"schema":true,"hidden":[],"multi":false,"largestPage":null}}',
    ],
    [
      'an audit with events of another form',
      '{"notes":{"methods":{},"schema":true,"hidden":[],"notSet":[],"multi":false,"largestPage":null,"events":"created: all"}}',
    ],
  ])('ends with 2 for a file that is %s', (_what, text) => {
    writeFileSync(join(folder, 'audit.json'), text);
    expect(audit(GUARDED)).toMatchObject({ status: 2, stderr: expect.stringContaining('is no audit') });
  });
});

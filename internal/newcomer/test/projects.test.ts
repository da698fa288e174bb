import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectFiles, type ProjectOptions } from 'create-framework';
import { afterAll, expect, it } from '@jest/globals';

const here = import.meta.dirname;
const compiler = join(here, '../../typecheck/node_modules/typescript/bin/tsc');
// Beside the tests, so that packages are found.
const folder = mkdtempSync(join(here, 'projects-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const LANGUAGES = ['ts', 'js'] as const;
const DATABASES = [{ kind: 'memory' }, { kind: 'embedded' }] as const;
const LOGINS = ['none', 'local', 'oauth'] as const;
const REAL_TIMES = ['none', 'sse', 'socketio'] as const;

/** @returns the folder of a project as the generator writes it */
function written(different: Pick<ProjectOptions, 'database' | 'language' | 'login' | 'realTime'>): string {
  const { database, language, login, realTime } = different;
  const project = join(folder, [language, database.kind, login, realTime].join('-'));
  const packageManager = { name: 'npm', version: '11.0.0' } as const;
  for (const [file, text] of projectFiles({ name: 'my-api', folder: project, packageManager, ...different }, 'c2VjcmV0'.repeat(8))) {
    const path = join(project, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  return project;
}

/** Runs Node.js in the folder of a project, as somebody does who has nothing else. */
function runs(project: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { PATH } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: project, encoding: 'utf8', env: { PATH, ...env } });
  return { status, printed: stdout + stderr };
}

it('every project has right types, in both languages', () => {
  const projects = LANGUAGES.flatMap((language) =>
    DATABASES.flatMap((database) =>
      LOGINS.flatMap((login) => REAL_TIMES.map((realTime) => written({ language, database, login, realTime }))),
    ),
  );
  // By one process on one thread, which reads once what they have in common.
  const options = ['--build', '--noEmit', '--singleThreaded'];
  const { status, stdout } = spawnSync(process.execPath, [compiler, ...options, ...projects], { encoding: 'utf8' });
  expect(stdout).toBe('');
  expect([status, projects.length]).toEqual([0, 36]);
});

it.each(['sse', 'socketio'] as const)('the tests of a project pass, those of events by %s too', (realTime) => {
  const project = written({ language: 'js', database: { kind: 'memory' }, login: 'local', realTime });
  const { status, printed } = runs(project, ['--test', '--test-reporter=spec']);
  expect(printed).toMatch(/✔ .*listen/);
  expect(status).toBe(0);
});

it.each(['GITHUB_CLIENT_ID', 'GITHUB_CLIENT_SECRET'])('a project does not start with %s alone', (name) => {
  const project = written({ language: 'js', database: { kind: 'memory' }, login: 'oauth', realTime: 'none' });
  // It does not listen, so that it would end by itself.
  const program = "import { createApp } from './src/app.js'; createApp(process.env);";
  const { status, printed } = runs(project, ['--input-type=module', '--eval', program], {
    AUTH_SECRET: 'c2VjcmV0'.repeat(8),
    [name]: 'given',
  });
  expect(printed).toContain('GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET belong together: set both, or neither');
  expect(status).toBe(1);
});

import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Random, Variety } from '@framework-internal/random';
import { afterEach, describe, expect, it } from '@jest/globals';
import { writeChanges } from '../src/index.ts';
import { TestApplication } from './application.ts';

const bin = join(import.meta.dirname, '../bin/framework-migrate.js');
let application: TestApplication;
afterEach(() => {
  application.remove();
});

function migrate(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], { cwd: application.folder, encoding: 'utf8' });
  return { status, stdout, stderr };
}

const git = (...args: string[]): void => {
  const { status } = spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@localhost', ...args], { cwd: application.folder });
  if (status !== 0) throw new Error(`git ${args.join(' ')} failed`);
};

const APP = `import { feathers } from '@feathersjs/feathers'\n\nexport const   app = feathers();\napp._isSetup\n`;
const MOVED = `import { framework } from '@framework/core'\n\nexport const   app = framework();\napp._isSetup\n`;

describe('framework-migrate', () => {
  it('tells what it would do, and writes nothing', () => {
    application = new TestApplication({ 'src/app.js': APP });
    const before = application.files;
    const { status, stdout } = migrate();
    expect([status, application.files]).toEqual([0, before]);
    expect(stdout).toContain(`src/app.js\n  1 - import { feathers } from '@feathersjs/feathers'\n`);
    expect(stdout).toContain('Would change: 2 files');
    expect(stdout).toContain('src/app.js:4: _isSetup can not be reached: nothing inside is (Names)');
  });

  it('writes with --write, keeps modes, and changes nothing more when it runs again', () => {
    application = new TestApplication({ 'src/app.js': APP });
    chmodSync(join(application.folder, 'src/app.js'), 0o755);
    expect(migrate('--write').status).toBe(0);
    const after = application.files;
    expect(after['src/app.js']).toBe(MOVED);
    if (process.platform !== 'win32') expect(statSync(join(application.folder, 'src/app.js')).mode & 0o777).toBe(0o755);
    expect(migrate('--write').stdout).toContain('There is nothing to change.');
    expect(application.files).toEqual(after);
    expect(Object.keys(after).filter((file) => file.endsWith('.migrate'))).toEqual([]);
  });

  it('leaves an application that it can not change as it is, and says why', () => {
    application = new TestApplication({ 'src/app.js': APP, 'src/db.js': `import primus from '@feathersjs/primus'` });
    const before = application.files;
    const { status, stdout } = migrate('--write');
    expect([status, application.files]).toEqual([1, before]);
    expect(stdout).toContain('src/db.js:1: @feathersjs/primus: there is no transport for Primus');
  });

  it('writes into no tree with changes that git does not have, but with --force', () => {
    application = new TestApplication({ 'src/app.js': APP });
    git('init', '--quiet');
    expect(migrate('--write')).toMatchObject({ status: 2, stderr: expect.stringContaining('not committed') });
    expect(application.files['src/app.js']).toBe(APP);
    expect(migrate().status).toBe(0);
    git('add', '--all');
    git('commit', '--quiet', '--message=a');
    expect(migrate('--write').status).toBe(0);
    writeFileSync(join(application.folder, 'src/app.js'), APP);
    expect(migrate('--write', '--force').status).toBe(0);
    expect(application.files['src/app.js']).toBe(MOVED);
  });

  it.each([
    [['nowhere'], 'There is no package.json'],
    [['a', 'b'], 'takes one folder'],
    [['--wirte'], '--wirte'],
  ])('refuses %j', (args, said) => {
    application = new TestApplication({});
    expect(migrate(...args)).toMatchObject({ status: 2, stderr: expect.stringContaining(said) });
  });
});

describe('writing', () => {
  it('writes into no tree of which git does not tell what is committed, but with --force', () => {
    application = new TestApplication({ 'src/app.js': APP, '.git': 'gitdir: ./nothing' });
    const before = application.files;
    const { status, stderr } = migrate('--write');
    expect([status, stderr, application.files]).toEqual([
      2,
      expect.stringMatching(/^git does not tell.*not a git repository.*--force/),
      before,
    ]);
    expect(migrate('--write', '--force').status).toBe(0);
    expect(application.files['src/app.js']).toBe(MOVED);
  });

  it('stops at a file that was changed meanwhile, before it writes any', () => {
    application = new TestApplication({ 'src/app.js': APP, 'src/b.js': APP });
    const { changes } = application.plan();
    writeFileSync(join(application.folder, 'src/b.js'), 'mine');
    const before = application.files;
    expect(() => writeChanges(application.folder, changes)).toThrow('src/b.js was changed meanwhile: nothing was written');
    expect(application.files).toEqual(before);
  });

  it('puts back what it has replaced when a file can not be', () => {
    application = new TestApplication({ 'a.js': APP, 'b.js': APP });
    const { changes } = application.plan();
    const [first] = changes;
    // The same file twice: its draft is gone when its turn comes again.
    const before = application.files;
    expect(() => writeChanges(application.folder, [...changes, { ...first!, file: 'a.js' }])).toThrow();
    expect(application.files).toEqual(before);
  });

  it('is done or not done when the command is ended', async () => {
    const seed = Number(process.env.END_SEED ?? 3);
    const random = new Random(seed);
    const variety = new Variety();
    const files = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`src/${String(index)}.js`, APP]));
    for (let round = 0; round < Number(process.env.END_ROUNDS ?? 10); round += 1) {
      application = new TestApplication(files);
      const child = spawn(process.execPath, [bin, '--write'], { cwd: application.folder, stdio: 'ignore' });
      const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
      const moment = random.pick(['started', 'writing', 'written'] as const);
      const begun = {
        started: () => true,
        writing: () => Object.keys(application.files).some((file) => file.endsWith('.migrate')),
        written: () => application.files['src/0.js'] === MOVED,
      }[moment];
      for (;;) {
        try {
          if (child.exitCode !== null || begun()) break;
        } catch {
          // A file that was looked at has just been replaced.
        }
        await new Promise(setImmediate);
      }
      const signal = random.pick(['SIGINT', 'SIGTERM'] as const);
      child.kill(signal);
      await ended;
      const texts = new Set(Object.entries(application.files).flatMap(([file, text]) => (file.endsWith('.js') ? [text] : [])));
      expect(texts.size).toBe(1);
      expect(Object.keys(application.files).filter((file) => file.endsWith('.migrate'))).toEqual([]);
      variety.tried(`${String(round)} ${moment} ${signal}`);
      variety.took(texts.has(MOVED) ? 'done' : 'not done');
      application.remove();
    }
    console.log(variety.report('ended while it writes', seed));
    variety.expect(8, { done: 1 });
    mkdirSync(application.folder);
    rmSync(application.folder, { recursive: true });
  });
});

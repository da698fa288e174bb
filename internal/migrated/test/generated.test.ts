import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { freePort } from '@framework-internal/testing/free-port';
import { startPostgres, type Postgres } from '@framework-internal/testing/postgres';
import { DocDbServer } from '@framework/docdb-embedded';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const { resolve } = createRequire(import.meta.url);
const migrateBin = join(import.meta.dirname, '../node_modules/@framework/migrate/bin/framework-migrate.js');
const mocha = join(import.meta.dirname, '../node_modules/mocha/bin/mocha.js');
const knex = join(import.meta.dirname, '../node_modules/knex/bin/cli.js');
const generator = join(import.meta.dirname, '../generate.mjs');
const compiler = join(import.meta.dirname, '../../typecheck/node_modules/typescript/bin/tsc');

interface Answers {
  readonly language: 'ts' | 'js';
  readonly schema: 'typebox' | 'json';
  readonly database: 'mongodb' | 'other' | 'postgresql';
  readonly framework: 'express' | 'koa';
  readonly transports: readonly ('rest' | 'websockets')[];
  readonly auth: boolean;
  /** Its tests log in. The generator leaves imports out of clients in JavaScript: their own tests fail before anything is changed. */
  readonly client: boolean;
}

const BOTH = ['rest', 'websockets'] as const;
const FIRST: readonly [string, Answers] = [
  'TypeBox, MongoDB, sockets, logins',
  { language: 'ts', schema: 'typebox', database: 'mongodb', framework: 'express', transports: BOTH, auth: true, client: true },
];
const APPLICATIONS: readonly (readonly [string, Answers, number])[] = [
  [...FIRST, 6],
  [
    'JSON Schema, MongoDB, logins',
    { language: 'ts', schema: 'json', database: 'mongodb', framework: 'express', transports: ['rest'], auth: true, client: true },
    6,
  ],
  [
    'TypeBox, own services, sockets',
    { language: 'ts', schema: 'typebox', database: 'other', framework: 'express', transports: BOTH, auth: false, client: true },
    4,
  ],
  [
    'JSON Schema, own services',
    { language: 'ts', schema: 'json', database: 'other', framework: 'express', transports: ['rest'], auth: false, client: true },
    4,
  ],
  [
    'JavaScript, JSON Schema, MongoDB, sockets, logins',
    { language: 'js', schema: 'json', database: 'mongodb', framework: 'express', transports: BOTH, auth: true, client: false },
    4,
  ],
  [
    'JavaScript, TypeBox, own services',
    { language: 'js', schema: 'typebox', database: 'other', framework: 'express', transports: ['rest'], auth: false, client: false },
    3,
  ],
  [
    'Koa, TypeBox, MongoDB, sockets, logins',
    { language: 'ts', schema: 'typebox', database: 'mongodb', framework: 'koa', transports: BOTH, auth: true, client: true },
    6,
  ],
  [
    'Koa, JavaScript, JSON Schema, own services',
    { language: 'js', schema: 'json', database: 'other', framework: 'koa', transports: BOTH, auth: false, client: false },
    3,
  ],
  [
    'TypeBox, PostgreSQL, sockets, logins',
    { language: 'ts', schema: 'typebox', database: 'postgresql', framework: 'express', transports: BOTH, auth: true, client: true },
    6,
  ],
];

/** Those that differ most. All of them take minutes, by `MIGRATED_RUNS=9`. */
const SHORT = [APPLICATIONS[0], APPLICATIONS[7], APPLICATIONS[8]].flatMap((each) => (each ? [each] : []));
const runs = Number(process.env.MIGRATED_RUNS ?? SHORT.length);
const CHOSEN = runs > SHORT.length ? APPLICATIONS.slice(0, runs) : SHORT;

let database: DocDbServer;
let postgres: Postgres;
/** Folder of each application by its title, beside the tests, where packages are installed. */
const folders = new Map(CHOSEN.map(([title]) => [title, mkdtempSync(join(import.meta.dirname, 'application-'))]));
beforeAll(async () => {
  database = await DocDbServer.start();
  postgres = await startPostgres();
  // One process for all of them: it loads for longer than it generates.
  const pairs = CHOSEN.flatMap(([title, answers]) => [String(folders.get(title)), JSON.stringify(answers)]);
  const { status, output } = await run([generator, ...pairs], import.meta.dirname);
  if (status !== 0) throw new Error(`The generator ended with ${String(status)}:\n${output}`);
});
afterAll(async () => {
  await database.stop();
  await postgres.stop();
  for (const folder of folders.values()) rmSync(folder, { recursive: true, force: true });
});

/** Runs a program to its end; the database of these tests goes on meanwhile. */
async function run(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}): Promise<{ status: number | null; output: string }> {
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...process.env, NODE_OPTIONS: '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 300_000,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [status] = (await once(child, 'close')) as [number | null];
  return { status, output };
}

/** What was changed of an application, for what is asked of it besides. */
interface Change {
  readonly folder: string;
  readonly output: string;
  readonly before: Readonly<Record<string, string>>;
  readonly after: Readonly<Record<string, string>>;
}

/** Changes of applications by their titles. */
const changes = new Map<string, Promise<Change>>();

/** Changes an application, once for all tests. */
function changeOf(title: string): Promise<Change> {
  const known = changes.get(title);
  if (known !== undefined) return known;
  const made = (async (): Promise<Change> => {
    const folder = String(folders.get(title));
    const before = everything(folder);
    const { status, output } = await run([migrateBin, folder, '--write', '--force'], folder);
    if (status !== 0) throw new Error(`The command ended with ${String(status)}:\n${output}`);
    return { folder, output, before, after: everything(folder) };
  })();
  changes.set(title, made);
  return made;
}

/** Checks the types of all that an application has, its tests and migrations too, by its settings. */
function checkTypes(folder: string): Promise<{ status: number | null; output: string }> {
  const all = {
    extends: './tsconfig.json',
    compilerOptions: { rootDir: '.', types: ['node', 'mocha'] },
    include: ['**/*.ts'],
    exclude: ['lib', 'public'],
  };
  writeFileSync(join(folder, 'tsconfig.all.json'), JSON.stringify(all));
  return run([compiler, '-p', 'tsconfig.all.json', '--noEmit', '--singleThreaded'], folder);
}

/** All files with their bytes. */
function everything(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(files.map(({ parentPath, name }) => [join(parentPath, name), readFileSync(join(parentPath, name), 'base64')]));
}

describe('an application of the generator of FeathersJS', () => {
  it.each(CHOSEN)('(%s) passes its own tests once it is changed, and is not changed again', async (title, answers, least) => {
    const { folder, after } = await changeOf(title);
    expect((await run([migrateBin, folder, '--write', '--force'], folder)).output).toContain('There is nothing to change.');
    expect(everything(folder)).toEqual(after);
    const postgresql = { client: 'pg', connection: postgres.url };
    const config = { port: await freePort(), mongodb: new URL('/migrated', database.uri).href, postgresql };
    // The first has its types checked as its own script has them checked, by the compiler that it brings; the others by the quick one.
    const checksTypes = title === FIRST[0];
    const env = {
      NODE_ENV: 'test',
      NODE_CONFIG: JSON.stringify(config),
      ...(checksTypes ? {} : { TS_NODE_TRANSPILE_ONLY: 'true' }),
    };
    if (answers.language === 'ts' && !checksTypes) expect(await checkTypes(folder)).toEqual({ status: 0, output: '' });
    const typed = answers.language === 'ts' ? ['--require', resolve('ts-node/register'), '--extension', '.ts'] : [];
    if (answers.database === 'postgresql') {
      // As its script does, with another port and database.
      const loaded = await run([knex, 'migrate:latest'], folder, env);
      expect(loaded).toMatchObject({ status: 0 });
      const migrations = Object.keys(after).filter((file) => file.startsWith(join(folder, 'migrations')));
      expect(migrations.length).toBeGreaterThan(0);
    }
    const tests = await run([mocha, 'test/', ...typed, '--recursive', '--exit', '--timeout', '60000'], folder, env);
    expect(tests).toMatchObject({ status: 0 });
    expect(Number(/(\d+) passing/.exec(tests.output)?.[1])).toBeGreaterThanOrEqual(least);
  });

  it('keeps what is not changed byte by byte', async () => {
    const { folder, output, before, after } = await changeOf(FIRST[0]);
    expect(Object.keys(after)).toEqual(Object.keys(before));
    const files = Object.keys(after).filter((file) => after[file] !== before[file]);
    for (const file of files) expect(output).toContain(file.slice(folder.length + 1));
    expect(files.length).toBeGreaterThan(10);
    const lines = (file: string, from: Record<string, string>): string[] =>
      Buffer.from(from[file] ?? '', 'base64')
        .toString()
        .split('\n');
    const service = Object.keys(after).find((file) => file.endsWith('messages.ts') && file.includes('src')) ?? '';
    const differing = lines(service, after).filter((line, index) => line !== lines(service, before)[index]);
    // The generator formats by the settings that it finds.
    expect(differing.map((line) => line.replace(/;$/, ''))).toEqual([
      `import { authenticate } from '@framework/authentication'`,
      `import { hooks as schemaHooks } from '@framework/schema'`,
    ]);
  });
});

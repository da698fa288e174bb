import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sharingFiles } from '@framework-internal/testing/sharing-files';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Compiler } from '../src/flat-types/compiler.ts';
import { flatTypes } from '../src/flat-types/flat-types.ts';

const here = import.meta.dirname;
const require = createRequire(import.meta.url);
// Beside the tests, so that packages are found.
const server = mkdtempSync(join(here, 'flat-'));
const page = join(server, 'page');
const small = join(server, 'small');
afterAll(() => rmSync(server, { recursive: true, force: true }));

const APP = `import { MemoryService } from '@framework/adapter-memory';
import { framework, type Id, type Paginated, type Params } from '@framework/core';
import { DateSchema, Hidden, serviceSchema, Type, type DataType, type RecordType } from '@framework/schema';

const messageSchema = serviceSchema({
  record: Type.Object({
    id: Type.Integer(),
    text: Type.String(),
    'two words': Type.Optional(Type.Union([Type.Literal('a'), Type.Literal('b')])),
    at: Type.Optional(DateSchema()),
    internalNote: Type.Optional(Hidden(Type.String())),
  }),
});
class Messages extends MemoryService<RecordType<typeof messageSchema>, DataType<typeof messageSchema>> {
  async shout(data: { loud: boolean }): Promise<{ said: Date }> {
    return { said: new Date(Number(data.loud)) };
  }
  async secretMethod(): Promise<string> {
    return '';
  }
}
interface Tree { name: string; children: Tree[]; owner?: { id: bigint; born: Date } | null; walk(): void }
declare class Trees {
  find(params?: Params<{ name?: string | { $in?: string[] } }>): Promise<Paginated<Tree>>;
  get(id: Id, params?: Params): Promise<Tree>;
  create(data: { name: string; at: Date }, params?: Params): Promise<Tree>;
}
declare const trees: Trees;
declare const none: { get(id: Id): Promise<[string, number?]> };
export const app = framework()
  .use('messages', new Messages({ multi: true }), { schema: messageSchema, methods: ['find', 'get', 'create', 'patch', 'remove', 'shout'] })
  .use('trees/:treeId/parts', trees)
  .use('none', none);
export const makeApp = async (secret: string) => (secret ? app : app);
export const later = framework();
later.use('trees', trees);
export const both = { app };
export class Parts { app = app }
export interface Declared { trees: Trees }
`;

const PAGE = `import { createClient, rest } from '@framework/client';
import type { Services } from './services.js';

const client = createClient<Services>(rest('https://api.example.com'));
const messages = client.service('messages');
export async function calls(): Promise<void> {
  const found = await messages.find({ query: { text: 'a', $limit: 1, $sort: { at: -1 } } });
  const [first] = Array.isArray(found) ? found : found.data;
  const at: string | undefined = first?.at;
  const word: 'a' | 'b' | undefined = first?.['two words'];
  const list: { text: string }[] = await messages.create([{ text: 'a', at: new Date() }, { text: 'b', at: '2025-01-31T12:00:00.000Z' }]);
  const said: string = (await messages.shout({ loud: true })).said;
  await messages.patch(null, { text: 'all' });
  const parts = await client.service('trees/:treeId/parts').find({ route: { treeId: 1 }, query: { name: { $in: ['a'] } } });
  const deep: string | undefined = parts.data[0]?.children[0]?.children[0]?.children[0]?.name;
  const born: string | undefined = parts.data[0]?.owner?.born;
  const tuple: string = (await client.service('none').get(1))[0];
  console.log(at, word, list, said, deep, born, tuple);
  // @ts-expect-error hidden
  console.log(first?.internalNote);
  // @ts-expect-error not among the methods
  await messages.secretMethod();
  // @ts-expect-error not among the methods
  await messages.update(1, { text: 'a' });
  // @ts-expect-error no such service
  client.service('users');
  // @ts-expect-error a text is a text
  await messages.create({ text: 1 });
  // @ts-expect-error functions are not sent
  parts.data[0]?.walk();
  // @ts-expect-error the path has a placeholder
  await client.service('trees/:treeId/parts').find();
}
`;

/** A package as it is published: what is built, and nothing else. */
function published(name: string): void {
  const from = join(here, '../..', name);
  const to = join(page, 'node_modules/@framework', name);
  const { publishConfig, ...manifest } = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'));
  cpSync(join(from, 'dist'), join(to, 'dist'), { recursive: true });
  writeFileSync(join(to, 'package.json'), JSON.stringify({ ...manifest, exports: publishConfig.exports }));
}

const write = (name: string, text: string): void => writeFileSync(join(server, name), text);
const compilers = new Map(['typescript-5.8', 'typescript'].map((name) => [name, sharingFiles(require(name), server)]));
function compilerOf(name: string): Compiler {
  const compiler = compilers.get(name);
  if (!compiler) throw new Error(`There is no ${name}`);
  return compiler;
}

/** What `tsc -p` says of the page; in this process, where the compiler has its own libraries already. */
function problemsOfPage(compiler: Compiler, exactOptionalPropertyTypes: boolean): string {
  const config = join(page, 'tsconfig.json');
  const read = compiler.readConfigFile(config, (path) => compiler.sys.readFile(path));
  const { options, fileNames, errors } = compiler.parseJsonConfigFileContent(read.config, compiler.sys, page, {
    exactOptionalPropertyTypes,
  });
  const program = compiler.createProgram(fileNames, options, compiler.createCompilerHost(options));
  const problems = [...(read.error ? [read.error] : []), ...errors, ...compiler.getPreEmitDiagnostics(program)];
  return compiler.formatDiagnostics(problems, {
    getCanonicalFileName: (path) => path,
    getCurrentDirectory: () => page,
    getNewLine: () => '\n',
  });
}

beforeAll(() => {
  mkdirSync(page);
  write('app.ts', APP);
  write(
    'tsconfig.json',
    JSON.stringify({ extends: '../../../../tsconfig.check.json', compilerOptions: { customConditions: [] }, include: ['app.ts'] }),
  );
  write('page/page.ts', PAGE);
  write('page/package.json', '{"type":"module"}');
  const compilerOptions = {
    strict: true,
    module: 'NodeNext',
    target: 'ES2023',
    lib: ['ES2023', 'DOM', 'DOM.Iterable'],
    types: [],
    noEmit: true,
    // What is published is checked; what the compiler has itself need not be.
    skipDefaultLibCheck: true,
  };
  write('page/tsconfig.json', JSON.stringify({ compilerOptions, files: ['page.ts'] }));
  for (const name of ['client', 'query']) published(name);
});

const texts: string[] = [];
const ask = (name: string, options: object = {}): string =>
  flatTypes(compilerOf(name), { module: join(server, 'app.ts'), name: 'app', isType: false, ...options });

// Both settings of optional properties, one with each.
it.each([
  ['5.8', 'typescript-5.8', true],
  ['6.0', 'typescript', false],
])('framework-types of TypeScript %s writes what a page compiles by that has the published client alone', (_version, name, exact) => {
  const text = ask(name);
  expect(text).not.toMatch(/\bimport\b|internalNote|secretMethod|walk/);
  write('page/services.d.ts', text);
  expect(problemsOfPage(compilerOf(name), exact)).toBe('');
  texts.push(text);
  expect(texts[0]).toBe(text);
});

it('writes the services of a map that the application declares', () => {
  const declared = ask('typescript', { name: 'Declared', isType: true });
  expect(declared).toContain('"trees": {');
  expect(declared).not.toContain('messages');
});

it('takes a function that makes the application, as framework-openapi does', () => {
  expect(ask('typescript', { name: 'makeApp' })).toBe(ask('typescript'));
});

it('writes nothing where the type knows no services, and says how it gets them', () => {
  expect(() => ask('typescript', { name: 'later' })).toThrow(
    /app\.ts: the type of 'later' has no services\. .*use\(…\)\.use\(…\).*framework<Services>\(\).*--type/,
  );
});

it.each(['both', 'Parts'])('writes nothing for %s, which holds an application and is none', (name) => {
  expect(() => ask('typescript', { name })).toThrow(`app.ts: the type of '${name}' has no services. `);
});

it('says what it can not do', () => {
  expect(() => ask('typescript', { name: 'nothing' })).toThrow(/app\.ts: .*'nothing'.*--export.*--type/);
  write('built.js', 'export const app = {};');
  expect(() => ask('typescript', { module: join(server, 'built.js') })).toThrow(/built\.js: .* Name the source in TypeScript/);
  expect(() => ask('typescript', { module: join(server, 'none.ts') })).toThrow('none.ts');
});

it('says what to install where there is no client beside the application', () => {
  const bare = mkdtempSync(join(tmpdir(), 'bare-'));
  try {
    writeFileSync(join(bare, 'app.ts'), 'export const app = {};\n');
    writeFileSync(join(bare, 'tsconfig.json'), '{"compilerOptions":{"module":"NodeNext","types":[]}}');
    expect(() => ask('typescript', { module: join(bare, 'app.ts') })).toThrow(
      /app\.ts: Cannot find module '@framework\/client'.* framework-types reads its types: npm install --save-dev @framework\/client$/s,
    );
  } finally {
    rmSync(bare, { recursive: true });
  }
});

it('is a command that writes a file, and tells in CI when it is out of date', () => {
  const bin = join(here, '../bin/framework-types.js');
  const run = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], { cwd: small, encoding: 'utf8' });
    return { status, stdout, stderr };
  };
  // Each process reads all that the application is made of: one type will do.
  mkdirSync(small);
  writeFileSync(join(small, 'app.ts'), 'export interface Declared { trees: { get(id: number): Promise<{ name: string }> } }\n');
  writeFileSync(join(small, 'tsconfig.json'), '{"compilerOptions":{"module":"NodeNext","target":"ES2023","types":[]}}');
  expect(run('app.ts', '--type', 'Declared')).toMatchObject({ status: 0, stderr: 'services.d.ts is written\n' });
  const text = readFileSync(join(small, 'services.d.ts'), 'utf8');
  expect(text).toContain('export interface Services {');
  writeFileSync(join(small, 'services.d.ts'), `${text} `);
  expect(run('app.ts', '--type', 'Declared', '--check')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('framework-types without'),
  });
  expect(readFileSync(join(small, 'services.d.ts'), 'utf8')).toBe(`${text} `);
  expect(run('--help').stdout).toContain('Usage: framework-types <module>');
  for (const args of [[], ['app.ts', '--unknown'], ['app.ts', '--export', 'a', '--type', 'b'], ['app.ts', '--export', 'a b']])
    expect([args, run(...args).status]).toEqual([args, 2]);
});

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { sharingFiles } from '@framework-internal/testing/sharing-files';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Compiler } from '../src/flat-types/compiler.ts';
import { flatTypes } from '../src/flat-types/flat-types.ts';

const here = import.meta.dirname;
const require = createRequire(import.meta.url);
// Beside the tests, so that packages are found.
const folder = mkdtempSync(join(here, 'same-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
const compilers = new Map(['typescript-5.8', 'typescript'].map((name) => [name, sharingFiles(require(name), folder)]));
function compilerOf(name: string): Compiler {
  const compiler = compilers.get(name);
  if (!compiler) throw new Error(`There is no ${name}`);
  return compiler;
}

const APP = `import type { Id, Paginated, Params } from '@framework/core';

type Service<R, D = R> = {
  find(params?: Params<{ name?: string | { $in?: readonly string[] } }>): Promise<Paginated<R>>;
  get(id: Id, params?: Params): Promise<R>;
  create(data: D | D[], params?: Params): Promise<R>;
  patch(id: Id | null, data: Partial<D>, params?: Params): Promise<R>;
};
interface Either { readonly kind: 'a'; a: string }
interface Or { kind: 'b'; b: number }

interface Literals {
  quoted: 'it\\'s "so" \\\\ | \\n \\u{1F600}';
  only: true | 'auto';
  off?: false | null;
  signed: -1 | 0.5;
  slug: \`post-\${number}\` | \`\${Capitalize<string>}!\` | Uppercase<string>;
  suggested: 'a' | (string & {});
  any: any;
  unknown: unknown;
  'two words': string;
  '__@x': string;
  __proto__: string;
  readonly: string;
}
interface Tuples {
  plain: [string, number];
  fixed: readonly [string];
  optional: [string, number?, (boolean | undefined)?];
  rest: [string, ...number[]];
  middle: [...string[], boolean, number];
  none: [];
  nested: [[string, Date?], ...[number][]];
  lists: (readonly string[])[];
}
declare const brand: unique symbol;
declare const otherBrand: unique symbol;
interface Brands {
  id: string & { readonly __brand: 'UserId' };
  count: (number & { __unit: 'm'; tag: true }) | null;
  byBrand: { [id: string & { readonly __brand: 'UserId' }]: number };
}
interface Symbols { id: string & { readonly [brand]: 'UserId'; tag?: typeof otherBrand }; other: string & { readonly [otherBrand]: true } }
interface Keys {
  readonly [name: string]: string | number | undefined;
  readonly fixed: number;
  [other: \`data-\${string}\`]: string;
}
interface Maps { keys: Keys; numbers: { [index: number]: string }; mixed: Record<'a' | 'b', Record<string, Date>>; empty: {} }
interface Optional { both?: string | undefined; missing?: string; undefined: string | undefined; readonly at?: Date | undefined }
type Json = string | number | boolean | null | Json[] | { [name: string]: Json };
interface Node { value: Json; left?: Node; others: Node[]; pair: [Node, Node?]; author: Author }
interface Author { name: string; books: Book[]; friends: Author[] }
interface Book { title: string; author: Author; publisher: Publisher; related: { books: Book[]; authors: Author[] } }
interface Publisher { books: Book[]; authors: Author[]; since: string }
interface Generic<T> { value: T; inner?: Generic<T[]> }
interface Shared { first: { since: Date; deep: { a: string; b: number; c: boolean } }; second: Shared['first']; third: Shared['first'][] }

export interface Declared {
  unions: Service<Either | Or>;
  literals: Service<Literals>;
  tuples: Service<Tuples>;
  brands: Service<Brands>;
  maps: Service<Maps>;
  optional: Service<Optional>;
  recursive: Service<Node>;
  json: Service<{ json: Json }>;
  shared: Service<Shared>;
  customs: {
    readonly '~registration'?: { readonly methods: readonly ['get', 'maybe', 'must', 'nothing', 'silent'] };
    get(id: Id): Promise<{ id: number }>;
    maybe(data?: { a: { b: string | undefined | null } }): Promise<string[]>;
    must(data: { a: string | undefined | number }): Promise<[string, number?]>;
    nothing(): Promise<{ done: boolean }>;
    silent(data: { a: 1 | 'b' }): Promise<void>;
  };
  // Each method gives and takes something else.
  reports: {
    find(): Promise<{ id: number; title: string }[]>;
    get(id: Id): Promise<{ id: number; title: string; body: string; at: Date }>;
    create(data: { title: string }): Promise<{ queued: boolean }>;
    update(id: Id, data: { title: string; body: string }): Promise<{ version: number }>;
    patch(id: Id | null, data: { body?: string }): Promise<{ changed: number } | { changed: number }[]>;
    remove(id: Id): Promise<void>;
  };
  mails: { create(data: { to: string }, params?: Params<{ later?: Date }>): Promise<{ sent: Date }> };
  held: Service<{ map: Map<string, Date>; set?: ReadonlySet<string>; pattern: RegExp }, { id: number }>;
  // Names that would be taken twice.
  users: Service<{ user: string }>;
  'users-data': Service<{ datum: string }>;
  'users/query': Service<{ question: string }>;
  services: Service<{ service: string; at: Date }>;
  date: Service<{ year: number; at: Date }>;
  record: Service<{ song: string; empty: {} }>;
  promise: Service<{ promised: string }>;
  type1: Service<{ type: string }>;
  uppercase: Service<{ text: Uppercase<string> }>;
}
export enum Role { Admin = 'admin', User = 'user' }
export enum Level { Low, High = 5 }
enum Single { Only = 'only' }
enum Computed { A = 'ab'.length, B = 2 }
export interface Apart {
  enums: Service<{ role: Role; level: Level; admin: Role.Admin; single: Single; computed: Computed; roles: Role[] }>;
  symbols: Service<Symbols>;
  generic: Service<Generic<string>>;
}
`;

const FACTS = [
  'record',
  'found',
  'given',
  'data',
  'update',
  'patch',
  'queries',
  'customData',
  'customResults',
  'methods',
  'lists',
  'patchesAll',
  'removesAll',
];

const SAME = `import type { ServiceFacts } from '@framework/client';
import type { Declared } from './app.ts';
import type { Services } from './services.js';

type Facts<S> = { [L in keyof S]: ServiceFacts<S[L]> };
declare const original: Facts<Declared>;
declare const flat: Facts<Services>;
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
const mutable: Facts<Services>['tuples']['record'] = original.tuples.record;
mutable.plain[0] = 'a';
mutable.lists.push(['a']);
// @ts-expect-error readonly in the application
mutable.fixed[0] = 'a';
// @ts-expect-error readonly in the application
mutable.lists[0]?.push('a');
// @ts-expect-error readonly in the application
flat.optional.record.at = 'a';
flat.optional.record.both = undefined;
const created: { queued: boolean } = flat.reports.given.create;
const updated: { version: number } = flat.reports.given.update;
const patched: { changed: number } = flat.reports.given.patch;
const sent: { sent: string } = flat.mails.given.create;
export const given = [created, updated, patched, sent];
// @ts-expect-error not the record
void flat.reports.given.create.body;
// @ts-expect-error not never
void flat.mails.given.create.wrong;
export const silent: void = flat.customs.customResults.silent;
// @ts-expect-error not never
export const silence: never = flat.customs.customResults.silent;
// @ts-expect-error not of this name
flat.maps.record.keys.fixed = 1;
// @ts-expect-error the same name as that of a kind of service
flat.users.record = flat['users-data'].record;
`;

const APART = `import { createClient, rest } from '@framework/client';
import type { ServiceFacts } from '@framework/client';
import { Role } from './app.ts';
import type { Services } from './apart.js';

declare const enums: ServiceFacts<Services['enums']>;
const role: 'admin' | 'user' = enums.record.role;
const level: 0 | 5 = enums.record.level;
const admin: 'admin' = enums.record.admin;
const only: 'only' = enums.record.single;
const computed: number = enums.record.computed;
export const data: typeof enums.data = { role: 'admin', level: Number(Role.User) ? 0 : 5, admin: 'admin', single: 'only', computed: 2, roles: ['admin'] };
// @ts-expect-error no role
data.role = 'other';
declare const symbols: ServiceFacts<Services['symbols']>;
export const id: string = symbols.record.id;
export const same: typeof symbols.data.id = symbols.record.id;
// @ts-expect-error another brand
export const other: typeof symbols.data.other = symbols.record.id;
// @ts-expect-error no brand
export const none: typeof symbols.data.id = 'a';
declare const generic: ServiceFacts<Services['generic']>;
export const tag: symbol | undefined = symbols.record.id.tag;
// @ts-expect-error a symbol
export const noTag: undefined = symbols.record.id.tag;
export const inner: string | undefined = generic.record.inner?.inner?.value[0]?.[0];
export const all = [role, level, admin, only, computed];
const client = createClient<Services>(rest('https://api.example.com'));
void client.service('enums').create([data, data]);
`;

beforeAll(() => {
  mkdirSync(join(folder, 'loose'));
  write('app.ts', APP);
  write(
    'tsconfig.json',
    JSON.stringify({ extends: '../../../../tsconfig.check.json', compilerOptions: { customConditions: [] }, include: ['app.ts'] }),
  );
});

/** What the compiler says of modules, by the settings that the application has. */
function problemsOf(compiler: Compiler, files: readonly string[]): string[] {
  const read = compiler.readConfigFile(join(folder, 'tsconfig.json'), (path) => compiler.sys.readFile(path));
  const { options } = compiler.parseJsonConfigFileContent(read.config, compiler.sys, folder);
  // Names that are declared twice are told of libraries too.
  const all = { ...options, erasableSyntaxOnly: false, skipLibCheck: false, types: [] };
  const paths = files.map((file) => join(folder, file));
  const program = compiler.createProgram(paths, all, compiler.createCompilerHost(all));
  const ours = program.getSourceFiles().filter((file) => file.fileName.startsWith(folder));
  return ours
    .flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)])
    .map(
      ({ file, start, messageText }) =>
        `${file?.fileName.slice(folder.length + 1)}:${file?.getLineAndCharacterOfPosition(start ?? 0).line}: ${compiler.flattenDiagnosticMessageText(messageText, '\n')}`,
    );
}

const ask = (compiler: Compiler, name: string): string => flatTypes(compiler, { module: join(folder, 'app.ts'), name, isType: true });
const services = [...APP.slice(APP.indexOf('interface Declared'), APP.indexOf('export enum')).matchAll(/^ {2}'?([\w/-]+)'?: /gmu)].map(
  ([, name]) => name ?? '',
);

it.each(['typescript-5.8', 'typescript'])('what is written means the same as the types of the application (%s)', (name) => {
  const compiler = compilerOf(name);
  const text = ask(compiler, 'Declared');
  write('services.d.ts', text);
  const checks = services.flatMap((service) =>
    FACTS.map(
      (fact) =>
        `// ${service} ${fact}\n{ const same: Same<typeof original['${service}']['${fact}'], typeof flat['${service}']['${fact}']> = true; void same; }\n`,
    ),
  );
  expect(services.length).toBeGreaterThan(18);
  write('same.ts', SAME + checks.join(''));
  const lines = (SAME + checks.join('')).split('\n');
  const told = problemsOf(compiler, ['same.ts']).map((problem) =>
    problem.replace(/^same\.ts:(\d+)/u, (_all, line) => lines[Number(line) - 1] ?? ''),
  );
  expect(told).toEqual([]);
  // What comes again is not written again: records, and data.
  expect(text.match(/publisher/g)?.length).toBe(2);
});

it.each(['typescript-5.8', 'typescript'])('enums are their values, and marks of symbols are marks (%s)', (name) => {
  const compiler = compilerOf(name);
  write('apart.d.ts', ask(compiler, 'Apart'));
  write('apart-page.ts', APART);
  expect(problemsOf(compiler, ['apart-page.ts'])).toEqual([]);
});

it('writes the same whatever else the module has said before', () => {
  const compiler = compilerOf('typescript');
  const text = ask(compiler, 'Declared');
  write('app.ts', `export type Before = 'b' | 'a' | { kind: 'b' } | -1 | null;\nexport const before: Before[] = [null, -1, 'b'];\n${APP}`);
  expect(ask(compiler, 'Declared')).toBe(text);
  write('app.ts', APP);
});

it('refuses a configuration that the compiler refuses', () => {
  const compiler = compilerOf('typescript');
  const withConfig = (config: object): (() => string) => {
    write('loose/tsconfig.json', JSON.stringify(config));
    const project = join(folder, 'loose/tsconfig.json');
    return () => flatTypes(compiler, { module: join(folder, 'app.ts'), name: 'Declared', isType: true, project });
  };
  expect(withConfig({ extends: './nothing.json' })).toThrow(/loose\/tsconfig\.json.*nothing\.json/s);
  expect(withConfig({ compilerOptions: { strikt: true } })).toThrow(/loose\/tsconfig\.json.*strikt/s);
  expect(withConfig({ compilerOptions: { target: 'ES1815' } })).toThrow(/--target/);
  // No files beside it are no mistake: the module is named.
  expect(withConfig({ extends: '../tsconfig.json', include: ['none/*.ts'] })()).toContain('export interface Services');
});

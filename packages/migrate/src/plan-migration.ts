import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { authenticationSettings } from './application/authentication-settings.ts';
import { outFolders, planCompilerOptions } from './application/compiler-options.ts';
import { movedDependencies, type ManifestVersions } from './application/dependencies.ts';
import { findSources } from './application/find-sources.ts';
import { parseJson, replaceStrings, stringAt, stringsAt, type JsonText } from './application/json-text.ts';
import { manifestMentions } from './application/manifest-mentions.ts';
import type { FileChange } from './files/file-change.ts';
import { readText } from './files/read-text.ts';
import { makesKoa } from './idioms/koa.ts';
import { koaMembers, koaMiddleware, koaOptions } from './idioms/koa-middleware.ts';
import { pluginTypes } from './idioms/plugin-types.ts';
import type { Remark } from './remark.ts';
import { clientAndServer, isClient, planSource } from './rewrite/plan-source.ts';
import { applyEdits } from './source/edit.ts';
import { parseSource, type Source } from './source/source.ts';
import { nameWholePackages } from './source/whole-packages.ts';

/** What becomes of an application. */
export interface MigrationPlan {
  /** Files that change. Nothing is written yet. */
  readonly changes: readonly FileChange[];
  /** What is left for a person. */
  readonly left: readonly Remark[];
  /** Why it can not be done; there are no changes then. */
  readonly blockers: readonly Remark[];
}

/** What is wrong with the folder, in a sentence. */
export class MigrationError extends Error {
  override readonly name: string = 'MigrationError';
}

/**
 * Plans the way of an application from FeathersJS 5. It reads files below the folder and changes none.
 *
 * @param root path of the folder with its `package.json`
 * @returns what would change, and what is left
 * @throws MigrationError when there is no application, or one of another version
 */
export function planMigration(root: string): MigrationPlan {
  const manifestFile = readText(join(root, 'package.json'));
  if (manifestFile === undefined) throw new MigrationError(`There is no package.json in ${root}: name the folder of an application`);
  if (!manifestFile.exact) throw new MigrationError(`package.json: ${NOT_UTF8}`);
  const manifest = parsed('package.json', manifestFile.text);
  const versions: ManifestVersions = {
    dependencies: stringsAt(manifest, 'dependencies'),
    devDependencies: stringsAt(manifest, 'devDependencies'),
  };
  checkVersion(versions);
  const compilers = readdirSync(root).filter((name) => /^tsconfig.*\.json$/.test(name));
  const compiled = new Set(compilers.flatMap((name) => outFolders(read(root, name) ?? '')));
  const changes: FileChange[] = [];
  const left: Remark[] = [];
  const blockers: Remark[] = [];
  const now = new Set<string>();
  const kept = new Set<string>();
  const found = findSources(root, compiled);
  const keepsServices = found.some((file) => KEPT_SERVICES.test(read(root, file) ?? ''));
  const ofKoa = new Set<string>();
  const sources: Source[] = [];
  for (const file of found.filter((each) => !isManifest(each))) {
    const { text, exact } = readText(join(root, file)) ?? { text: '', exact: true };
    if (!CONCERNED.test(text)) {
      // UTF-16, whose letters have a zero beside them.
      if (text.includes('\0') && CONCERNED.test(text.replaceAll('\0', ''))) blockers.push(notUtf8(file));
      continue;
    }
    if (!exact) {
      blockers.push(notUtf8(file));
      continue;
    }
    const source = sourceOf(file, text, blockers);
    if (source === undefined) continue;
    if (isClient(source)) {
      for (const [name] of text.matchAll(/@feathersjs\/[\w-]+/g)) kept.add(name);
      blockers.push(...clientAndServer(source));
      continue;
    }
    sources.push(source);
    if (makesKoa(source)) ofKoa.add(file);
    const plan = planSource(source, keepsServices);
    left.push(...plan.left);
    blockers.push(...plan.blockers);
    for (const name of plan.packages) now.add(name);
    for (const name of plan.kept) kept.add(name);
    if (plan.blockers.length === 0 && plan.edits.length > 0) changes.push({ file, before: text, after: applyEdits(text, plan.edits) });
  }
  if (ofKoa.size > 0) {
    for (const file of found.filter((each) => !isManifest(each))) left.push(...koaLeftIn(root, file, ofKoa.has(file)));
  }
  left.push(...pluginTypes(sources));
  const typescript = compilers.length > 0;
  if (now.size > 0) {
    changes.push(...manifestChange(manifest, movedDependencies(versions, { now, kept, typescript })));
    for (const name of compilers) planCompiler(root, name, stringAt(manifest, 'type') === 'module', { changes, left, blockers });
    left.push(...configurations(root).flatMap(({ file, text }) => authenticationSettings(file, text)));
  }
  left.push(
    ...manifestMentions('package.json', manifest, kept),
    ...found.filter(isManifest).flatMap((file) => mentionsInside(root, file, kept)),
  );
  return blockers.length > 0 ? { changes: [], left, blockers } : { changes, left, blockers };
}

function checkVersion({ dependencies, devDependencies }: ManifestVersions): void {
  const there = Object.entries({ ...devDependencies, ...dependencies }).find(([name]) => name === '@feathersjs/feathers');
  if (there === undefined) return;
  const major = /\d+/.exec(there[1])?.[0];
  if (major !== undefined && Number(major) < 5) {
    throw new MigrationError(`The application is one of FeathersJS ${major}: bring it to version 5 by its own guide first`);
  }
}

function sourceOf(file: string, text: string, blockers: Remark[]): Source | undefined {
  try {
    const source = parseSource(file, text);
    nameWholePackages(source);
    return source;
  } catch (error) {
    const line = error instanceof Error && 'loc' in error && isPlace(error.loc) ? error.loc.line : 1;
    blockers.push({
      file,
      line,
      reason: `It can not be parsed: ${error instanceof Error ? error.message : String(error)}`,
      section: 'By a command',
    });
    return undefined;
  }
}

/**
 * What a module of an application of Koa has that stays for a person, also one that names nothing of FeathersJS. What can not be parsed was told, or is none.
 *
 * @param makes whether it makes the application: its middleware was looked at
 */
function koaLeftIn(root: string, file: string, makes: boolean): Remark[] {
  const text = read(root, file) ?? '';
  const source = /\bapp\b/.test(text) ? sourceOf(file, text, []) : undefined;
  if (source === undefined) return [];
  return [...(makes ? [] : koaMiddleware(source)), ...koaMembers(source), ...koaOptions(source)];
}

function manifestChange(manifest: JsonText, after: ManifestVersions): FileChange[] {
  const groups = (['dependencies', 'devDependencies'] as const).filter(
    (group) => JSON.stringify(stringsAt(manifest, group)) !== JSON.stringify(after[group]),
  );
  if (groups.length === 0) return [];
  const edits = groups.map((group) => replaceStrings(manifest, group, after[group]));
  return [{ file: 'package.json', before: manifest.text, after: applyEdits(manifest.text, edits) }];
}

interface Found {
  readonly changes: FileChange[];
  readonly left: Remark[];
  readonly blockers: Remark[];
}

const isManifest = (file: string): boolean => file.endsWith('/package.json');

function mentionsInside(root: string, file: string, kept: ReadonlySet<string>): Remark[] {
  const text = read(root, file) ?? '';
  if (!text.includes('@feathersjs/')) return [];
  try {
    return manifestMentions(file, parseJson(text), kept);
  } catch (error) {
    const reason = `It can not be parsed: ${error instanceof Error ? error.message : String(error)}`;
    return [{ file, line: 1, reason, section: 'By a command' }];
  }
}

function planCompiler(root: string, file: string, modules: boolean, { changes, left, blockers }: Found): void {
  const { text, exact } = readText(join(root, file)) ?? { text: '', exact: true };
  try {
    const { edits, left: more } = planCompilerOptions(file, text, modules);
    left.push(...more);
    if (edits.length > 0 && !exact) blockers.push(notUtf8(file));
    else if (edits.length > 0) changes.push({ file, before: text, after: applyEdits(text, edits) });
  } catch (error) {
    blockers.push({
      file,
      line: 1,
      reason: `It can not be parsed: ${error instanceof Error ? error.message : String(error)}`,
      section: 'By a command',
    });
  }
}

function configurations(root: string): { file: string; text: string }[] {
  const folder = join(root, 'config');
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((name) => name.endsWith('.json') && name !== 'custom-environment-variables.json');
  return files.map((name) => ({ file: `config/${name}`, text: read(root, `config/${name}`) ?? '' }));
}

function parsed(file: string, text: string): JsonText {
  try {
    JSON.parse(text.replace(/^\uFEFF/, ''));
    return parseJson(text);
  } catch (error) {
    throw new MigrationError(`${file} is no JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function read(root: string, file: string): string | undefined {
  return readText(join(root, file))?.text;
}

/** What there is to look at in a source. */
const CONCERNED = /feathers|koa|mongodb|_isSetup|__hooks/i;

/** Services of other packages, and of adapters that are made by what stays. */
const KEPT_SERVICES = /\bAdapterBase\b|['"](?:@feathersjs\/knex|feathers-(?:sequelize|objection|elasticsearch|nedb|mongoose))['"]/;

const NOT_UTF8 = 'It is not in UTF-8, so that writing it would change other letters too: save it in UTF-8 first';

function notUtf8(file: string): Remark {
  return { file, line: 1, reason: NOT_UTF8, section: 'By a command' };
}

function isPlace(value: unknown): value is { readonly line: number } {
  return typeof value === 'object' && value !== null && 'line' in value && typeof value.line === 'number';
}

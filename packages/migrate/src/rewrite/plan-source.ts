import type { CallExpression, ImportExpression, Node } from '@babel/types';
import { adapterMethods } from '../idioms/adapter-methods.ts';
import { adapterOptions } from '../idioms/adapter-options.ts';
import { beforeAuthenticate } from '../idioms/before-authenticate.ts';
import { formats } from '../idioms/formats.ts';
import type { Idiom } from '../idioms/idiom.ts';
import { importedNames } from '../idioms/imported-names.ts';
import { koaApplication } from '../idioms/koa.ts';
import { members } from '../idioms/members.ts';
import { memory } from '../idioms/memory.ts';
import { operators } from '../idioms/operators.ts';
import { ofOwnAdapter } from '../idioms/own-adapter.ts';
import { isForPlugins } from '../idioms/plugin-types.ts';
import { serviceInterface } from '../idioms/service-interface.ts';
import { typeArguments } from '../idioms/type-arguments.ts';
import type { Remark } from '../remark.ts';
import { CLIENT_PACKAGES, moveOf, NO_COUNTERPART, stays } from '../packages/package-moves.ts';
import { placeOf, walk, type Source } from '../source/source.ts';
import { moveExport, moveImport } from './imports.ts';
import { moveMentions } from './mentions.ts';
import { moveAugmentation } from './module-augmentation.ts';
import { moduleOf, moveRequire } from './requires.ts';
import { emptyPlan, type SourcePlan } from './source-plan.ts';

const IDIOMS: readonly Idiom[] = [
  ...[formats, serviceInterface, typeArguments, memory, operators],
  ...[members, beforeAuthenticate, adapterMethods, adapterOptions],
];

/** Whether a module makes a client: what it imports of FeathersJS then stays. */
export function isClient(source: Source): boolean {
  return modulesOf(source).some((name) => CLIENT_PACKAGES.has(name));
}

/** Packages that run on servers alone. */
const SERVER: ReadonlySet<string> = new Set(
  ['express', 'koa', 'socketio', 'configuration', 'mongodb', 'authentication-local', 'authentication-oauth'].map(
    (name) => `@feathersjs/${name}`,
  ),
);

/** Notes a module of a client that is one of a server too: only one of both can stay. */
export function clientAndServer(source: Source): Remark[] {
  const { file } = source;
  const [name] = modulesOf(source, false).filter((each) => SERVER.has(each));
  if (name === undefined) return [];
  const reason = `It makes a client and a server (${name}): put the client into a module of its own first`;
  return [{ file, line: 1, reason, section: 'By a command' }];
}

/**
 * Plans the changes of one file.
 *
 * @param keepsServices whether the application keeps services of FeathersJS
 */
export function planSource(source: Source, keepsServices: boolean): SourcePlan {
  const plan = emptyPlan();
  const madeByKoa = koaApplication(source, plan);
  const ofAdapter = ofOwnAdapter(source);
  const imported = importedNames(source, ofAdapter);
  walk(source.tree, (node, parents) => {
    if (ofAdapter.has(node)) {
      plan.kept.add('@feathersjs/adapter-commons');
    } else if (node.type === 'ImportDeclaration') {
      const name = node.source.value;
      const koaItself = madeByKoa && name === '@feathersjs/koa' && node.specifiers.some(({ local }) => local.name === 'koa');
      const move = moveOf(name);
      if (isForPlugins(source, node)) plan.kept.add(name);
      else if (move !== undefined && !koaItself) moveImport(source, node, move, plan);
      else if (!koaItself) refuseUnknown(source, name, placeOf(node).line, plan);
    } else if (node.type === 'ExportNamedDeclaration' || node.type === 'ExportAllDeclaration') {
      const name = node.source?.value;
      const move = name === undefined ? undefined : moveOf(name);
      if (name !== undefined && move === undefined) refuseUnknown(source, name, placeOf(node).line, plan);
      if (move === undefined) return;
      if (node.type === 'ExportNamedDeclaration') moveExport(source, node, move, plan);
      else block(source, placeOf(node).line, `export * from '${String(name)}' passes on names that are others here: name them`, plan);
    } else if (node.type === 'TSModuleDeclaration' && node.id.type === 'StringLiteral') {
      const name = node.id.value;
      const move = moveOf(name);
      if (move !== undefined) moveAugmentation(source, node, move, keepsServices, plan);
      else refuseUnknown(source, name, placeOf(node).line, plan);
    } else if (node.type === 'TSImportEqualsDeclaration' && node.moduleReference.type === 'TSExternalModuleReference') {
      const { value } = node.moduleReference.expression;
      const reason = `import … = require('${value}') hides which names are used: import them one by one`;
      if (moveOf(value) !== undefined) block(source, placeOf(node).line, reason, plan);
      else refuseUnknown(source, value, placeOf(node).line, plan);
    } else if (loadsModule(node)) {
      moveRequire(source, node, parents, plan);
      const name = moduleOf(node);
      if (name !== undefined) refuseUnknown(source, name, placeOf(node).line, plan);
    } else if (node.type === 'TSImportType' && node.argument.type === 'StringLiteral' && moveOf(node.argument.value) !== undefined) {
      block(source, placeOf(node).line, `import('${node.argument.value}') as a type: import the type by its name`, plan);
    }
  });
  // What is not changed by FeathersJS's packages is not looked at: another library may have such members.
  for (const idiom of IDIOMS) idiom(source, imported, plan);
  moveMentions(source, ofAdapter, plan);
  return { ...plan, edits: plan.edits.filter((edit) => !plan.gone.some(({ start, end }) => edit.start > start && edit.end <= end)) };
}

function refuseUnknown(source: Source, name: string, line: number, plan: SourcePlan): void {
  if (stays(name)) plan.kept.add(name);
  const known = Object.hasOwn(NO_COUNTERPART, name) ? NO_COUNTERPART[name] : undefined;
  if (known !== undefined) block(source, line, `${name}: ${known}`, plan);
  else if (name.startsWith('@feathersjs/') && moveOf(name) === undefined && !stays(name)) {
    block(source, line, `${name} has no counterpart: write what uses it without it first`, plan);
  } else if (/^(koa|@koa\/.*|koa-.*)$/.test(name)) {
    block(source, line, `${name}: middleware of Koa has no counterpart in Express. Write it for Express first`, plan);
  }
}

function block({ file }: Source, line: number, reason: string, plan: SourcePlan): void {
  plan.blockers.push({ file, line, reason, section: 'By a command' });
}

/** What a module loads, by statements and by calls, wherever they stand. */
function modulesOf({ tree }: Source, types = true): string[] {
  const found: string[] = [];
  walk(tree, (node) => {
    if (node.type === 'ImportDeclaration' || node.type === 'ExportNamedDeclaration' || node.type === 'ExportAllDeclaration') {
      const forTypes = (node.type === 'ImportDeclaration' ? node.importKind : node.exportKind) === 'type';
      if (node.source && (types || !forTypes)) found.push(node.source.value);
    } else if (loadsModule(node)) {
      found.push(moduleOf(node) ?? '');
    }
  });
  return found;
}

const loadsModule = (node: Node): node is CallExpression | ImportExpression =>
  node.type === 'ImportExpression' ||
  (node.type === 'CallExpression' &&
    (node.callee.type === 'Import' || (node.callee.type === 'Identifier' && node.callee.name === 'require')));

import type { CallExpression, ImportExpression, Node, ObjectPattern } from '@babel/types';
import { moveOf, type PackageMove } from '../packages/package-moves.ts';
import { placeOf, walk, type Source } from '../source/source.ts';
import type { SourcePlan } from './source-plan.ts';
import { moveMembers } from './whole-module.ts';

/** Changes `require('a package of FeathersJS')` and `import()` of one. ES modules can be required on every Node.js that the framework runs on. */
export function moveRequire(source: Source, node: CallExpression | ImportExpression, parents: readonly Node[], plan: SourcePlan): void {
  const argument = argumentOf(node);
  const module = moduleOf(node);
  const move = module === undefined ? undefined : moveOf(module);
  if (argument === undefined || module === undefined || move === undefined) return;
  const isRequire = node.type === 'CallExpression' && node.callee.type === 'Identifier';
  const outside = parents.filter(({ type }) => type !== 'AwaitExpression');
  const parent = outside.at(-1);
  const { line } = placeOf(node);
  const name = { start: placeOf(argument).start + 1, end: placeOf(argument).end - 1, text: move.to };
  const fail = (reason: string): void => {
    plan.blockers.push({ file: source.file, line, reason, section: 'Names' });
  };
  const hidden = `${module} as a whole hides which names are used: take them one by one, const { … } = require('${module}')`;
  plan.packages.add(move.to);
  if (parent?.type === 'VariableDeclarator' && parent.id.type === 'ObjectPattern') {
    if (moveKeys(parent.id, move, plan, fail)) plan.edits.push(name);
  } else if (parent?.type === 'VariableDeclarator' && isRequire && move.standard !== undefined) {
    const { end } = placeOf(node);
    const member = parent.id.type === 'Identifier' ? memberOf(source, parent.id.name, move.standard) : undefined;
    if (member !== undefined) {
      fail(`What ${module} gives has members (${member}): take them one by one, const { … } = require('${module}')`);
      return;
    }
    plan.edits.push(name, { start: end, end, text: `.${move.standard}` });
  } else if (parent?.type === 'MemberExpression' && parent.property.type === 'Identifier' && !parent.computed) {
    const { name: member } = parent.property;
    const there = member === 'default' ? move.standard : targetName(member, move);
    if (there !== undefined && Object.hasOwn(move.renamed, member) && move.renamed[member]?.differs) {
      fail(`'${member}' of ${module} is used differently here: take it by its name, const { ${member} } = require('${module}')`);
      return;
    }
    if (there === undefined) {
      fail(`'${member}' of ${module} has no counterpart: write what uses it without it first`);
      return;
    }
    plan.edits.push(name, { ...placeOf(parent.property), text: there });
  } else if (parent?.type === 'ExpressionStatement') {
    plan.edits.push(name);
  } else if (parent?.type === 'VariableDeclarator' && parent.id.type === 'Identifier') {
    const members = moveMembers(source, parent, parent.id.name, move);
    if (members === undefined) fail(hidden);
    else plan.edits.push(name, ...members);
  } else {
    fail(hidden);
  }
}

const argumentOf = (node: CallExpression | ImportExpression): Node | undefined =>
  node.type === 'ImportExpression' ? node.source : node.arguments[0];

/** The module that is loaded, where it is written down. */
export function moduleOf(node: CallExpression | ImportExpression): string | undefined {
  const argument = argumentOf(node);
  if (argument?.type === 'StringLiteral') return argument.value;
  return argument?.type === 'TemplateLiteral' && argument.expressions.length === 0 ? argument.quasis[0]?.value.raw : undefined;
}

/**
 * A member of a default export that is used, and that it does not have here.
 *
 * @param local its name in the file
 * @param standard what it is here; `default` is the function of Express or Socket.IO, which has its own members
 */
export function memberOf({ tree }: Source, local: string, standard: string): string | undefined {
  let found: string | undefined;
  walk(tree, (node) => {
    if (node.type !== 'MemberExpression' || node.object.type !== 'Identifier' || node.object.name !== local) return;
    if (node.property.type !== 'Identifier' || node.computed) return;
    const { name } = node.property;
    if (standard !== 'default' || name === 'default') found ??= name;
  });
  return found;
}

function moveKeys(pattern: ObjectPattern, move: PackageMove, plan: SourcePlan, fail: (reason: string) => void): boolean {
  for (const property of pattern.properties) {
    if (property.type !== 'ObjectProperty' || property.key.type !== 'Identifier') {
      fail('The names that are taken are not all written down: take them one by one');
      return false;
    }
    const { name } = property.key;
    const there = name === 'default' ? move.standard : targetName(name, move);
    if (there === undefined) {
      fail(`'${name}' has no counterpart in ${move.to}: write what uses it without it first`);
      return false;
    }
    if (there === name) continue;
    const { start, end } = placeOf(property.key);
    plan.edits.push({ start, end, text: property.shorthand ? `${there}: ${name}` : there });
  }
  return true;
}

function targetName(name: string, { same, renamed }: PackageMove): string | undefined {
  if (same.has(name)) return name;
  const found = Object.hasOwn(renamed, name) ? renamed[name] : undefined;
  return found?.from === undefined ? found?.name : undefined;
}

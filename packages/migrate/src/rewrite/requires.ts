import type { CallExpression, ImportExpression, Node, ObjectPattern } from '@babel/types';
import { PACKAGE_MOVES, type PackageMove } from '../packages/package-moves.ts';
import { placeOf, type Source } from '../source/source.ts';
import type { SourcePlan } from './source-plan.ts';

/** Changes `require('a package of FeathersJS')` and `import()` of one. ES modules can be required on every Node.js that the framework runs on. */
export function moveRequire(source: Source, node: CallExpression | ImportExpression, parents: readonly Node[], plan: SourcePlan): void {
  const argument = node.type === 'ImportExpression' ? node.source : node.arguments[0];
  if (argument?.type !== 'StringLiteral') return;
  const move = Object.hasOwn(PACKAGE_MOVES, argument.value) ? PACKAGE_MOVES[argument.value] : undefined;
  if (move === undefined) return;
  const isRequire = node.type === 'CallExpression' && node.callee.type === 'Identifier';
  const outside = parents.filter(({ type }) => type !== 'AwaitExpression');
  const parent = outside.at(-1);
  const { line } = placeOf(node);
  const name = { start: placeOf(argument).start + 1, end: placeOf(argument).end - 1, text: move.to };
  const fail = (reason: string): void => {
    plan.blockers.push({ file: source.file, line, reason, section: 'Names' });
  };
  plan.packages.add(move.to);
  if (parent?.type === 'VariableDeclarator' && parent.id.type === 'ObjectPattern') {
    if (moveKeys(parent.id, move, plan, fail)) plan.edits.push(name);
  } else if (parent?.type === 'VariableDeclarator' && isRequire && move.standard !== undefined) {
    const { end } = placeOf(node);
    plan.edits.push(name, { start: end, end, text: `.${move.standard}` });
  } else if (parent?.type === 'MemberExpression' && parent.property.type === 'Identifier' && !parent.computed) {
    const { name: member } = parent.property;
    const there = member === 'default' ? move.standard : targetName(member, move);
    if (there === undefined) {
      fail(`'${member}' of ${argument.value} has no counterpart: write what uses it without it first`);
      return;
    }
    plan.edits.push(name, { ...placeOf(parent.property), text: there });
  } else if (parent?.type === 'ExpressionStatement') {
    plan.edits.push(name);
  } else {
    fail(`${argument.value} as a whole hides which names are used: take them one by one, const { … } = require('${argument.value}')`);
  }
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

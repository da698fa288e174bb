import type { Node } from '@babel/types';
import { placeOf, textOf, walk } from '../source/source.ts';
import type { Idiom, ImportedNames } from './idiom.ts';

/** Before hooks that stand before `authenticate`, which is a guard here and runs before them: what they set for it comes too late. */
export const beforeAuthenticate: Idiom = (source, imported, plan) => {
  const { file } = source;
  walk(source.tree, (node, parents) => {
    if (node.type !== 'ArrayExpression' || !parents.some(isBefore)) return;
    const at = node.elements.findIndex((element) => element !== null && authenticates(element, imported));
    const first = node.elements.slice(0, Math.max(at, 0)).find((element) => element !== null);
    if (!first) return;
    const text = textOf(source, first).replace(/\s+/g, ' ');
    const name = text.length > 40 ? `${text.slice(0, 40)}…` : text;
    const reason = `authenticate() runs before ${name} here: where that sets what authenticate() reads, give both to 'around', or mark it by guard() of @framework/core`;
    plan.left.push({ file, line: placeOf(first).line, reason, section: 'What is different on purpose' });
  });
};

function isBefore(node: Node): boolean {
  if (node.type !== 'ObjectProperty') return false;
  return node.key.type === 'Identifier'
    ? !node.computed && node.key.name === 'before'
    : node.key.type === 'StringLiteral' && node.key.value === 'before';
}

/** A call of `authenticate`, or of `hooks.authenticate` and the like. */
function authenticates(node: Node, imported: ImportedNames): boolean {
  if (node.type !== 'CallExpression') return false;
  const { callee } = node;
  if (callee.type === 'MemberExpression') return callee.property.type === 'Identifier' && callee.property.name === 'authenticate';
  if (callee.type !== 'Identifier') return false;
  const known = imported.get(callee.name);
  return known ? known.name === 'authenticate' && known.from === '@feathersjs/authentication' : callee.name === 'authenticate';
}

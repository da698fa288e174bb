import { placeOf, walk } from '../source/source.ts';
import type { Idiom } from './idiom.ts';

/** `memory(options)` is `new MemoryService(options)`. */
export const memory: Idiom = ({ file, tree }, imported, plan) => {
  const local = [...imported].find(([, { name, from }]) => name === 'memory' && from === '@feathersjs/memory')?.[0];
  if (local === undefined) return;
  walk(tree, (node, parents) => {
    if (node.type !== 'Identifier' || node.name !== local) return;
    const parent = parents.at(-1);
    const { start, line } = placeOf(node);
    if (parent?.type === 'CallExpression' && parent.callee === node) plan.edits.push({ start, end: start, text: 'new ' });
    else if (parent?.type === 'CallExpression' || parent?.type === 'VariableDeclarator')
      plan.left.push({ file, line, reason: 'memory is the class MemoryService here: make services of it with new', section: 'Names' });
  });
};

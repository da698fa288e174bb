import { placeOf, walk } from '../source/source.ts';
import type { Idiom } from './idiom.ts';

const SYNTAX: ReadonlySet<string> = new Set(['querySyntax', 'queryProperty', 'queryProperties']);

/** Operators that a schema of queries adds are for services that name them, too. */
export const operators: Idiom = ({ file, tree }, imported, plan) => {
  walk(tree, (node) => {
    if (node.type !== 'CallExpression' || node.callee.type !== 'Identifier') return;
    const [, extensions] = node.arguments;
    if (extensions === undefined || !SYNTAX.has(imported.get(node.callee.name)?.name ?? '')) return;
    const added = new Set<string>();
    walk(extensions, (inner) => {
      if (inner.type !== 'ObjectProperty' || inner.computed) return;
      const name = inner.key.type === 'Identifier' ? inner.key.name : inner.key.type === 'StringLiteral' ? inner.key.value : '';
      if (name.startsWith('$')) added.add(name);
    });
    if (added.size === 0) return;
    const names = [...added].map((name) => `'${name}'`).join(', ');
    plan.left.push({
      file,
      line: placeOf(extensions).line,
      reason: `A schema alone opens no operator: the service needs operators: [${names}], too`,
      section: 'What is different on purpose',
    });
  });
};

import { placeOf, walk } from '../source/source.ts';
import type { Idiom } from './idiom.ts';

/** Packages with adapters, and with what they are made of. */
export const ADAPTERS: ReadonlySet<string> = new Set(['@feathersjs/mongodb', '@feathersjs/memory', '@feathersjs/adapter-commons']);
/** Methods that adapters there call by themselves, and that have no counterpart. */
const INNER: ReadonlySet<string> = new Set([
  'filterQuery',
  'sanitizeQuery',
  'countDocuments',
  'getProjection',
  'normalizeId',
  'getObjectId',
  'getEntries',
  'getQuery',
]);

/** Methods of an adapter that a class has in its own way: nothing would call them, and conditions that they add would keep nothing out. */
export const adapterMethods: Idiom = ({ file, tree }, imported, plan) => {
  walk(tree, (node) => {
    if (node.type !== 'ClassDeclaration' && node.type !== 'ClassExpression') return;
    const { superClass } = node;
    if (superClass?.type !== 'Identifier' || !ADAPTERS.has(imported.get(superClass.name)?.from ?? '')) return;
    for (const member of node.body.body) {
      if (member.type !== 'ClassMethod' && member.type !== 'ClassProperty') continue;
      const name = member.key.type === 'Identifier' && !member.computed ? member.key.name : undefined;
      if (name === undefined || !INNER.has(name)) continue;
      const reason = `${name}() of an adapter is not called here, and what it keeps out would be found: do it in a hook, or in _find, _get, _patch, … of the class, first`;
      plan.blockers.push({ file, line: placeOf(member).line, reason, section: 'Names' });
    }
  });
};

import type { Node } from '@babel/types';
import { moduleOf } from '../rewrite/requires.ts';
import { walk, type Source } from '../source/source.ts';
import type { ImportedNames } from './idiom.ts';

/**
 * What a file imports or requires by name from packages of FeathersJS.
 *
 * @param kept statements that stay, of which the names are what they were
 */
export function importedNames({ tree }: Source, kept: ReadonlySet<Node>): ImportedNames {
  const found = new Map<string, { name: string; from: string }>();
  walk(tree, (node) => {
    if (kept.has(node)) return;
    if (
      node.type === 'VariableDeclarator' &&
      node.id.type === 'ObjectPattern' &&
      node.init?.type === 'CallExpression' &&
      !kept.has(node.init)
    ) {
      const module = node.init.callee.type === 'Identifier' && node.init.callee.name === 'require' ? moduleOf(node.init) : undefined;
      for (const property of module?.startsWith('@feathersjs/') === true ? node.id.properties : []) {
        if (property.type === 'ObjectProperty' && property.key.type === 'Identifier' && property.value.type === 'Identifier')
          found.set(property.value.name, { name: property.key.name, from: module ?? '' });
      }
    }
    if (node.type !== 'ImportDeclaration' || !node.source.value.startsWith('@feathersjs/')) return;
    for (const specifier of node.specifiers) {
      if (specifier.type !== 'ImportSpecifier') continue;
      const { imported } = specifier;
      found.set(specifier.local.name, { name: imported.type === 'Identifier' ? imported.name : imported.value, from: node.source.value });
    }
  });
  return found;
}

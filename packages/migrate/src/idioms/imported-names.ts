import { walk, type Source } from '../source/source.ts';
import type { ImportedNames } from './idiom.ts';

/** What a file imports by name from packages of FeathersJS. */
export function importedNames({ tree }: Source): ImportedNames {
  const found = new Map<string, { name: string; from: string }>();
  walk(tree, (node) => {
    if (node.type !== 'ImportDeclaration' || !node.source.value.startsWith('@feathersjs/')) return;
    for (const specifier of node.specifiers) {
      if (specifier.type !== 'ImportSpecifier') continue;
      const { imported } = specifier;
      found.set(specifier.local.name, { name: imported.type === 'Identifier' ? imported.name : imported.value, from: node.source.value });
    }
  });
  return found;
}

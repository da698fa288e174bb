import type { Node } from '@babel/types';
import { moveOf } from '../packages/package-moves.ts';
import { moduleOf } from '../rewrite/requires.ts';
import { walk, type Source } from '../source/source.ts';

const PACKAGE = '@feathersjs/adapter-commons';

/**
 * The statements by which a module takes what adapters are made of, as `AdapterBase`: they stay, with all that they name, since such adapters work with
 * both. A module that takes other names alone has what it needs here.
 */
export function ofOwnAdapter({ tree }: Source): ReadonlySet<Node> {
  const found = new Set<Node>();
  walk(tree, (node, parents) => {
    const names =
      node.type === 'ImportDeclaration' && node.source.value === PACKAGE
        ? node.specifiers.map((each) => (each.type === 'ImportSpecifier' ? each.imported : undefined))
        : node.type === 'CallExpression' && moduleOf(node) === PACKAGE
          ? namesTaken(parents.at(-1))
          : [];
    if (names.some((name) => name?.type === 'Identifier' && !isMoved(name.name))) found.add(node);
  });
  return found;
}

function namesTaken(parent: Node | undefined): (Node | undefined)[] {
  if (parent?.type !== 'VariableDeclarator' || parent.id.type !== 'ObjectPattern') return [];
  return parent.id.properties.map((each) => (each.type === 'ObjectProperty' ? each.key : undefined));
}

function isMoved(name: string): boolean {
  const move = moveOf(PACKAGE);
  return move !== undefined && (move.same.has(name) || Object.hasOwn(move.renamed, name));
}

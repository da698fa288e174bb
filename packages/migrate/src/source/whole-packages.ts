import type { ImportDeclaration, Node, StringLiteral } from '@babel/types';
import { walk, type Source } from './source.ts';

/** A file of a package of FeathersJS, as editors like to import it: `@feathersjs/feathers/lib/declarations`. */
const FILE = /^(@feathersjs\/[\w-]+)\/lib(?:\/(.*?))?(?:\.js)?$/;

/**
 * Reads what is taken by its name from a file of a package as what it is: a name of that package. What a file of its own gives as a whole, or as its default export, stays
 * what it is.
 */
export function nameWholePackages({ tree }: Source): void {
  walk(tree, (node, parents) => {
    const literal = moduleIn(node);
    const [, name, file = 'index'] = literal === undefined ? [] : (FILE.exec(literal.value) ?? []);
    if (literal !== undefined && name !== undefined && (/^(?:index)?$/.test(file) || takesNames(node, parents))) literal.value = name;
  });
}

function moduleIn(node: Node): StringLiteral | undefined {
  const written = (given: Node | null | undefined): StringLiteral | undefined => (given?.type === 'StringLiteral' ? given : undefined);
  if (node.type === 'ImportDeclaration' || node.type === 'ExportNamedDeclaration' || node.type === 'ImportExpression')
    return written(node.source);
  if (node.type === 'TSModuleDeclaration') return written(node.id);
  if (node.type === 'TSImportType') return written(node.argument);
  const isCall = node.type === 'CallExpression' && (node.callee.type === 'Import' || isRequire(node.callee));
  return isCall ? written(node.arguments[0]) : undefined;
}

const isRequire = (callee: Node): boolean => callee.type === 'Identifier' && callee.name === 'require';

function takesNames(node: Node, parents: readonly Node[]): boolean {
  if (node.type === 'ImportDeclaration') return hasNames(node);
  if (node.type === 'ExportNamedDeclaration' || node.type === 'TSModuleDeclaration' || node.type === 'TSImportType') return true;
  const parent = parents.filter(({ type }) => type !== 'AwaitExpression').at(-1);
  return parent?.type === 'VariableDeclarator' && parent.id.type === 'ObjectPattern';
}

const hasNames = ({ specifiers }: ImportDeclaration): boolean =>
  specifiers.every((each) => each.type === 'ImportSpecifier' && !(each.imported.type === 'Identifier' && each.imported.name === 'default'));

import type { Node } from '@babel/types';
import type { Edit } from '../source/edit.ts';
import { placeOf, walk, type Source } from '../source/source.ts';

interface Mention {
  readonly node: Node;
  readonly parents: readonly Node[];
  readonly parent: Node;
}

/**
 * Gives a name of a module another name wherever it is used.
 *
 * @param declaration the import that declares it, which is changed elsewhere
 * @returns the changes, or nothing when another thing in the file has one of the two names: then the import has to give it the old name
 */
export function renameBinding({ tree }: Source, declaration: Node, from: string, to: string): Edit[] | undefined {
  const edits: Edit[] = [];
  let clear = true;
  walk(tree, (node, parents) => {
    const parent = parents.at(-1);
    if (!clear || parent === undefined || (node.type !== 'Identifier' && node.type !== 'JSXIdentifier')) return;
    // Names of another module.
    if (parents.some((each) => each.type === 'ExportNamedDeclaration' && each.source)) return;
    if (parents.includes(declaration)) {
      // The import may give another thing the new name.
      if (node.name === to && 'local' in parent && parent.local === node) clear = false;
      return;
    }
    const mention: Mention = { node, parents, parent };
    if (node.name === to && !isPropertyName(mention)) clear = false;
    if (node.name !== from || isPropertyName(mention)) return;
    if (node.type === 'JSXIdentifier' || declares(mention)) {
      clear = false;
      return;
    }
    const { start, end } = placeOf(node);
    // An identifier with a type (`a: A`) ends behind it.
    const nameEnd = Math.min(end, start + from.length);
    if (parent.type === 'ObjectProperty' && parent.shorthand) {
      if (parent.value === node) edits.push({ start, end: nameEnd, text: `${from}: ${to}` });
    } else if (parent.type === 'ExportSpecifier' && parent.local.start === parent.exported.start) {
      if (parent.local === node) edits.push({ start, end: nameEnd, text: `${to} as ${from}` });
    } else if (parent.type !== 'ExportSpecifier' || parent.local === node) {
      edits.push({ start, end: nameEnd, text: to });
    }
  });
  return clear ? edits : undefined;
}

/** Names of members, which are no bindings. */
function isPropertyName({ node, parent }: Mention): boolean {
  switch (parent.type) {
    case 'MemberExpression':
    case 'OptionalMemberExpression':
      return parent.property === node && !parent.computed;
    case 'ObjectProperty':
      return parent.key === node && !parent.computed && !parent.shorthand;
    case 'ObjectMethod':
    case 'ClassMethod':
    case 'ClassProperty':
    case 'ClassAccessorProperty':
    case 'TSPropertySignature':
    case 'TSMethodSignature':
    case 'TSDeclareMethod':
    case 'TSEnumMember':
      return ('key' in parent ? parent.key : parent.id) === node && !('computed' in parent && parent.computed);
    case 'TSQualifiedName':
      return parent.right === node;
    case 'ImportSpecifier':
      return parent.imported === node && parent.local !== node && parent.local.start !== node.start;
    case 'LabeledStatement':
    case 'BreakStatement':
    case 'ContinueStatement':
      return true;
    default:
      return false;
  }
}

/** Whether something else is declared by this name here. */
function declares({ node, parents, parent }: Mention): boolean {
  if (/^(Import.*Specifier|TSTypeParameter|TSImportEqualsDeclaration)$/.test(parent.type)) return true;
  const outside = [...parents];
  let inner = node;
  for (let outer = outside.pop(); outer !== undefined; inner = outer, outer = outside.pop()) {
    if (outer.type === 'ObjectPattern' || outer.type === 'ArrayPattern' || outer.type === 'RestElement') continue;
    if (outer.type === 'AssignmentPattern' && outer.left === inner) continue;
    if (outer.type === 'ObjectProperty' && outer.value === inner && outside.at(-1)?.type === 'ObjectPattern') continue;
    if (outer.type === 'TSParameterProperty') return true;
    if (outer.type === 'CatchClause') return outer.param === inner;
    if ('params' in outer && Array.isArray(outer.params) && outer.params.some((each) => each === inner))
      return !outer.type.startsWith('TSTypeParameter');
    return 'id' in outer && outer.id === inner && outer.type !== 'TSModuleDeclaration';
  }
  return false;
}

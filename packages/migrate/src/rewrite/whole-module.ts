import type { Node } from '@babel/types';
import type { PackageMove } from '../packages/package-moves.ts';
import type { Edit } from '../source/edit.ts';
import { placeOf, walk, type Source } from '../source/source.ts';

/**
 * The changes of what is taken from a module as a whole: `errors.NotFound`.
 *
 * @param declaration what gives the module its name, which is changed elsewhere
 * @param local the name of the module in the file
 * @returns nothing where it is not seen what is taken, or where an idiom would have to know of it
 */
export function moveMembers({ tree }: Source, declaration: Node, local: string, move: PackageMove): Edit[] | undefined {
  if (move.whole !== true) return undefined;
  const edits: Edit[] = [];
  let clear = true;
  walk(tree, (node, parents) => {
    if (!clear || node.type !== 'Identifier' || node.name !== local || parents.includes(declaration)) return;
    const parent = parents.at(-1);
    if (parent === undefined || isName(node, parent)) return;
    const member = memberIn(node, parent);
    const name = member && nameHere(member.name, move);
    if (member === undefined || name === undefined) clear = false;
    else if (name !== member.name) edits.push({ ...placeOf(member), text: name });
  });
  return clear ? edits : undefined;
}

/** A name behind a dot or in front of a colon, which means nothing of the module. */
function isName(node: Node, parent: Node): boolean {
  if (parent.type === 'MemberExpression' || parent.type === 'OptionalMemberExpression') return parent.property === node && !parent.computed;
  return parent.type === 'ObjectProperty' && parent.key === node && !parent.computed && !parent.shorthand;
}

function memberIn(node: Node, parent: Node): (Node & { readonly name: string }) | undefined {
  const isMember = parent.type === 'MemberExpression' || parent.type === 'OptionalMemberExpression';
  const member = isMember && parent.object === node && !parent.computed ? parent.property : undefined;
  const found = parent.type === 'TSQualifiedName' && parent.left === node ? parent.right : member;
  return found?.type === 'Identifier' ? found : undefined;
}

function nameHere(name: string, { same, renamed }: PackageMove): string | undefined {
  return same.has(name) ? name : Object.hasOwn(renamed, name) ? renamed[name]?.name : undefined;
}

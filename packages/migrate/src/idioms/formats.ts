import type { CallExpression, Node } from '@babel/types';
import type { SourcePlan } from '../rewrite/source-plan.ts';
import type { Edit } from '../source/edit.ts';
import { placeOf, walk, type Source } from '../source/source.ts';
import type { Idiom } from './idiom.ts';

/** `addFormats(ajv, formats)`: all formats are there, and the list is left out, with the constant that nothing else uses. */
export const formats: Idiom = (source, imported, plan) => {
  const lists: string[] = [];
  walk(source.tree, (node) => {
    if (node.type !== 'CallExpression' || node.callee.type !== 'Identifier') return;
    const called = imported.get(node.callee.name);
    if (called?.name !== 'addFormats' || called.from !== '@feathersjs/schema') return;
    const [ajv, list] = node.arguments;
    if (ajv === undefined || list === undefined) return;
    if (list.type === 'ObjectExpression') {
      const reason = 'addFormats() takes no options here: without them all formats are there, and no keywords such as formatMinimum';
      plan.left.push({ file: source.file, line: placeOf(list).line, reason, section: 'Names' });
      return;
    }
    if (list.type === 'Identifier') lists.push(list.name);
    drop(withoutSecond(source, node, ajv), plan);
  });
  for (const name of new Set(lists)) dropConstant(source, name, lists.filter((each) => each === name).length, plan);
};

function drop(edit: Edit, plan: SourcePlan): void {
  plan.edits.push(edit);
  plan.gone.push(edit);
}

function withoutSecond({ text }: Source, call: CallExpression, first: Node): Edit {
  const { end } = placeOf(first);
  const close = placeOf(call).end - 1;
  // Where the arguments stood on lines of their own, the closing bracket keeps its line.
  const before = text.slice(end, close);
  const lastLine = /\r?\n[ \t]*$/.exec(before);
  return { start: end, end: close, text: lastLine?.[0] ?? '' };
}

/** @param dropped how many uses of it go */
function dropConstant(source: Source, name: string, dropped: number, plan: SourcePlan): void {
  let uses = 0;
  let declaration: { start: number; end: number } | undefined;
  walk(source.tree, (node, parents) => {
    if (node.type === 'Identifier' && node.name === name) uses += 1;
    const outer = parents.at(-1);
    if (node.type !== 'VariableDeclaration' || node.declarations.length !== 1 || outer?.type !== 'Program') return;
    const [only] = node.declarations;
    if (only?.id.type === 'Identifier' && only.id.name === name && only.init?.type === 'ArrayExpression') declaration = placeOf(node);
  });
  if (declaration !== undefined && uses === dropped + 1) {
    const behind = /^[ \t]*(?:\r?\n){0,2}/.exec(source.text.slice(declaration.end));
    drop({ start: declaration.start, end: declaration.end + (behind?.[0].length ?? 0), text: '' }, plan);
    return;
  }
  dropAnnotation(source, name, plan);
}

/** The type of the list is not here. */
function dropAnnotation(source: Source, name: string, plan: SourcePlan): void {
  walk(source.tree, (node) => {
    if (node.type !== 'VariableDeclarator' || node.id.type !== 'Identifier' || node.id.name !== name || !node.id.typeAnnotation) return;
    const { start, end } = placeOf(node.id.typeAnnotation);
    if (source.text.slice(start, end).includes('FormatsPluginOptions')) plan.edits.push({ start, end, text: '' });
  });
}

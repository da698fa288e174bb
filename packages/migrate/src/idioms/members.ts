import type { Node } from '@babel/types';
import { placeOf, textOf, walk, withoutTypes, type Source } from '../source/source.ts';
import type { Remark } from '../remark.ts';
import type { Idiom, ImportedNames } from './idiom.ts';

const REQUESTS: ReadonlySet<string> = new Set(['req', 'request']);
const INSIDE: ReadonlySet<string> = new Set(['_isSetup', '__hooks']);

const OF_PARAMS = "the same in params is 'docdb' here; leave it where it is something else";

/** Members with another name: `req.feathers`, `params.mongodb`, `makeFeathersPipeline`; and what has none. */
export const members: Idiom = (source, imported, plan) => {
  const { file } = source;
  const left = (line: number, reason: string, section: Remark['section']): void => {
    plan.left.push({ file, line, reason, section });
  };
  walk(source.tree, (node, parents) => {
    const { line } = placeOf(node);
    if (node.type === 'MemberExpression' || node.type === 'OptionalMemberExpression') {
      const object = withoutTypes(node.object);
      const property = nameIn(node.property, node.computed);
      if (property === undefined) return;
      const { start, end } = property;
      if (property.name === 'feathers') {
        if (object.type === 'Identifier' && REQUESTS.has(object.name)) plan.edits.push({ start, end, text: 'framework' });
        else if (!textOf(source, object).endsWith('socket'))
          left(line, `${textOf(source, node)}: on requests it is 'framework' here`, 'Names');
      } else if (property.name === 'mongodb') {
        if (/(?:^|\.)params$/.test(textOf(source, object))) plan.edits.push({ start, end, text: 'docdb' });
        else left(line, `${textOf(source, node)}: ${OF_PARAMS}`, 'Names');
      } else if (property.name === 'makeFeathersPipeline') {
        plan.edits.push({ start, end, text: 'makeFrameworkPipeline' });
      } else if (INSIDE.has(property.name)) {
        left(line, `${property.name} can not be reached: nothing inside is`, 'Names');
      } else if (property.name === 'FeathersError' && object.type === 'Identifier' && isErrorTable(imported.get(object.name))) {
        left(line, `${textOf(source, node)} is not there: import FrameworkError of @framework/errors`, 'Names');
      }
    } else if (
      (node.type === 'ObjectMethod' || node.type === 'ClassMethod') &&
      node.key.type === 'Identifier' &&
      node.key.name === 'makeFeathersPipeline'
    ) {
      plan.edits.push({ ...placeOf(node.key), text: 'makeFrameworkPipeline' });
    } else if (node.type === 'ObjectProperty') {
      const key = nameIn(node.key, node.computed);
      if (key === undefined) return;
      const { name, start, end } = key;
      const taken = parents.at(-1)?.type === 'ObjectPattern';
      if (name === '$feathers' && !node.shorthand) plan.edits.push({ start, end, text: '$framework' });
      else if (taken && (name === 'mongodb' || name === 'feathers')) {
        const to = name === 'mongodb' ? 'docdb' : 'framework';
        const from = takenFrom(source, parents);
        if (name === 'mongodb' ? /(?:^|\.)params$/.test(from) : REQUESTS.has(from))
          plan.edits.push({ start, end, text: node.shorthand ? `${to}: ${name}` : to });
        else if (!/^(?:await\s+)?(?:require|import)\s*\(/.test(from))
          left(
            line,
            `'${name}': of ${name === 'mongodb' ? 'params' : 'requests'} it is '${to}' here; leave it where it is something else`,
            'Names',
          );
      } else if (name === 'mongodb' && !/^(?:String|Template|Numeric|Boolean)Literal$/.test(node.value.type)) {
        left(line, `'mongodb': ${OF_PARAMS}`, 'Names');
      }
    } else if (node.type === 'StringLiteral' && node.value === 'FeathersError') {
      left(line, "The type of errors is 'FrameworkError' here; isFrameworkError(error) of @framework/errors tells them", 'Names');
    }
  });
};

function isErrorTable(imported: ReturnType<ImportedNames['get']>): boolean {
  return imported?.name === 'errors' && imported.from === '@feathersjs/errors';
}

/** A name of a member, with the place of its letters: `a.name`, `a['name']`. */
function nameIn(node: Node, computed: boolean): { readonly name: string; readonly start: number; readonly end: number } | undefined {
  const { start, end } = placeOf(node);
  if (node.type === 'StringLiteral') return { name: node.value, start: start + 1, end: end - 1 };
  return node.type === 'Identifier' && !computed ? { name: node.name, start, end } : undefined;
}

/** What a pattern takes its names from, as it is written: `context.params` of `const { a } = context.params`. */
function takenFrom(source: Source, parents: readonly Node[]): string {
  const outer = parents.at(-2);
  return outer?.type === 'VariableDeclarator' && outer.id === parents.at(-1) && outer.init ? textOf(source, withoutTypes(outer.init)) : '';
}

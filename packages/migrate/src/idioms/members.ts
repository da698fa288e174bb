import { placeOf, textOf, walk } from '../source/source.ts';
import type { Remark } from '../remark.ts';
import type { Idiom } from './idiom.ts';

const REQUESTS: ReadonlySet<string> = new Set(['req', 'request']);
const INSIDE: ReadonlySet<string> = new Set(['_isSetup', '__hooks']);

/** Members with another name: `req.feathers`, `params.mongodb`, `makeFeathersPipeline`; and what has none. */
export const members: Idiom = (source, _imported, plan) => {
  const { file } = source;
  const left = (line: number, reason: string, section: Remark['section']): void => {
    plan.left.push({ file, line, reason, section });
  };
  walk(source.tree, (node) => {
    const { line } = placeOf(node);
    if (node.type === 'MemberExpression' || node.type === 'OptionalMemberExpression') {
      const { property, object } = node;
      if (node.computed || property.type !== 'Identifier') return;
      const { start, end } = placeOf(property);
      if (property.name === 'feathers') {
        if (object.type === 'Identifier' && REQUESTS.has(object.name)) plan.edits.push({ start, end, text: 'framework' });
        else if (!textOf(source, object).endsWith('socket'))
          left(line, `${textOf(source, node)}: on requests it is 'framework' here`, 'Names');
      } else if (property.name === 'mongodb' && /(?:^|\.)params$/.test(textOf(source, object))) {
        plan.edits.push({ start, end, text: 'docdb' });
      } else if (property.name === 'makeFeathersPipeline') {
        plan.edits.push({ start, end, text: 'makeFrameworkPipeline' });
      } else if (INSIDE.has(property.name)) {
        left(line, `${property.name} can not be reached: nothing inside is`, 'Names');
      }
    } else if (
      (node.type === 'ObjectMethod' || node.type === 'ClassMethod') &&
      node.key.type === 'Identifier' &&
      node.key.name === 'makeFeathersPipeline'
    ) {
      plan.edits.push({ ...placeOf(node.key), text: 'makeFrameworkPipeline' });
    } else if (node.type === 'ObjectProperty' && !node.computed && node.key.type === 'Identifier') {
      if (node.key.name === '$feathers' && !node.shorthand) plan.edits.push({ ...placeOf(node.key), text: '$framework' });
      else if (node.key.name === 'mongodb' && !node.shorthand && node.value.type === 'ObjectExpression') {
        left(line, "'mongodb': the same in params is 'docdb' here; leave it where it is something else", 'Names');
      }
    } else if (node.type === 'StringLiteral' && node.value === 'FeathersError') {
      left(line, "The type of errors is 'FrameworkError' here; isFrameworkError(error) of @framework/errors tells them", 'Names');
    }
  });
};

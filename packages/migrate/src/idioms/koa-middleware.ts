import type { Remark } from '../remark.ts';
import { placeOf, textOf, walk, type Source } from '../source/source.ts';

/** An application by its usual name: `app`, `context.app`. */
const APPLICATION = /(?:^|\.)app$/;

/** Middleware that another module gives to an application of Koa: Express would call it with other arguments. */
export function koaMiddleware(source: Source): Remark[] {
  const found: Remark[] = [];
  walk(source.tree, (node) => {
    if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression' || node.callee.computed) return;
    const { object, property } = node.callee;
    const [only, ...more] = node.arguments;
    if (property.type !== 'Identifier' || property.name !== 'use' || !APPLICATION.test(textOf(source, object))) return;
    // With a path it is a service, which is the same with both.
    if (only === undefined || more.length > 0 || only.type === 'StringLiteral') return;
    const [call = ''] = textOf(source, node).split('\n');
    const reason = `${call}: middleware of Koa has no counterpart in Express. Write it for Express, where app is the application`;
    found.push({ file: source.file, line: placeOf(node).line, reason, section: 'By a command' });
  });
  return found;
}

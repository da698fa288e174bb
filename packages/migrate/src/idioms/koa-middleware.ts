import type { Node } from '@babel/types';
import type { Remark } from '../remark.ts';
import { placeOf, textOf, walk, withoutTypes, type Source } from '../source/source.ts';

/** An application by its usual name: `app`, `context.app`. */
const APPLICATION = /(?:^|\.)app$/;
/** What makes one of Express: `express`, or `require('express')`. */
const EXPRESS = /^(?:express|require\((['"])express\1\))$/;

/** Middleware that another module gives to an application of Koa: Express would call it with other arguments. */
export function koaMiddleware(source: Source): Remark[] {
  const found: Remark[] = [];
  const ofExpress = expressApplications(source);
  walk(source.tree, (node) => {
    if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression' || node.callee.computed) return;
    const { object, property } = node.callee;
    const [only, ...more] = node.arguments;
    if (ofExpress.has(textOf(source, object))) return;
    if (property.type !== 'Identifier' || property.name !== 'use' || !APPLICATION.test(textOf(source, object))) return;
    // With a path it is a service, which is the same with both.
    if (only === undefined || more.length > 0 || only.type === 'StringLiteral') return;
    const [call = ''] = textOf(source, node).split('\n');
    const reason = `${call}: middleware of Koa has no counterpart in Express. Write it for Express, where app is the application`;
    found.push({ file: source.file, line: placeOf(node).line, reason, section: 'By a command' });
  });
  return found;
}

/** Middleware of Koa that a service is registered with: `koa: { before: […] }`, which the application refuses where none for Express stands beside it. */
export function koaOptions(source: Source): Remark[] {
  const found: Remark[] = [];
  walk(source.tree, (node, parents) => {
    if (node.type !== 'ObjectProperty' || nameOf(node) !== 'koa' || node.value.type !== 'ObjectExpression') return;
    if (!node.value.properties.some((each) => /^(?:before|after)$/.test(nameOf(each)))) return;
    const [call, options] = parents.slice(-2);
    if (call?.type !== 'CallExpression' || call.callee.type !== 'MemberExpression') return;
    if (textOf(source, call.callee.property) !== 'use' || call.arguments.indexOf(options as never) < 1) return;
    const reason = "The option 'koa' of a service has middleware of Koa: write it for Express, and give it as express: { before, after }";
    found.push({ file: source.file, line: placeOf(node).line, reason, section: 'By a command' });
  });
  return found;
}

function nameOf(node: Node): string {
  if (node.type !== 'ObjectProperty' || node.computed) return '';
  if (node.key.type === 'StringLiteral') return node.key.value;
  return node.key.type === 'Identifier' ? node.key.name : '';
}

/** Names of the applications that a module makes of Express itself: a server beside that of the application has middleware of Express already. */
function expressApplications(source: Source): ReadonlySet<string> {
  const names = new Set<string>();
  walk(source.tree, (node) => {
    if (node.type !== 'VariableDeclarator' || node.id.type !== 'Identifier' || !node.init) return;
    const made = withoutTypes(node.init);
    if (made.type === 'CallExpression' && EXPRESS.test(textOf(source, made.callee))) names.add(node.id.name);
  });
  return names;
}

/** Members that an application of Koa has, and what takes their place. */
const MEMBERS: ReadonlyMap<string, string> = new Map([
  ['callback', 'app itself answers requests here: request(app), createServer(app)'],
  ['proxy', "it is app.set('trust proxy', …) of Express"],
  ['keys', 'Express has none: cookies are signed by what signs them, with a secret of its own'],
  ['context', 'Express has none: what it gives to requests is set by middleware'],
]);

/** What is used of an application that Koa alone has: Express would not know it, or do nothing with it. */
export function koaMembers(source: Source): Remark[] {
  const found: Remark[] = [];
  walk(source.tree, (node) => {
    if ((node.type !== 'MemberExpression' && node.type !== 'OptionalMemberExpression') || !APPLICATION.test(textOf(source, node.object)))
      return;
    const name = node.property.type === 'StringLiteral' ? node.property.value : node.computed ? '' : textOf(source, node.property);
    const instead = MEMBERS.get(name);
    if (instead !== undefined)
      found.push({
        file: source.file,
        line: placeOf(node).line,
        reason: `${textOf(source, node)} is Koa's: ${instead}`,
        section: 'By a command',
      });
  });
  return found;
}

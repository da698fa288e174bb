import type { CallExpression, Expression, ImportDeclaration, Node, Statement } from '@babel/types';
import type { SourcePlan } from '../rewrite/source-plan.ts';
import { placeOf, textOf, walk, type Source } from '../source/source.ts';

const PACKAGE = '@feathersjs/koa';
/** Middleware of Koa that has a counterpart. */
const KNOWN: ReadonlySet<string> = new Set(['cors', 'serveStatic', 'errorHandler', 'parseAuthentication', 'bodyParser']);

/**
 * The module that makes a Koa application: Express takes its place where all its middleware is that of FeathersJS itself, as the generator writes it. Body
 * parsers are those of Express, and what answers errors goes behind the services.
 *
 * @returns whether there was something of Koa that makes an application
 */
export function koaApplication(source: Source, plan: SourcePlan): boolean {
  const [declaration] = imports(source).filter((node) => node.specifiers.some((each) => each.local.name === 'koa'));
  if (declaration === undefined) return false;
  const fail = (node: Node, reason: string): void => {
    plan.blockers.push({ file: source.file, line: placeOf(node).line, reason, section: 'By a command' });
  };
  const names = new Set<string>();
  for (const specifier of declaration.specifiers) {
    if (specifier.type !== 'ImportSpecifier' || textOf(source, specifier.imported) !== specifier.local.name) {
      fail(specifier, 'Names of @feathersjs/koa are imported under other names: take their own first');
      return true;
    }
    names.add(specifier.local.name);
  }
  const uses = source.tree.program.body.flatMap((statement) => middlewareUse(statement));
  walk(source.tree, (node) => {
    if (node.type !== 'CallExpression' || !isUse(node) || isPath(node)) return;
    if (!uses.some(({ call }) => call === node))
      fail(
        node,
        `${textOf(source, node).split('\n')[0] ?? ''}: middleware of Koa has no counterpart in Express. Write it for Express first`,
      );
  });
  for (const use of uses) {
    if (!names.has(use.name)) fail(use.call, `${use.name}(): middleware of Koa has no counterpart in Express. Write it for Express first`);
    else if (use.name !== 'serveStatic' && use.options.length > 0)
      fail(use.call, `The options of ${use.name}() are those of Koa: leave them out first`);
    else if (use.name === 'serveStatic' && use.options.length > 1)
      fail(use.call, 'The options of serveStatic() are those of Koa: leave them out first');
  }
  if (plan.blockers.length > 0) return true;
  rewrite(source, declaration, uses, names, plan);
  return true;
}

interface MiddlewareUse {
  readonly statement: Statement;
  readonly call: CallExpression;
  /** Of the function that makes the middleware. */
  readonly name: string;
  readonly options: readonly unknown[];
}

function rewrite(
  source: Source,
  declaration: ImportDeclaration,
  uses: readonly MiddlewareUse[],
  names: ReadonlySet<string>,
  plan: SourcePlan,
): void {
  const eol = source.text.includes('\r\n') ? '\r\n' : '\n';
  const end = textOf(source, declaration).endsWith(';') ? ';' : '';
  const quote = textOf(source, declaration.source).charAt(0);
  const kept = [...names].filter((name) => !['koa', 'bodyParser', 'parseAuthentication', 'errorHandler'].includes(name));
  const taken = [...kept, 'json', 'urlencoded', 'notFound', 'errorHandler'];
  const text = `import express, { ${taken.join(', ')} } from ${quote}@framework/transport-express${quote}${end}`;
  plan.edits.push({ ...placeOf(declaration), text });
  plan.packages.add('@framework/transport-express');
  walk(source.tree, (node, parents) => {
    if (node.type === 'Identifier' && node.name === 'koa' && !parents.includes(declaration))
      plan.edits.push({ ...placeOf(node), text: 'express' });
  });
  for (const { statement, name } of uses) {
    if (name === 'bodyParser') {
      const app = appName(statement);
      plan.edits.push({ ...placeOf(statement), text: `${app}.use(json())${end}${eol}${app}.use(urlencoded({ extended: true }))${end}` });
    } else if (name === 'errorHandler' || name === 'parseAuthentication') {
      plan.edits.push(wholeLine(source, statement));
    }
  }
  const last = source.tree.program.body.findLast((statement) => isConfigure(statement) || isService(statement)) ?? uses.at(-1)?.statement;
  if (last === undefined) return;
  const app = appName(last);
  const { end: at } = placeOf(last);
  plan.edits.push({
    start: at,
    end: at,
    text: `${eol}${eol}// What nothing has answered, and errors${eol}${app}.use(notFound())${end}${eol}${app}.use(errorHandler())${end}`,
  });
}

/** Whether a module makes an application of Koa. */
export const makesKoa = (source: Source): boolean =>
  imports(source).some(({ specifiers }) => specifiers.some(({ local }) => local.name === 'koa'));

const imports = ({ tree }: Source): ImportDeclaration[] =>
  tree.program.body.filter((node) => node.type === 'ImportDeclaration').filter((node) => node.source.value === PACKAGE);

function calledOf(statement: Statement, method: string): CallExpression | undefined {
  const call = statement.type === 'ExpressionStatement' ? statement.expression : undefined;
  return call?.type === 'CallExpression' && methodOf(call.callee) === method ? call : undefined;
}

function methodOf(callee: Node): string | undefined {
  return callee.type === 'MemberExpression' && callee.object.type === 'Identifier' && callee.property.type === 'Identifier'
    ? callee.property.name
    : undefined;
}

const isUse = (call: CallExpression): boolean => methodOf(call.callee) === 'use';
const isConfigure = (statement: Statement): boolean => calledOf(statement, 'configure') !== undefined;

const isService = (statement: Statement): boolean => {
  const call = calledOf(statement, 'use');
  return call !== undefined && isPath(call);
};

/** `app.use('path', service)` and `app.use(path, new Service())`: services, which are the same with both. */
const isPath = (call: CallExpression): boolean => call.arguments.length > 1 || call.arguments[0]?.type === 'StringLiteral';

function middlewareUse(statement: Statement): MiddlewareUse[] {
  const call = calledOf(statement, 'use');
  const made = call?.arguments[0];
  if (call === undefined || made === undefined || made.type !== 'CallExpression' || made.callee.type !== 'Identifier') return [];
  return KNOWN.has(made.callee.name) ? [{ statement, call, name: made.callee.name, options: made.arguments }] : [];
}

function appName(statement: Statement): string {
  const call: Expression | undefined = statement.type === 'ExpressionStatement' ? statement.expression : undefined;
  const callee = call?.type === 'CallExpression' ? call.callee : undefined;
  return callee?.type === 'MemberExpression' && callee.object.type === 'Identifier' ? callee.object.name : 'app';
}

function wholeLine({ text }: Source, statement: Statement): { start: number; end: number; text: string } {
  const { start, end } = placeOf(statement);
  const behind = /^[ \t]*(?:\r\n|\n)/.exec(text.slice(end));
  return { start, end: end + (behind?.[0].length ?? 0), text: '' };
}

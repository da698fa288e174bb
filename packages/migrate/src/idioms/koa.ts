import type { ImportDeclaration, Node, Statement } from '@babel/types';
import { renameBinding } from '../rewrite/bindings.ts';
import type { SourcePlan } from '../rewrite/source-plan.ts';
import { placeOf, textOf, type Source } from '../source/source.ts';
import { koaApplications, middlewareUses, ownerOf, setsUp, type KoaApplication, type MiddlewareUse } from './koa-calls.ts';

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
  const applications = koaApplications(source);
  const uses = middlewareUses(source, applications);
  for (const { call, name, options, statement } of uses) {
    const [text = ''] = textOf(source, call).split('\n');
    if (!KNOWN.has(name)) fail(call, `${text}: middleware of Koa has no counterpart in Express. Write it for Express first`);
    else if (!names.has(name)) fail(call, `${name}(): middleware of Koa has no counterpart in Express. Write it for Express first`);
    else if (options.length > (name === 'serveStatic' ? 1 : 0))
      fail(call, `The options of ${name}() are those of Koa: leave them out first`);
    else if (statement === undefined)
      fail(call, `${name}() is given in a part of another statement: write app.use(${name}(…)) by itself first`);
  }
  for (const { beside } of applications) {
    for (const each of beside) {
      if (each.type === 'ReturnStatement' && setsUp(source, each, applications))
        fail(each, 'What answers errors goes behind all of this: set the application up first, and return it in a statement of its own');
    }
  }
  if (plan.blockers.length > 0) return true;
  rewrite(source, declaration, { applications, uses, names }, plan);
  return true;
}

interface Found {
  readonly applications: readonly KoaApplication[];
  readonly uses: readonly MiddlewareUse[];
  /** What is imported of the package. */
  readonly names: ReadonlySet<string>;
}

function rewrite(source: Source, declaration: ImportDeclaration, { applications, uses, names }: Found, plan: SourcePlan): void {
  const eol = source.text.includes('\r\n') ? '\r\n' : '\n';
  const end = textOf(source, declaration).endsWith(';') ? ';' : '';
  const quote = textOf(source, declaration.source).charAt(0);
  const kept = [...names].filter((name) => !['koa', 'bodyParser', 'parseAuthentication', 'errorHandler'].includes(name));
  const taken = [...kept, 'json', 'urlencoded', 'notFound', 'errorHandler'];
  const renamed = renameBinding(source, declaration, 'koa', 'express');
  const text = `import ${renamed ? 'express' : 'koa'}, { ${taken.join(', ')} } from ${quote}@framework/transport-express${quote}${end}`;
  plan.edits.push({ ...placeOf(declaration), text }, ...(renamed ?? []));
  plan.packages.add('@framework/transport-express');
  for (const { statement, name } of uses) {
    if (statement === undefined) continue;
    if (name === 'bodyParser') {
      const app = ownerOf(source, statement) ?? 'app';
      // Another statement may stand behind it.
      const ending = textOf(source, statement).endsWith(';') ? ';' : '';
      const parsers = `${app}.use(json({ limit: ${quote}1mb${quote} }))${ending}${eol}${indentOf(source, statement)}${app}.use(urlencoded({ extended: true }))${ending}`;
      plan.edits.push({ ...placeOf(statement), text: parsers });
    } else if (name === 'errorHandler' || name === 'parseAuthentication') {
      plan.edits.push(wholeLine(source, statement));
    }
  }
  const blocks = applications.length > 0 ? applications.map(({ beside }) => beside) : [uses.at(-1)?.beside ?? source.tree.program.body];
  for (const block of new Set(blocks)) {
    const last =
      block.findLast((statement) => setsUp(source, statement, applications)) ?? uses.findLast(({ beside }) => beside === block)?.statement;
    if (last === undefined) continue;
    const app = ownerOf(source, last) ?? applications.find(({ beside }) => beside === block)?.name ?? 'app';
    const line = `${eol}${indentOf(source, last)}`;
    const { end: at } = placeOf(last);
    const ending = textOf(source, last).endsWith(';') ? ';' : '';
    const text = `${eol}${line}// What nothing has answered, and errors${line}${app}.use(notFound())${ending}${line}${app}.use(errorHandler())${ending}`;
    plan.edits.push({ start: at, end: at, text });
  }
}

/** Whether a module makes an application of Koa. */
export const makesKoa = (source: Source): boolean =>
  imports(source).some(({ specifiers }) => specifiers.some(({ local }) => local.name === 'koa'));

const imports = ({ tree }: Source): ImportDeclaration[] =>
  tree.program.body.filter((node) => node.type === 'ImportDeclaration').filter((node) => node.source.value === PACKAGE);

const indentOf = ({ text }: Source, statement: Statement): string => /[ \t]*$/.exec(text.slice(0, placeOf(statement).start))?.[0] ?? '';

function wholeLine({ text }: Source, statement: Statement): { start: number; end: number; text: string } {
  const { start, end } = placeOf(statement);
  const before = /[ \t]*$/.exec(text.slice(0, start))?.[0].length ?? 0;
  const behind = /^[ \t]*(?:\r\n|\n)/.exec(text.slice(end));
  return behind ? { start: start - before, end: end + behind[0].length, text: '' } : { start, end, text: '' };
}

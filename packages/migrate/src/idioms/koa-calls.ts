import type { CallExpression, Node, Statement } from '@babel/types';
import { textOf, walk, withoutTypes, type Source } from '../source/source.ts';

/** An application of Koa under its name: `const app = koa(feathers())`, of the module or of a function. */
export interface KoaApplication {
  readonly name: string;
  /** Where it is made. */
  readonly beside: readonly Statement[];
}

/** A call of `use` that gives it middleware. */
export interface MiddlewareUse {
  readonly call: CallExpression;
  /** The name of the function that makes the middleware, and what that is called with. */
  readonly name: string;
  readonly options: readonly Node[];
  /** The statement that it is, and those around it; nothing where it is a part of another one. */
  readonly statement: Statement | undefined;
  readonly beside: readonly Statement[];
}

/** Methods of an application that give it back. */
const CHAINED: ReadonlySet<string> = new Set(['use', 'configure', 'hooks', 'set']);

/** The applications that a module makes under names. */
export function koaApplications(source: Source): KoaApplication[] {
  const found: KoaApplication[] = [];
  walk(source.tree, (node, parents) => {
    const [name, value] =
      node.type === 'VariableDeclarator' ? [node.id, node.init] : node.type === 'AssignmentExpression' ? [node.left, node.right] : [];
    const typed = name?.type === 'Identifier' ? name.name : undefined;
    if (name && value && isMade(rootOf(value))) found.push({ name: typed ?? textOf(source, name), beside: blockIn(parents) });
  });
  return found;
}

/** What middleware the applications of a module are given. Others have a method `use` too: Socket.IO, plug-ins. */
export function middlewareUses(source: Source, applications: readonly KoaApplication[]): MiddlewareUse[] {
  const found: MiddlewareUse[] = [];
  walk(source.tree, (node, parents) => {
    if (node.type !== 'CallExpression' || methodOf(node) !== 'use' || isPath(node) || !isOf(source, node, applications)) return;
    const made = node.arguments[0] && withoutTypes(node.arguments[0]);
    const isCall = made?.type === 'CallExpression' && made.callee.type === 'Identifier';
    const [statement, beside] = [parents.at(-1), blockIn(parents.slice(0, -1))];
    const alone = statement?.type === 'ExpressionStatement' && beside.includes(statement) && node.callee === linksOf(node).at(-1)?.callee;
    found.push({
      call: node,
      name: isCall && made.callee.type === 'Identifier' ? made.callee.name : '',
      options: isCall ? made.arguments : [],
      statement: alone ? statement : undefined,
      beside,
    });
  });
  return found;
}

/** Whether a statement sets applications up: `configure`, services, also in a chain of calls. */
export function setsUp(source: Source, statement: Statement, applications: readonly KoaApplication[]): boolean {
  return expressionsOf(statement).some((expression) =>
    linksOf(expression).some((link) => {
      const method = methodOf(link);
      return (method === 'configure' || (method === 'use' && isPath(link))) && isOf(source, link, applications);
    }),
  );
}

/** What `use` or `configure` of a statement is called on, as it is written. */
export function ownerOf(source: Source, statement: Statement): string | undefined {
  const [expression] = expressionsOf(statement);
  const root = expression && rootOf(expression);
  return root && !isMade(root) ? textOf(source, root) : undefined;
}

/** `app.use('path', service)` and `app.use(path, new Service())`: services, which are the same with both. */
const isPath = (call: CallExpression): boolean => call.arguments.length > 1 || call.arguments[0]?.type === 'StringLiteral';

const isMade = (node: Node): boolean => node.type === 'CallExpression' && node.callee.type === 'Identifier' && node.callee.name === 'koa';

function isOf(source: Source, call: CallExpression, applications: readonly KoaApplication[]): boolean {
  const root = rootOf(call);
  if (isMade(root) || applications.length === 0) return true;
  const text = textOf(source, root);
  return text === 'app' || applications.some(({ name }) => name === text);
}

/** What a chain of calls begins with: `app` of `app.configure(a).use(b)`. */
function rootOf(node: Node): Node {
  const last = linksOf(node).at(-1);
  return last?.callee.type === 'MemberExpression' ? withoutTypes(last.callee.object) : withoutTypes(node);
}

/** The calls of a chain, last ones first. */
function linksOf(node: Node): CallExpression[] {
  const call = withoutTypes(node);
  if (call.type !== 'CallExpression' || call.callee.type !== 'MemberExpression' || !CHAINED.has(methodOf(call) ?? '')) return [];
  return [call, ...linksOf(call.callee.object)];
}

function methodOf({ callee }: CallExpression): string | undefined {
  return callee.type === 'MemberExpression' && callee.property.type === 'Identifier' && !callee.computed ? callee.property.name : undefined;
}

function expressionsOf(statement: Statement): Node[] {
  if (statement.type === 'ExpressionStatement') {
    const { expression } = statement;
    return [expression.type === 'AssignmentExpression' ? expression.right : expression];
  }
  if (statement.type === 'ReturnStatement') return statement.argument ? [statement.argument] : [];
  const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
  return declaration?.type === 'VariableDeclaration' ? declaration.declarations.flatMap(({ init }) => init ?? []) : [];
}

function blockIn(parents: readonly Node[]): readonly Statement[] {
  const block = parents.findLast(({ type }) => type === 'Program' || type === 'BlockStatement');
  return block?.type === 'Program' || block?.type === 'BlockStatement' ? block.body : [];
}

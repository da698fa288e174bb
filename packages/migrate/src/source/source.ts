import { parse, type ParserPlugin } from '@babel/parser';
import type { File, Node } from '@babel/types';

/** A file of the application, parsed. */
export interface Source {
  /** Path from the folder of the application, with `/`. */
  readonly file: string;
  readonly text: string;
  readonly tree: File;
}

/** A node with what it stands in, outermost first. */
export type Visit = (node: Node, parents: readonly Node[]) => void;

/** What compilers and runtimes take and the parser has to be told of. */
const SYNTAX: readonly ParserPlugin[] = [
  'decoratorAutoAccessors',
  'deferredImportEvaluation',
  'deprecatedImportAssert',
  'explicitResourceManagement',
  'sourcePhaseImports',
];

/**
 * Parses JavaScript or TypeScript, as modules or scripts. Decorators may be those of the standard, or those that TypeScript has with
 * `experimentalDecorators`, which may stand at parameters too.
 *
 * @throws SyntaxError with the line
 */
export function parseSource(file: string, text: string): Source {
  const typed = /\.[cm]?tsx?$/.test(file);
  const plugins: ParserPlugin[] = [...SYNTAX];
  if (typed) plugins.push(['typescript', { dts: /\.d\.[cm]?ts$/.test(file) }]);
  if (!/\.[cm]?ts$/.test(file)) plugins.push('jsx');
  const read = (decorators: ParserPlugin): File =>
    parse(text, { sourceType: 'unambiguous', allowReturnOutsideFunction: true, plugins: [...plugins, decorators] });
  try {
    return { file, text, tree: read('decorators') };
  } catch (error) {
    try {
      return { file, text, tree: read('decorators-legacy') };
    } catch {
      throw error;
    }
  }
}

const SKIPPED: ReadonlySet<string> = new Set([
  'loc',
  'extra',
  'errors',
  'comments',
  'leadingComments',
  'trailingComments',
  'innerComments',
  'tokens',
]);

/** Goes through all nodes, outer ones first. */
export function walk(node: Node, visit: Visit, parents: readonly Node[] = []): void {
  visit(node, parents);
  const inside = [...parents, node];
  for (const [key, value] of Object.entries(node)) {
    if (SKIPPED.has(key)) continue;
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) walk(child, visit, inside);
  }
}

/** Where a node stands; the parser gives it to all. */
export function placeOf(node: Node): { readonly start: number; readonly end: number; readonly line: number } {
  return { start: node.start ?? 0, end: node.end ?? 0, line: node.loc?.start.line ?? 1 };
}

/** The text of a node. */
export function textOf({ text }: Source, node: Node): string {
  const { start, end } = placeOf(node);
  return text.slice(start, end);
}

/** What is written of types around an expression does nothing: `params!`, `(params as Params)`. */
export function withoutTypes(node: Node): Node {
  const isTyped = node.type === 'TSNonNullExpression' || node.type === 'TSAsExpression' || node.type === 'TSSatisfiesExpression';
  return isTyped || node.type === 'TSTypeAssertion' ? withoutTypes(node.expression) : node;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

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

/**
 * Parses JavaScript or TypeScript, as modules or scripts.
 *
 * @throws SyntaxError with the line
 */
export function parseSource(file: string, text: string): Source {
  const typed = /\.[cm]?tsx?$/.test(file);
  const jsx: ParserPlugin[] = /\.[cm]?ts$/.test(file) ? [] : ['jsx'];
  const tree = parse(text, {
    sourceType: 'unambiguous',
    allowReturnOutsideFunction: true,
    plugins: [
      ...(typed ? ([['typescript', { dts: /\.d\.[cm]?ts$/.test(file) }]] satisfies ParserPlugin[]) : []),
      ...jsx,
      'decorators',
      'explicitResourceManagement',
    ],
  });
  return { file, text, tree };
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

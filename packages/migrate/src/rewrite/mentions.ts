import type { Node } from '@babel/types';
import { moveOf, stays } from '../packages/package-moves.ts';
import { placeOf, walk, type Source } from '../source/source.ts';
import type { SourcePlan } from './source-plan.ts';

/** A text that is nothing but the name of a module, or a pattern for some. */
const MODULE = /^\^?(@feathersjs\/[\w.-]*)[^\s]*$/;
/** `import('a package').Name` in a comment. */
const TYPE = /import\(\s*(['"])(@feathersjs\/[\w-]+)\1\s*\)(?:\.([\w$]+))?/g;

/**
 * Changes types of JSDoc, and notes names of packages that are no imports: `jest.mock('…')`, lists for tools. Goes behind all that changes imports.
 *
 * @param kept statements that stay
 */
export function moveMentions(source: Source, kept: ReadonlySet<Node>, plan: SourcePlan): void {
  walk(source.tree, (node, parents) => {
    const text = textIn(node);
    const [, name] = text === undefined ? [] : (MODULE.exec(text) ?? []);
    if (name === undefined || stays(name) || isModuleOf(node, parents) || parents.some((each) => kept.has(each))) return;
    const { start, end, line } = placeOf(node);
    if (isTouched(plan, start, end)) return;
    left(source, line, `'${name}' is a text here, and no import: write what it is here, if it names the module`, plan);
  });
  for (const comment of source.tree.comments ?? []) {
    const { start = 0, value, loc } = comment;
    for (const match of value.matchAll(TYPE)) {
      const [type, , from = '', name = ''] = match;
      if (stays(from)) continue;
      const move = moveOf(from);
      const renamed = move && Object.hasOwn(move.renamed, name) ? move.renamed[name] : undefined;
      const before = value.slice(0, match.index);
      const at = start + 2 + match.index;
      if (move && (renamed || move.same.has(name)) && !isTouched(plan, at, at + type.length)) {
        const text = type.replace(from, renamed?.from ?? move.to).replace(/[\w$]+$/, renamed?.name ?? name);
        plan.edits.push({ start: at, end: at + type.length, text });
      } else
        left(
          source,
          (loc?.start.line ?? 1) + before.split('\n').length - 1,
          `${type} in a comment: write what it is here, if it has a counterpart`,
          plan,
        );
    }
  }
}

const isTouched = ({ edits }: SourcePlan, start: number, end: number): boolean =>
  edits.some((edit) => edit.start <= end && edit.end >= start);

function textIn(node: Node): string | undefined {
  if (node.type === 'StringLiteral') return node.value;
  return node.type === 'TemplateLiteral' ? node.quasis[0]?.value.raw : undefined;
}

/** Whether it says from where a statement takes something: those are changed, or refused. */
function isModuleOf(node: Node, parents: readonly Node[]): boolean {
  const parent = parents.at(-1);
  if (parent === undefined) return false;
  if ('source' in parent && parent.source === node && parent.type !== 'ImportExpression') return true;
  return /^(?:TSModuleDeclaration|TSExternalModuleReference|TSImportType)$/.test(parent.type);
}

function left({ file }: Source, line: number, reason: string, plan: SourcePlan): void {
  if (plan.blockers.some((blocker) => blocker.line === line)) return;
  plan.left.push({ file, line, reason, section: 'By a command' });
}

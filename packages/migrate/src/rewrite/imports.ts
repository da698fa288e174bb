import type { ExportNamedDeclaration, ImportDeclaration, ImportSpecifier } from '@babel/types';
import { DROPPED, type PackageMove } from '../packages/package-moves.ts';
import { placeOf, textOf, type Source } from '../source/source.ts';
import { renameBinding } from './bindings.ts';
import { memberOf } from './requires.ts';
import type { SourcePlan } from './source-plan.ts';
import { moveMembers } from './whole-module.ts';

interface Part {
  /** Such as `framework`, `type Params`, `HookContext as Context`. */
  readonly text: string;
  readonly from: string;
  readonly isDefault: boolean;
}

/** Changes `import … from 'a package of FeathersJS'`; only its name where the names in it are the same. */
export function moveImport(source: Source, node: ImportDeclaration, move: PackageMove, plan: SourcePlan): void {
  const old = node.source.value;
  const parts: Part[] = [];
  let same = true;
  for (const specifier of node.specifiers) {
    const { line } = placeOf(specifier);
    const local = specifier.local.name;
    if (specifier.type === 'ImportNamespaceSpecifier') {
      const members = moveMembers(source, node, local, move);
      if (members !== undefined) {
        const { start, end } = placeOf(node.source);
        plan.edits.push({ start: start + 1, end: end - 1, text: move.to }, ...members);
        plan.packages.add(move.to);
        return;
      }
      plan.blockers.push(remark(source, line, `import * as ${local} from '${old}' hides which names are used: import them one by one`));
      return;
    }
    if (specifier.type === 'ImportDefaultSpecifier') {
      if (move.standard === undefined) {
        plan.blockers.push(remark(source, line, `${move.to} has no default export, as ${old} has`));
        return;
      }
      const member = memberOf(source, local, move.standard);
      if (member !== undefined) {
        plan.blockers.push(remark(source, line, `The default export of ${old} has members (${member}): import them one by one`));
        return;
      }
      const named = move.standard !== 'default';
      same &&= !named;
      parts.push({ text: named ? aliased(move.standard, local) : local, from: move.to, isDefault: !named });
      continue;
    }
    const part = movedName(source, node, specifier, move, plan);
    if (part === undefined) {
      same = false;
      continue;
    }
    same &&= part.from === move.to && part.text === textOf(source, specifier);
    parts.push(part);
  }
  if (same) {
    const { start, end } = placeOf(node.source);
    plan.edits.push({ start: start + 1, end: end - 1, text: move.to });
    plan.packages.add(move.to);
    return;
  }
  plan.edits.push(rewritten(source, node, parts, plan));
}

function movedName(
  source: Source,
  node: ImportDeclaration,
  specifier: ImportSpecifier,
  move: PackageMove,
  plan: SourcePlan,
): Part | undefined {
  const imported = specifier.imported.type === 'Identifier' ? specifier.imported.name : specifier.imported.value;
  const local = specifier.local.name;
  const { line } = placeOf(specifier);
  const type = specifier.importKind === 'type' ? 'type ' : '';
  if (DROPPED.has(imported)) return undefined;
  if (imported === 'default' && move.standard !== undefined)
    return { text: `${type}${aliased(move.standard, local)}`, from: move.to, isDefault: false };
  if (move.same.has(imported)) return { text: textOf(source, specifier), from: move.to, isDefault: false };
  const renamed = Object.hasOwn(move.renamed, imported) ? move.renamed[imported] : undefined;
  if (renamed === undefined) {
    plan.blockers.push(
      remark(source, line, `'${imported}' of ${node.source.value} has no counterpart: write what uses it without it first`),
    );
    return undefined;
  }
  const { name, from = move.to } = renamed;
  if (local !== imported || name === imported) return { text: `${type}${aliased(name, local)}`, from, isDefault: false };
  const edits = plan.taken.has(name) ? undefined : renameBinding(source, node, local, name);
  plan.edits.push(...(edits ?? []));
  plan.taken.add(name);
  return { text: `${type}${edits === undefined ? aliased(name, local) : name}`, from, isDefault: false };
}

/** The declaration anew, one for each package, in the style of the old one. */
function rewritten(
  source: Source,
  node: ImportDeclaration,
  parts: readonly Part[],
  plan: SourcePlan,
): { start: number; end: number; text: string } {
  const { start, end } = placeOf(node);
  const old = textOf(source, node);
  const quote = textOf(source, node.source).charAt(0);
  const eol = source.text.includes('\r\n') ? '\r\n' : '\n';
  const multi = old.includes('\n');
  const statements = [...new Set(parts.map(({ from }) => from))].map((from) => {
    plan.packages.add(from);
    const own = parts.filter((part) => part.from === from);
    const named = own.filter(({ isDefault }) => !isDefault).map(({ text }) => text);
    const standard = own.filter(({ isDefault }) => isDefault).map(({ text }) => text);
    const indent = `${eol}  `;
    const braces =
      named.length === 0 ? [] : [multi && named.length > 3 ? `{${indent}${named.join(`,${indent}`)}${eol}}` : `{ ${named.join(', ')} }`];
    const kind = node.importKind === 'type' ? 'type ' : '';
    return `import ${kind}${[...standard, ...braces].join(', ')} from ${quote}${from}${quote}${old.endsWith(';') ? ';' : ''}`;
  });
  // What stood between the names.
  const comments = (source.tree.comments ?? []).filter((each) => (each.start ?? 0) > start && (each.end ?? 0) < end);
  const kept = comments.map((each) => source.text.slice(each.start ?? 0, each.end ?? 0));
  if (statements.length > 0) return { start, end, text: [...kept, ...statements].join(eol) };
  // Nothing of it is left: its line goes too.
  const behind = /^[ \t]*(?:\r\n|\n)/.exec(source.text.slice(end));
  return { start, end: end + (behind?.[0].length ?? 0), text: '' };
}

/** Changes `export { … } from 'a package of FeathersJS'`, whose names others import. */
export function moveExport(source: Source, node: ExportNamedDeclaration, move: PackageMove, plan: SourcePlan): void {
  if (!node.source) return;
  const { value } = node.source;
  for (const specifier of node.specifiers) {
    const { line } = placeOf(specifier);
    const name = specifier.type === 'ExportSpecifier' ? specifier.local.name : '*';
    const renamed = Object.hasOwn(move.renamed, name) ? move.renamed[name] : undefined;
    if (move.same.has(name)) continue;
    if (renamed === undefined || renamed.differs || renamed.from !== undefined || specifier.type !== 'ExportSpecifier') {
      plan.blockers.push(remark(source, line, `'${name}' of ${value} can not be passed on: import it where it is used`));
      return;
    }
    const exported = specifier.exported.type === 'Identifier' ? specifier.exported.name : specifier.exported.value;
    const { start, end } = placeOf(specifier);
    const type = specifier.exportKind === 'type' ? 'type ' : '';
    plan.edits.push({ start, end, text: `${type}${renamed.name} as ${exported}` });
  }
  const { start, end } = placeOf(node.source);
  plan.edits.push({ start: start + 1, end: end - 1, text: move.to });
  plan.packages.add(move.to);
}

const aliased = (name: string, local: string): string => (name === local ? name : `${name} as ${local}`);
const remark = ({ file }: Source, line: number, reason: string): SourcePlan['blockers'][number] => ({
  file,
  line,
  reason,
  section: 'Names',
});

import type { TSModuleDeclaration } from '@babel/types';
import type { PackageMove } from '../packages/package-moves.ts';
import { placeOf, textOf, walk, type Source } from '../source/source.ts';
import type { SourcePlan } from './source-plan.ts';

/**
 * Changes `declare module 'a package of FeathersJS' { interface Params { … } }`, with the names of the interfaces.
 *
 * @param keepsServices whether services stay whose parameters are those of FeathersJS: what is added to them is added to both
 */
export function moveAugmentation(
  source: Source,
  node: TSModuleDeclaration,
  move: PackageMove,
  keepsServices: boolean,
  plan: SourcePlan,
): void {
  const { file } = source;
  if (keepsServices && move.to === CORE) {
    if (isAugmented(source, CORE)) return;
    keepParams(source, node, plan);
  }
  const { start, end } = placeOf(node.id);
  plan.edits.push({ start: start + 1, end: end - 1, text: move.to });
  plan.packages.add(move.to);
  for (const outer of node.body.type === 'TSModuleBlock' ? node.body.body : []) {
    const statement = outer.type === 'ExportNamedDeclaration' ? outer.declaration : outer;
    if (statement?.type !== 'TSInterfaceDeclaration') continue;
    const { name } = statement.id;
    const renamed = Object.hasOwn(move.renamed, name) ? move.renamed[name] : undefined;
    if (renamed === undefined) continue;
    if (renamed.from === undefined) plan.edits.push({ ...placeOf(statement.id), text: renamed.name });
    else {
      const reason = `'${name}' can not be added to in ${move.to}: it is '${renamed.name}' of ${renamed.from}`;
      plan.blockers.push({ file, line: placeOf(statement).line, reason, section: 'Names' });
    }
  }
}

const CORE = '@framework/core';

const isAugmented = ({ tree }: Source, name: string): boolean => {
  let found = false;
  walk(tree, (node) => {
    found ||= node.type === 'TSModuleDeclaration' && node.id.type === 'StringLiteral' && node.id.value === name;
  });
  return found;
};

/** Adds to the parameters of FeathersJS too, behind the declaration. */
function keepParams(source: Source, node: TSModuleDeclaration, plan: SourcePlan): void {
  const added = node.body.type === 'TSModuleBlock' ? node.body.body : [];
  const params = added.find((each) => each.type === 'TSInterfaceDeclaration' && each.id.name === 'Params');
  if (params === undefined) return;
  const { end } = placeOf(node);
  const eol = source.text.includes('\r\n') ? '\r\n' : '\n';
  const text = `${eol}${eol}declare module ${textOf(source, node.id)} {${eol}  ${textOf(source, params)}${eol}}`;
  plan.edits.push({ start: end, end, text });
  plan.kept.add('@feathersjs/feathers');
}
